import { isError } from '../../turn/calls/plain-json.ts';
import type { JsonObject } from '../../events/json.ts';

/** The next node of a function: a node by id, a node made on the spot (its document), or null to stay. */
export type NextNode = string | JsonObject | null;

/** The same symbol in all copies of this package in a process: a tool may come from another copy. */
const mark: unique symbol = Symbol.for('roomflow.next');

/** A function's value, and where the flow goes after it. */
export interface ValueAndNext<Value = unknown> {
  readonly [mark]: true;
  readonly value: Value;
  readonly node: NextNode;
}

/**
 * What a function returns to say where the flow goes: `return next(value, 'pay')` moves to node `pay`, a document moves
 * to a node made on the spot, and null stays, whatever `transition_to` says. `value` is the result as it would be
 * without. Throws nothing: whether there is such a node is seen when the flow is to go there.
 *
 * @example
 * flowTool({ name: 'look', description: 'Look for a table.', execute: () => next({ free: false }, 'waiting_list') });
 */
export function next<Value>(value: Value, node: NextNode): ValueAndNext<Value> {
  return Object.freeze({ [mark]: true, value, node } as const);
}

/** Whether a function's return is made by `next`. A list never is. */
export function isNext(value: unknown): value is ValueAndNext {
  return typeof value === 'object' && value !== null && mark in value;
}

/** What a function returned. Throws it if its value is an error: an error is a failure, thrown or returned. */
export function unlessError<Returned>(returned: Returned): Returned {
  const value = valueOf(returned);
  if (isError(value)) throw value;
  return returned;
}

/** The value that a function returned, without its next node. */
export function valueOf(returned: unknown): unknown {
  return isNext(returned) ? returned.value : returned;
}
