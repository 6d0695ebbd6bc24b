import { isError } from '../../engine/calls/plain-json.ts';
import type { JsonObject } from '../../model/json.ts';

/** The next node of a function: a node by id, a new node as a document, or null to stay. */
export type NextNode = string | JsonObject | null;

/** The same symbol in all copies of this package in a process, because a tool may come from another copy. */
const mark: unique symbol = Symbol.for('roomflow.next');

/** A function's value with the next node. */
export interface ValueAndNext<Value = unknown, Node extends NextNode = NextNode> {
  readonly [mark]: true;
  readonly value: Value;
  readonly node: Node;
}

/**
 * Chooses the next node from a function: `return next(value, 'pay')` moves to node `pay`, a document moves to a new
 * node, and null stays, whatever `transition_to` says. `value` is the function's result as usual. A runner of a flow of
 * `defineFlow` accepts only tools that choose its nodes. Throws nothing: the node is looked up when the flow moves there.
 *
 * @example
 * flowTool({ name: 'look', description: 'Look for a table.', execute: () => next({ free: false }, 'waiting_list') });
 */
export function next<Value, const Node extends NextNode>(value: Value, node: Node): ValueAndNext<Value, Node> {
  return Object.freeze({ [mark]: true, value, node } as const);
}

/** Checks whether a function's result was created by `next`. A list never is. */
export function isNext(value: unknown): value is ValueAndNext {
  return typeof value === 'object' && value !== null && mark in value;
}

/** Returns a function's result. Throws it if its value is an error, so that returned errors are failures too. */
export function unlessError<Returned>(returned: Returned): Returned {
  const value = valueOf(returned);
  if (isError(value)) throw value;
  return returned;
}

/** Returns the value of a function's result, without its next node. */
export function valueOf(returned: unknown): unknown {
  return isNext(returned) ? returned.value : returned;
}
