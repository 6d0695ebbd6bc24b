import { readCondition } from '../condition-text.ts';
import { type Comparing, whenOfTree } from '../condition-when.ts';
import type { Draft } from '../draft.ts';
import type { DraftWhen } from '../draft-node.ts';
import type { SourcePlace } from '../source.ts';
import { shortly } from '../words.ts';

/** Names of parameters. Dialogflow ignores their case. */
export interface ParameterNames {
  /** Returns our name for a parameter. */
  name(theirs: string): string;
  /** Returns our path for a reference such as `$session.params.code`, or undefined if it is not a reference. */
  path(reference: string): string | undefined;
  /** Converts a text with references to one of ours. */
  text(text: string, place: SourcePlace): string;
  /** Converts a condition. `isComplete` is true if the form of its page is complete when the condition is evaluated. */
  when(text: string, place: SourcePlace, isComplete: boolean): DraftWhen | 'always' | 'never' | undefined;
}

export function createParameterNames(draft: Draft): ParameterNames {
  const spellings = new Map<string, string>();
  const name = (theirs: string): string => {
    const key = theirs.toLowerCase();
    const known = spellings.get(key) ?? theirs;
    spellings.set(key, known);
    // Anything may set a parameter during a session.
    return draft.name(known, 'set');
  };
  const path = (reference: string): string | undefined => {
    const match =
      /^\$(?:session\.params|page\.params|flow(?:\.params)?|intent\.params|request\.payload)\.([\p{L}_][\p{L}\p{N}_-]*)((?:\.[\p{L}\p{N}_-]+)*)$/u.exec(
        reference,
      );
    if (match === null) return undefined;
    const [, first = '', rest = ''] = match;
    const parts = rest.split('.').filter((part) => part !== '' && !['original', 'resolved'].includes(part));
    return [name(first), ...parts].join('.');
  };
  return {
    name,
    path,
    text(text, place) {
      return text
        .replaceAll('{{', '\\{{')
        .replaceAll(/\$(?:session|page|flow|intent|request|sys)\.[\p{L}\p{N}_.-]*[\p{L}\p{N}_]/gu, (reference) => {
          const ours = path(reference);
          if (ours !== undefined) return `{{ ${ours} }}`;
          draft.notes.changed(place, `${shortly(reference)} computes a value: its words stand there instead`);
          return reference.replace(/^\$/, '');
        });
    },
    when(text, place, isComplete) {
      const tree = readCondition(text, {
        wordOperators: [],
        nothing: ['null'],
        bindsFromRight: false,
        bareIsText: (word) => !word.startsWith('$'),
      });
      const when =
        tree === undefined
          ? undefined
          : whenOfTree(tree, {
              path,
              operator: (operator) => operators[operator],
              unsetDiffers: true,
              special(left, operator, right) {
                if (left.kind !== 'name' || !/^\$page\.params\.status$/i.test(left.name)) return undefined;
                const isFinal = right.kind === 'value' && right.value === 'FINAL';
                if (operator !== '=' && operator !== '!=') return undefined;
                return isFinal === (operator === '=') && isComplete ? 'always' : 'never';
              },
            });
      if (when === undefined) draft.notes.lost(place, `a condition that cannot be written here: ${shortly(text)}`);
      return when;
    },
  };
}

const operators: Readonly<Record<string, Comparing>> = {
  '=': 'equals',
  '!=': 'not_equals',
  '>': 'greater',
  '>=': 'at_least',
  '<': 'less',
  '<=': 'at_most',
  ':': 'contains',
};
