import type { Draft } from '../draft.ts';
import type { DraftWhen } from '../draft-node.ts';
import type { Source } from '../source.ts';
import { pathOf } from '../template.ts';
import { shortly, plainText } from '../words.ts';

/** Converts an equation condition. Returns undefined and reports it if it cannot be written. */
export function whenOfEquations(draft: Draft, condition: Source): DraftWhen | undefined {
  const isAny = condition.text('operator') === '||';
  const equations = condition.items('equations');
  const parts = equations.map((equation) => whenOfEquation(draft, equation));
  const known = parts.filter((part) => part !== undefined);
  // If all parts must hold, one unknown part makes the condition unusable. If any may hold, the other parts still
  // count.
  if (known.length === 0 || (!isAny && known.length < parts.length)) {
    draft.notes.lost(condition, `a condition that cannot be written here: ${shortly(textOf(condition))}`);
    return undefined;
  }
  const [only] = known;
  return known.length === 1 && only !== undefined ? only : isAny ? { any: known } : { all: known };
}

function textOf(condition: Source): string {
  return condition
    .items('equations')
    .map((equation) => ['left', 'operator', 'right'].map((key) => plainText(equation.at(key).value ?? '')).join(' '))
    .join(condition.at('operator').value === '||' ? ' or ' : ' and ');
}

type Side = { readonly variable: string } | { readonly literal: string } | null;

function whenOfEquation(draft: Draft, equation: Source): DraftWhen | undefined {
  const operator = equation.text('operator') ?? '';
  const left = sideOf(draft, equation.at('left').take());
  const right = sideOf(draft, equation.at('right').take());
  if (left === null || right === null) return undefined;
  if ('variable' in left) return compare(left.variable, operator, right);
  if (!('variable' in right)) return undefined;
  const turned = mirrored.get(operator);
  if (turned !== undefined) return compare(right.variable, turned, left);
  // "a, b, c" contains {{x}} asks whether x is one of the words in a list.
  const words = left.literal.split(/\s*[,;|]\s*/).filter((word) => word !== '');
  if (operator === 'contains' && words.length > 1) return { in: { var: right.variable, values: words } };
  if (operator === 'not_contains' && words.length > 1)
    return orUnknown(right.variable, { not: { in: { var: right.variable, values: words } } });
  return undefined;
}

/** One side: a single variable in braces, or a plain text. A combination is not supported. */
function sideOf(draft: Draft, value: unknown): Side {
  if (value === undefined || value === null) return { literal: '' };
  if (typeof value === 'number' || typeof value === 'boolean') return { literal: plainText(value) };
  if (typeof value !== 'string') return null;
  const inside = /^\s*\{\{\s*([^{}]+?)\s*\}\}\s*$/.exec(value)?.[1];
  if (inside !== undefined) {
    const variable = pathOf(draft, inside);
    return variable === undefined ? null : { variable };
  }
  return value.includes('{{') ? null : { literal: value };
}

const mirrored: ReadonlyMap<string, string> = new Map([
  ['==', '=='],
  ['!=', '!='],
  ['>', '<'],
  ['<', '>'],
  ['>=', '<='],
  ['<=', '>='],
]);

function compare(name: string, operator: string, right: Exclude<Side, null>): DraftWhen | undefined {
  const value = 'variable' in right ? { var: right.variable } : right.literal;
  const order = 'variable' in right ? value : numberOr(right.literal);
  switch (operator) {
    case '==':
      return value === '' ? { not: { exists: { var: name } } } : { equals: { var: name, value } };
    case '!=':
      // In Retell, an unset variable is not a text either.
      return value === '' ? { exists: { var: name } } : orUnknown(name, { not_equals: { var: name, value } });
    case '>':
      return { greater: { var: name, value: order } };
    case '<':
      return { less: { var: name, value: order } };
    case '>=':
      return { at_least: { var: name, value: order } };
    case '<=':
      return { at_most: { var: name, value: order } };
    case 'contains':
      return { contains: { var: name, value } };
    case 'not_contains':
      return orUnknown(name, { not: { contains: { var: name, value } } });
    case 'exists':
    case 'exist':
      return { exists: { var: name } };
    case 'not_exist':
    case 'not_exists':
      return { not: { exists: { var: name } } };
    default:
      return undefined;
  }
}

function orUnknown(name: string, when: DraftWhen): DraftWhen {
  return { any: [when, { not: { exists: { var: name } } }] };
}

/** Only comparison signs such as < compare texts as numbers. */
function numberOr(text: string): number | string {
  return /^\s*-?\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : text;
}
