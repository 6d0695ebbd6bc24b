import { FlowError } from '../errors.ts';
import type { Json } from '../events/json.ts';

/**
 * The JSON text of a value, as a store keeps it; `place` names the value in messages. A member that is undefined counts
 * as absent. Throws a FlowError `state-not-json` where parsing the text would not give the value back.
 */
export function toJsonText(value: unknown, place: string): string {
  let fault: Fault | undefined;
  try {
    fault = faultOf(value);
    if (fault === undefined) return JSON.stringify(value);
  } catch {
    // The walk has run out of stack.
    fault = { path: '', fact: 'contains itself, or nests too deep' };
  }
  throw new FlowError(
    'state-not-json',
    `${place}${fault.path} ${fault.fact}. ` +
      'Keep plain data only: text, finite numbers, true and false, null, lists and objects.',
  );
}

/** The value as a store would give it back. Throws what `toJsonText` throws. */
export function keptCopy(value: Json, place: string): Json {
  return JSON.parse(toJsonText(value, place)) as Json;
}

interface Fault {
  readonly path: string;
  readonly fact: string;
}

function faultOf(value: unknown): Fault | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : { path: '', fact: `is ${value}` };
    case 'object':
      if (value === null) return undefined;
      return Array.isArray(value) ? faultInList(value) : faultInObject(value);
    case 'bigint':
    case 'function':
    case 'symbol':
    case 'undefined':
    default:
      return { path: '', fact: `is of type ${typeof value}` };
  }
}

// Paths are put together on the way back only: a commit walks its whole state, and seldom finds anything.
function faultInList(list: readonly unknown[]): Fault | undefined {
  for (let index = 0; index < list.length; index += 1) {
    const fault = faultOf(list[index]);
    if (fault !== undefined) return { ...fault, path: `[${index}]${fault.path}` };
  }
  return undefined;
}

function faultInObject(value: object): Fault | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  // The prototype of plain objects is the one that has none; every realm has its own.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    return { path: '', fact: 'is an instance of a class' };
  const members = value as Readonly<Record<string, unknown>>; // Own keys only: they come from Object.keys.
  for (const key of Object.keys(members)) {
    const member = members[key];
    const fault = member === undefined ? undefined : faultOf(member);
    if (fault !== undefined) return { ...fault, path: `.${key}${fault.path}` };
  }
  return undefined;
}
