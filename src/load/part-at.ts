import type { DocumentPath, PathSegment } from '../flow/diagnostic.ts';

/** The own part of a value at a path; `undefined` where there is none. */
export function valueAt(value: unknown, path: DocumentPath): unknown {
  let current = value;
  for (const segment of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, segment)) return undefined;
    current = (current as Readonly<Record<PathSegment, unknown>>)[segment]; // It has this member.
  }
  return current;
}

/** Whether there is a part at a path, though it be `undefined`. */
export function isThere(value: unknown, path: DocumentPath): boolean {
  const last = path.at(-1);
  if (last === undefined) return true;
  const owner = valueAt(value, path.slice(0, -1));
  return typeof owner === 'object' && owner !== null && Object.hasOwn(owner, last);
}
