import { isList, isPlainObject, ownValue } from './own-value.ts';

/**
 * Checks whether two values are the same for an author. Texts, numbers and booleans compare by canonical text (`true`
 * and `"true"`, 1 and `"1"`, but not 1 and `"01"` or `true` and 1); arrays and plain objects by their parts; null only
 * with null; undefined only with itself. Values with over a hundred thousand parts are the same only if identical,
 * which also bounds cycles.
 */
export function sameValue(left: unknown, right: unknown): boolean {
  const pending: [unknown, unknown][] = [[left, right]];
  let budget = MAX_PARTS;
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [a, b] = pair;
    if (a === b) continue;
    const text = scalarText(a);
    if (text !== undefined) {
      if (text !== scalarText(b)) return false;
    } else if (isList(a) && isList(b)) {
      budget -= a.length;
      if (a.length !== b.length || budget < 0) return false;
      for (let index = 0; index < a.length; index += 1) pending.push([a[index], b[index]]);
    } else if (isPlainObject(a) && isPlainObject(b)) {
      const keys = Object.keys(a);
      budget -= keys.length;
      if (keys.length !== Object.keys(b).length || budget < 0) return false;
      for (const key of keys) {
        if (!Object.hasOwn(b, key)) return false;
        pending.push([ownValue(a, key), ownValue(b, key)]);
      }
    } else return false;
  }
  return true;
}

/** Returns the canonical text of a string, number or boolean; undefined for other values. */
export function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
    ? String(value)
    : undefined;
}

const MAX_PARTS = 100_000;

/** Checks whether two values are the same words, apart from case. */
export function isSameText(one: unknown, other: unknown): boolean {
  return typeof one === 'string' && typeof other === 'string' && plain(one) === plain(other);
}

function plain(text: string): string {
  return text.trim().toLowerCase();
}
