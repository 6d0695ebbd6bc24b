import { compareOrder } from './order.ts';
import { isList } from './own-value.ts';
import { sameValue, scalarText } from './same-value.ts';

/** True, false, or undefined for unknown. */
export type Truth = boolean | undefined;

/**
 * Compares two values. Undefined is unknown. Null means that there is no value: a comparison with it is unknown too,
 * unless the other side asks for null.
 */
export type Comparison = (value: unknown, expected: unknown) => Truth;

/** The comparisons by operator name. */
export const comparisons = {
  equals,
  notEquals: (value, expected) => not(equals(value, expected)),
  greater: ordered((order) => order > 0),
  less: ordered((order) => order < 0),
  atLeast: ordered((order) => order >= 0),
  atMost: ordered((order) => order <= 0),
  contains(whole, part) {
    if (part === undefined || isNothing(whole)) return undefined;
    if (isList(whole)) return whole.some((item) => sameValue(item, part));
    const [text, piece] = [scalarText(whole), scalarText(part)];
    return text === undefined || piece === undefined ? undefined : text.includes(piece);
  },
  exists: (value) => value !== undefined && value !== null && value !== '',
  in(value, expected) {
    if (!isList(expected) || value === undefined) return undefined;
    if (value === null) return expected.includes(null) ? true : undefined;
    return expected.some((item) => sameValue(value, item));
  },
} as const satisfies Readonly<Record<string, Comparison>>;

/** Negates a truth value; unknown stays unknown. */
export function not(truth: Truth): Truth {
  return truth === undefined ? undefined : !truth;
}

/** False if any is false, otherwise unknown if any is unknown, otherwise true. */
export function every<Part>(parts: readonly Part[], truthOf: (part: Part) => Truth): Truth {
  let all: Truth = true;
  for (const part of parts) {
    const truth = truthOf(part);
    if (truth === false) return false;
    all &&= truth;
  }
  return all;
}

/** True if any is true, otherwise unknown if any is unknown, otherwise false. */
export function some<Part>(parts: readonly Part[], truthOf: (part: Part) => Truth): Truth {
  let any: Truth = false;
  for (const part of parts) {
    const truth = truthOf(part);
    if (truth === true) return true;
    if (truth === undefined) any = undefined;
  }
  return any;
}

function equals(value: unknown, expected: unknown): Truth {
  if (value === undefined || expected === undefined) return undefined;
  if (value === null && expected === null) return true;
  // A known value answers the question whether there is none.
  if (expected === null) return false;
  return value === null ? undefined : sameValue(value, expected);
}

function ordered(holds: (order: number) => boolean): Comparison {
  return (value, expected) => {
    const order = compareOrder(value, expected);
    return Number.isNaN(order) ? undefined : holds(order);
  };
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}
