import type { DocumentPath, PathSegment } from '../../document/problems/diagnostic.ts';

/** Returns the own member of a value at a path, or `undefined`. */
export function valueAt(value: unknown, path: DocumentPath): unknown {
  let current = value;
  for (const segment of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, segment)) return undefined;
    current = (current as Readonly<Record<PathSegment, unknown>>)[segment]; // It has this member.
  }
  return current;
}

/** Checks whether a path exists, even if its value is `undefined`. */
export function isThere(value: unknown, path: DocumentPath): boolean {
  const last = path.at(-1);
  if (last === undefined) return true;
  const owner = valueAt(value, path.slice(0, -1));
  return typeof owner === 'object' && owner !== null && Object.hasOwn(owner, last);
}
