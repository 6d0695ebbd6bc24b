import { FlowError } from '../model/errors.ts';
import type { Json } from '../model/json.ts';

/**
 * Serializes a value as a store does. `place` names the value in messages; undefined members are omitted. Throws a
 * FlowError `state-not-json` if parsing the text would not return the same value.
 */
export function toJsonText(value: unknown, place: string): string {
  let fault: Fault | undefined;
  try {
    // First, because it also ends for a value that contains itself.
    const text = JSON.stringify(value);
    if (isPlain(value)) return text;
    fault = faultOf(value);
  } catch {
    fault = faultFound(value) ?? { path: '', fact: 'contains itself, or nests too deep' };
  }
  if (fault === undefined) return JSON.stringify(value);
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

/** Checks whether a value is plain data. One loop, because each commit checks its whole state. */
function isPlain(value: unknown): boolean {
  const left: unknown[] = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (one === null || typeof one === 'string' || typeof one === 'boolean') continue;
    if (typeof one === 'number' && Number.isFinite(one)) continue;
    if (typeof one !== 'object') return false;
    if (Array.isArray(one)) {
      for (let index = 0; index < one.length; index += 1) left.push(one[index]);
      continue;
    }
    const prototype: unknown = Object.getPrototypeOf(one);
    // The prototype of plain objects has no prototype itself; each realm has its own.
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return false;
    const members = one as Readonly<Record<string, unknown>>; // The keys come from Object.keys.
    for (const key of Object.keys(members)) if (members[key] !== undefined) left.push(members[key]);
  }
  return true;
}

/** Returns the fault of a value that cannot be serialized; undefined if the traversal runs out of stack. */
function faultFound(value: unknown): Fault | undefined {
  try {
    return faultOf(value);
  } catch {
    return undefined;
  }
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

// Paths are built only on the way back.
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
