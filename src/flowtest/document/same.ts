import { sameValue } from '../../flow/expression/same-value.ts';
import { isRecord } from '../../model/json.ts';

/** Checks whether every part of the wanted value is in the found value: maps may have more keys, lists may not. */
export function isSubset(wanted: unknown, found: unknown): boolean {
  if (isRecord(wanted))
    return (
      isRecord(found) &&
      Object.entries(wanted).every(([key, value]) => Object.hasOwn(found, key) && isSubset(value, found[key]))
    );
  if (Array.isArray(wanted))
    return (
      Array.isArray(found) &&
      wanted.length === found.length &&
      wanted.every((one, index) => isSubset(one, found[index]))
    );
  return sameValue(wanted, found);
}
