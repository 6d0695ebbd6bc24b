import type { Path } from '../../expression/path.ts';
import { scalarText } from '../../expression/same-value.ts';
import { compileWhen, type When } from '../../expression/when.ts';

/** The same text for conditions that are written alike; as in conditions, `true` and "true" are the same. */
export function conditionKey(when: When): string {
  // The schema has put the keys into its own order.
  return JSON.stringify(when, (_key, part: unknown) => scalarText(part) ?? part);
}

/**
 * Whether two of these conditions are each other's opposite, so that one of all of them holds. What compares something that may be
 * unknown may be unknown itself, and then so is its opposite.
 */
export function hasOpposites(whens: readonly When[], isKnown: (name: Path) => boolean): boolean {
  const sure = whens.filter((when) => isDecided(when, isKnown));
  const keys = new Set(sure.map(conditionKey));
  return sure.some((when) => oppositesOf(when).some((opposite) => keys.has(conditionKey(opposite))));
}

function isDecided(when: When, isKnown: (name: Path) => boolean): boolean {
  if (when.exists !== undefined) return true;
  if (when.not !== undefined) return isDecided(when.not, isKnown);
  return compileWhen(when).references.every(({ path }) => isKnown(path));
}

function oppositesOf({ equals, greater, less, not }: When): readonly When[] {
  if (not !== undefined) return [not];
  if (equals !== undefined) {
    const notEquals: When = { notEquals: equals };
    // Not strictly opposites, but what is compared with true is a boolean.
    return scalarText(equals.value) === 'true' ? [notEquals, { equals: { ...equals, value: false } }] : [notEquals];
  }
  if (greater !== undefined) return [{ atMost: greater }];
  return less === undefined ? [] : [{ atLeast: less }];
}
