import { ownValue } from './own-value.ts';
import type { Lookup } from './path.ts';

/** The plural forms of CLDR, which a reference to a number may end in: `{{ guests.one }}`. */
export const pluralForms: ReadonlySet<string> = new Set(['zero', 'one', 'two', 'few', 'many', 'other']);

/**
 * Adds the plural forms of numbers to a lookup: `guests.one` is the value of `guests` if `formOf` returns this form for
 * it, otherwise it is unknown. An own field of that name has priority.
 */
export function withPluralForms(formOf: (number: number) => string, lookup: Lookup): Lookup {
  return (name, rest = []) => {
    const value = lookup(name, rest);
    const form = rest.at(-1);
    if (form === undefined || !pluralForms.has(form)) return value;
    if (rest.reduce<unknown>(ownValue, value) !== undefined) return value;
    const path = rest.slice(0, -1);
    const number = path.reduce<unknown>(ownValue, lookup(name, path));
    const count = countOf(number);
    return count !== undefined && formOf(count) === form ? rest.reduceRight<unknown>(nested, number) : value;
  };
}

function nested(value: unknown, key: string): unknown {
  return { [key]: value };
}

/** Returns a number, also one in its spoken form; undefined for other values. */
function countOf(value: unknown): number | undefined {
  const isWritten = typeof value === 'string' && /^\d{1,15}(?:[.,]\d{1,9})?$/.test(value);
  const number = isWritten ? Number(value.replace(',', '.')) : value;
  return typeof number === 'number' ? number : undefined;
}
