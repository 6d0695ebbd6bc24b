import { isList } from '../expression/own-value.ts';
import { scalarText } from '../expression/same-value.ts';
import type { When } from '../expression/when.ts';

/** A condition as a person would write it: `reason = pain and visit.time exists`. */
export function whenText(when: When): string {
  if (when.all !== undefined) return when.all.map(inParts).join(' and ');
  if (when.any !== undefined) return when.any.map(inParts).join(' or ');
  if (when.not !== undefined) return `not ${inParts(when.not)}`;
  if (when.exists !== undefined) return `${when.exists.var} exists`;
  if (when.in !== undefined)
    return `${when.in.var} in ${(when.in.values ?? when.in.value ?? []).map(valueText).join(', ')}`;
  for (const [operator, sign] of SIGNS) {
    const operand = when[operator];
    if (operand !== undefined) return `${operand.var} ${sign} ${valueText(operand.value)}`;
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

function valueText(value: unknown): string {
  return scalarText(value) ?? (isList(value) ? '[…]' : value === null ? 'null' : '{…}');
}
