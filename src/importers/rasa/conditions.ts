import { readCondition } from '../condition-text.ts';
import { type Comparing, whenOfTree } from '../condition-when.ts';
import type { Draft } from '../draft.ts';
import type { DraftWhen } from '../draft-node.ts';
import type { SourcePlace } from '../source.ts';
import { shortly } from '../words.ts';

/** Converts a condition of a Rasa flow. Returns undefined and reports it if it cannot be written. */
export function whenOfRasa(
  draft: Draft,
  condition: unknown,
  place: SourcePlace,
  isSlot: (name: string) => boolean,
): DraftWhen | 'always' | 'never' | undefined {
  if (typeof condition === 'boolean') return condition ? 'always' : 'never';
  const text = typeof condition === 'string' ? condition : '';
  const tree = readCondition(text, {
    wordOperators: ['is not', 'is', 'contains', 'matches', 'not contains', 'not matches'],
    nothing: ['null', 'none', 'undefined', 'empty'],
    bindsFromRight: false,
    bareIsText: (word) => !/^(?:slots|context)\./.test(word) && !isSlot(word),
  });
  const when =
    tree === undefined
      ? undefined
      : whenOfTree(tree, {
          path: (name) => (name.startsWith('context.') ? undefined : draft.name(name.replace(/^slots\./, ''), 'read')),
          operator: (operator) => operators[operator],
          unsetDiffers: true,
        });
  if (when === undefined) draft.notes.lost(place, `a condition that cannot be written here: ${shortly(text)}`);
  return when;
}

/** The slots that a condition reads. */
export function slotsIn(condition: unknown): readonly string[] {
  if (typeof condition !== 'string') return [];
  return [...condition.matchAll(/\bslots\.([\w-]+)/g)].map(([, name = '']) => name);
}

const operators: Readonly<Record<string, Comparing>> = {
  '=': 'equals',
  '==': 'equals',
  is: 'equals',
  '!=': 'not_equals',
  'is not': 'not_equals',
  '>': 'greater',
  '>=': 'at_least',
  '<': 'less',
  '<=': 'at_most',
  contains: 'contains',
  'not contains': 'not_contains',
  matches: 'matches',
  'not matches': 'not_matches',
};
