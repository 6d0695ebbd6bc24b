import type { Path } from '../../expression/path.ts';
import { scalarText } from '../../expression/same-value.ts';
import { compileWhen, type When } from '../../expression/when.ts';

/** Returns the same text for equal conditions. As in conditions, `true` and "true" are equal. */
export function conditionKey(when: When): string {
  // The schema has normalized the order of keys.
  return JSON.stringify(when, (_key, part: unknown) => scalarText(part) ?? part);
}

/**
 * Checks whether two of these conditions are opposites, so that one of them always holds. A comparison with a possibly
 * unknown value can be unknown, and so can its opposite.
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
    // Not strictly opposites, but a value compared with true is a boolean.
    return scalarText(equals.value) === 'true' ? [notEquals, { equals: { ...equals, value: false } }] : [notEquals];
  }
  if (greater !== undefined) return [{ atMost: greater }];
  return less === undefined ? [] : [{ atLeast: less }];
}
