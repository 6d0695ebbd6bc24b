import { type Diagnostic, type DocumentPath, formatPath } from '../../document/problems/diagnostic.ts';
import { isThere, valueAt } from './part-at.ts';
import { spellLike } from './positions.ts';
import type { RemovedPart } from '../problems/repair.ts';

/** A value in the author's spelling, and the path of each of its parts in the file. */
interface Authored {
  readonly value: unknown;
  origin(path: DocumentPath): DocumentPath;
}

/**
 * The key that a reading error has removed from a value, if any. A value that could not be read is `undefined` in it.
 * Returns undefined if it may be any key.
 */
export function lostBy(
  { code, path }: Diagnostic,
  value: unknown,
  imported: Authored,
): readonly RemovedPart[] | undefined {
  // A map with a key that is not a text is such a value.
  if (code === 'invalid-key' && path.length === 0) return [];
  const place = spellLike(value, path);
  if (isThere(value, place) && valueAt(value, place) === undefined) return [];
  const back = imported.origin(spellLike(imported.value, place));
  if (path.length === 0 || formatPath(back) !== formatPath(path)) return undefined;
  return [{ path: place, unknown: path.length === 1 ? place : place.slice(0, -1) }];
}
