import { ownValue } from './own-value.ts';

/** Segments of a dotted name: `items.0.name` is `['items', '0', 'name']`. */
export type Path = readonly string[];

/**
 * Resolves the first segment of a path. The rest may decide between two values. Undefined means that the name is
 * unknown.
 */
export type Lookup = (name: string, rest?: Path) => unknown;

/**
 * Parses a dotted name; undefined if the text is not a name. Names may use letters of any language; ids may contain
 * hyphens.
 */
export function parsePath(text: string): Path | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const [first = '', ...rest] = text.split('.');
  if (!NAME.test(first)) return undefined;
  return rest.every((segment) => NAME.test(segment) || DIGITS.test(segment)) ? [first, ...rest] : undefined;
}

/** Follows a path through own values of plain objects and array items; undefined if it leads nowhere. */
export function resolvePath(path: Path, lookup: Lookup): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return undefined;
  return rest.reduce<unknown>(ownValue, lookup(first, rest));
}

const MAX_LENGTH = 1_000;
const NAME = /^[\p{L}_][\p{L}\p{M}\p{N}_-]*$/u;
const DIGITS = /^\d+$/;
