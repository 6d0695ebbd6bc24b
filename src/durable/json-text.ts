import { FlowError } from '../errors.ts';

/**
 * The JSON text of a value, as a store keeps it; `place` names the value in messages. A member that is undefined counts
 * as absent. Throws a FlowError `state-not-json` where parsing the text would not give the value back.
 */
export function toJsonText(value: unknown, place: string): string {
  let fault: string | undefined;
  try {
    fault = faultOf(value, place);
    if (fault === undefined) return JSON.stringify(value);
  } catch {
    // The walk has run out of stack.
    fault = `${place} contains itself, or nests too deep`;
  }
  throw new FlowError(
    'state-not-json',
    `${fault}. Keep plain data only: text, finite numbers, true and false, null, lists and objects.`,
  );
}

function faultOf(value: unknown, place: string): string | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : `${place} is ${value}`;
    case 'object':
      return value === null ? undefined : faultWithin(value, place);
    case 'bigint':
    case 'function':
    case 'symbol':
    case 'undefined':
    default:
      return `${place} is of type ${typeof value}`;
  }
}

function faultWithin(value: object, place: string): string | undefined {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const fault = faultOf(value[index], `${place}[${index}]`);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  // The prototype of plain objects is the one that has none; every realm has its own.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return `${place} is an instance of a class`;
  for (const [key, member] of Object.entries(value)) {
    const fault = member === undefined ? undefined : faultOf(member, `${place}.${key}`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
