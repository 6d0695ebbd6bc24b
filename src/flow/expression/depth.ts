import { isList, isPlainObject, ownValue } from './own-value.ts';

/**
 * Checks whether arrays and plain objects nest deeper than `limit` levels (a scalar has none, `[]` has one), so
 * recursion is unsafe. Also true for cycles, and for over a million values (shared parts count each time).
 */
export function tooDeep(value: unknown, limit: number): boolean {
  let budget = MAX_VALUES;
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: unknown[] = [];
    for (const item of level) {
      const parts = partsOf(item);
      if (parts === undefined) continue;
      budget -= parts.length;
      if (depth >= limit || budget < 0) return true;
      for (const part of parts) next.push(part);
    }
    level = next;
  }
  return false;
}

const MAX_VALUES = 1_000_000;

function partsOf(value: unknown): readonly unknown[] | undefined {
  if (isList(value)) return value;
  return isPlainObject(value) ? Object.keys(value).map((key) => ownValue(value, key)) : undefined;
}
