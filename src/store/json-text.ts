import { FlowError } from '../model/errors.ts';
import type { Json } from '../model/json.ts';

/**
 * Serializes a value as a store does. `place` names the value in messages; undefined members are omitted. Throws a
 * FlowError `state-not-json` if parsing the text would not return the same value.
 */
export function toJsonText(value: unknown, place: string): string {
  let fault: Fault | undefined;
  try {
    fault = faultOf(value);
    if (fault === undefined) return JSON.stringify(value);
  } catch {
    // The traversal ran out of stack.
    fault = { path: '', fact: 'contains itself, or nests too deep' };
  }
  throw new FlowError(
    'state-not-json',
    `${place}${fault.path} ${fault.fact}. ` +
      'Keep plain data only: text, finite numbers, true and false, null, lists and objects.',
  );
}

/** Returns the value as a store would. Throws the errors of `toJsonText`. */
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

// Paths are built only on the way back: a commit checks its whole state, and faults are rare.
function faultInList(list: readonly unknown[]): Fault | undefined {
  for (let index = 0; index < list.length; index += 1) {
    const fault = faultOf(list[index]);
    if (fault !== undefined) return { ...fault, path: `[${index}]${fault.path}` };
  }
  return undefined;
}

function faultInObject(value: object): Fault | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  // The prototype of plain objects has no prototype itself; each realm has its own.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    return { path: '', fact: 'is an instance of a class' };
  const members = value as Readonly<Record<string, unknown>>; // The keys come from Object.keys.
  for (const key of Object.keys(members)) {
    const member = members[key];
    const fault = member === undefined ? undefined : faultOf(member);
    if (fault !== undefined) return { ...fault, path: `.${key}${fault.path}` };
  }
  return undefined;
}
