import { readCondition } from '../condition-text.ts';
import { type Comparing, whenOfTree } from '../condition-when.ts';
import type { Draft } from '../draft.ts';
import type { DraftWhen } from '../draft-node.ts';
import { type BracesRead, pathOf, plainName } from '../template.ts';

/** Reads the text between two braces of Liquid: a name, or a name with filters, which are left out. */
export function liquidBraces(inside: string): BracesRead {
  const [first = '', ...filters] = inside.split('|').map((part) => part.trim());
  if (/^["'](?:now|today)["']$/.test(first)) return { name: 'current_time', left: 'the time is given from outside' };
  const name = builtIns.get(first) ?? plainName(first.replaceAll('$[', '[').replace(/^\$\.?/, '')).name;
  if (name === undefined) return {};
  return filters.length === 0
    ? { name }
    : { name, left: `its filters (${filters.join(' | ')}) are left out: let a function prepare the value` };
}

/** Names for the current time, which are given from outside: our texts do not know the time. */
const builtIns: ReadonlyMap<string, string> = new Map(
  ['now', 'date', 'time', 'month', 'day', 'year'].map((name) => [name, `current_${name === 'now' ? 'time' : name}`]),
);

/** Converts a condition of Liquid. Returns undefined if it cannot be written. */
export function whenOfLiquid(draft: Draft, text: string): DraftWhen | 'always' | 'never' | undefined {
  const tag =
    /^\s*\{%-?\s*if\s+(.+?)\s*-?%\}\s*(?:true|yes|1)\s*(?:\{%-?\s*else\s*-?%\}\s*(?:false|no|0)?\s*)?\{%-?\s*endif\s*-?%\}\s*$/is.exec(
      text,
    );
  const output = /^\s*\{\{-?\s*(.+?)\s*-?\}\}\s*$/s.exec(text);
  const inside = tag?.[1] ?? output?.[1] ?? text;
  if (inside.includes('|') || inside.includes('{{') || inside.includes('{%')) return undefined;
  const tree = readCondition(inside, {
    wordOperators: ['contains'],
    nothing: ['nil', 'null', 'blank', 'empty'],
    bindsFromRight: true,
    bareIsText: () => false,
  });
  if (tree === undefined) return undefined;
  return whenOfTree(tree, {
    path: (name) => pathOf(draft, name),
    operator: (operator) => operators[operator],
    unsetDiffers: true,
  });
}

const operators: Readonly<Record<string, Comparing>> = {
  '==': 'equals',
  '=': 'equals',
  '!=': 'not_equals',
  '<>': 'not_equals',
  '>': 'greater',
  '<': 'less',
  '>=': 'at_least',
  '<=': 'at_most',
  contains: 'contains',
};
