import { scalarText } from '../../expression/same-value.ts';
import type { When } from '../../expression/when.ts';

/** The same text for conditions that are written alike; as in conditions, `true` and "true" are the same. */
export function conditionKey(when: When): string {
  // The schema has put the keys into its own order.
  return JSON.stringify(when, (_key, part: unknown) => scalarText(part) ?? part);
}

/** Whether two of these conditions are each other's opposite, so that one of all of them holds. */
export function hasOpposites(whens: readonly When[]): boolean {
  const keys = new Set(whens.map(conditionKey));
  return whens.some((when) => oppositesOf(when).some((opposite) => keys.has(conditionKey(opposite))));
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
