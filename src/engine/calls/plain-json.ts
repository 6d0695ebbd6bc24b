import { FlowError } from '../../model/errors.ts';
import type { Json } from '../../model/json.ts';

/**
 * Converts a value of an author's code to JSON for the log: maps become objects, sets lists, dates ISO texts, large integers texts,
 * and `undefined` and `NaN` null. Throws `result-not-json` for a cycle, a function, or an object of which JSON would keep nothing.
 */
export function toJson(value: unknown): Json {
  let json: Json | undefined;
  try {
    json = memberOf(value, new Set());
  } catch (cause) {
    throw notJson('contains itself or cannot be read', cause);
  }
  if (json === undefined || isUnreadable(value)) throw notJson(`is a ${kindOf(value)}`);
  return json;
}

function notJson(fact: string, cause?: unknown): FlowError {
  return new FlowError('result-not-json', `a value that a function gave ${fact}. Return plain data.`, { cause });
}

/** Converts a nested value; undefined if JSON omits it. `around` contains the enclosing objects. */
function memberOf(value: unknown, around: ReadonlySet<object>): Json | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value + 0 : null;
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    case 'undefined':
      return null;
    case 'object':
      return value === null ? null : ofObject(value, around);
    default:
      return undefined;
  }
}

function ofObject(value: object, around: ReadonlySet<object>): Json | undefined {
  if (around.has(value)) throw new TypeError('a cycle');
  const inside = new Set([...around, value]);
  if ('toJSON' in value && typeof value.toJSON === 'function')
    return memberOf((value as { toJSON: () => unknown }).toJSON(), inside);
  if (isError(value)) return 'It did not succeed.';
  const held = unboxed(value);
  if (typeof held !== 'object') return memberOf(held, inside);
  if (value instanceof Map) return ofMap(value, inside);
  if (Array.isArray(value) || value instanceof Set || ArrayBuffer.isView(value)) return ofList(value, inside);
  return isUnreadable(value) ? null : ofEntries(Object.entries(value), inside);
}

function ofMap(map: ReadonlyMap<unknown, unknown>, inside: ReadonlySet<object>): Json {
  const entries = [...map];
  const isNamed = entries.every((entry): entry is [string, unknown] => typeof entry[0] === 'string');
  return isNamed ? ofEntries(entries, inside) : ofList(entries, inside);
}

function ofList(values: object, inside: ReadonlySet<object>): Json {
  // A view of bytes that is not a list has no members.
  const list: readonly unknown[] = Array.from(values as ArrayLike<unknown>);
  return list.map((one) => memberOf(one, inside) ?? null);
}

function ofEntries(entries: readonly (readonly [string, unknown])[], inside: ReadonlySet<object>): Json {
  const kept = entries.flatMap(([key, value]) => {
    const member = value === undefined ? undefined : memberOf(value, inside);
    return member === undefined ? [] : [[key, member] as const];
  });
  return Object.fromEntries(kept);
}

/** Checks whether a value is an error, including one of another realm. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
}

/** Unboxes a value such as `new Number(1)`; returns other values unchanged. */
function unboxed(value: object): unknown {
  return /^\[object (?:Number|String|Boolean|BigInt)\]$/.test(Object.prototype.toString.call(value))
    ? value.valueOf()
    : value;
}

/** Checks for an object of a class without visible members, because `{}` would mean that it is empty. */
function isUnreadable(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Object.keys(value).length > 0) return false;
  if ('toJSON' in value || isError(value)) return false;
  const isKnown = Array.isArray(value) || value instanceof Map || value instanceof Set || ArrayBuffer.isView(value);
  if (isKnown || typeof unboxed(value) !== 'object') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype !== null && Object.getPrototypeOf(prototype) !== null;
}

function kindOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? value.constructor.name : typeof value;
}
