import { isList, ownValue } from '../../expression/own-value.ts';
import { scalarText } from '../../expression/same-value.ts';
import { isTerm, termKey } from '../../expression/term.ts';
import type { When } from '../../expression/when.ts';
import { snakeCase } from '../../document/problems/schema-shape.ts';

/** Returns a condition in readable form: `reason = pain and visit.time exists`. */
export function whenText(when: When): string {
  if (when.all !== undefined) return when.all.map(inParts).join(' and ');
  if (when.any !== undefined) return when.any.map(inParts).join(' or ');
  if (when.not !== undefined) return `not ${inParts(when.not)}`;
  if (when.exists !== undefined) return `${when.exists.var} exists`;
  if (when.in !== undefined)
    return `${leftText(when.in)} in ${(when.in.values ?? when.in.value ?? []).map(valueText).join(', ')}`;
  for (const [operator, sign] of SIGNS) {
    const operand = when[operator];
    if (operand !== undefined) return `${leftText(operand)} ${sign} ${valueText(operand.value)}`;
  }
  return '';
}

const SIGNS = [
  ['equals', '='],
  ['notEquals', '≠'],
  ['greater', '>'],
  ['less', '<'],
  ['atLeast', '≥'],
  ['atMost', '≤'],
  ['contains', 'contains'],
  ['matches', '~'],
] as const satisfies readonly (readonly [keyof When, string])[];

function inParts(when: When): string {
  const hasParts = (when.all ?? when.any ?? []).length > 1;
  return hasParts ? `(${whenText(when)})` : whenText(when);
}

function leftText(operand: object): string {
  const key = termKey(operand);
  return key === undefined ? '' : termText(key, ownValue(operand, key));
}

/** Returns a computed value, as in `days_between(arrive, leave)`. */
function termText(key: string, given: unknown): string {
  const parts = isList(given) ? given.map(valueText).join(', ') : valueText(given);
  return key === 'var' ? parts : `${snakeCase(key)}(${parts})`;
}

function valueText(value: unknown): string {
  const key = isTerm(value) ? termKey(value) : undefined;
  if (key !== undefined) return termText(key, ownValue(value, key));
  return scalarText(value) ?? (isList(value) ? '[…]' : value === null ? 'null' : '{…}');
}
