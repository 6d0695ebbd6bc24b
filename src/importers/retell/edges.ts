import type { Draft } from '../draft.ts';
import { isRecord } from '../pipecat/rewrite.ts';
import type { Exit } from '../router.ts';
import type { Source } from '../source.ts';
import { templateText } from '../template.ts';
import { shortly, plainText } from '../words.ts';
import { whenOfEquations } from './equations.ts';

/** Returns where an edge leads. If it leads nowhere, returns undefined and reports it. */
export type Resolve = (edge: Source) => string | undefined;

/** The exits of a node, in the order of its edges. Edges that lead nowhere are reported and left out. */
export function waysOf(draft: Draft, edges: readonly Source[], resolve: Resolve): readonly Exit[] {
  return edges.flatMap((edge) => wayOf(draft, edge, resolve));
}

/** The edges of a node: its exits, and the edges whose words are the vendor's own for "in every case". */
export function edgesOf(
  draft: Draft,
  edges: readonly Source[],
  resolve: Resolve,
): { readonly ways: readonly Exit[]; readonly always?: string; readonly skip?: string } {
  let always: string | undefined;
  let skip: string | undefined;
  const ways = edges.flatMap((edge): readonly Exit[] => {
    const words = magicOf(edge);
    if (words === undefined) return wayOf(draft, edge, resolve);
    const { onward } = specialEdge(draft, edge, resolve);
    if (words === 'skip response') skip ??= onward;
    else always ??= onward;
    return [];
  });
  return { ways, ...(always === undefined ? {} : { always }), ...(skip === undefined ? {} : { skip }) };
}

/** The words of an edge that is always taken, or undefined for every other edge. */
function magicOf(edge: Source): string | undefined {
  const condition = conditionOf(edge);
  const text = typeof condition?.value === 'string' ? condition.value : condition?.at('prompt').value;
  const words = typeof text === 'string' ? text.trim().toLowerCase().replace(/\.$/, '') : '';
  return ['always', 'else', 'skip response'].includes(words) ? words : undefined;
}

/** The exit of one edge. None if it leads nowhere or its condition cannot be written. */
function wayOf(draft: Draft, edge: Source, resolve: Resolve): readonly Exit[] {
  edge.at('id').take();
  const to = resolve(edge);
  const condition = conditionOf(edge);
  if (to === undefined) {
    condition?.take();
    return [];
  }
  if (condition === undefined) {
    draft.notes.changed(edge, 'an edge without a condition is taken whatever the caller says');
    return [{ kind: 'words', words: 'The caller has answered.', to, place: edge }];
  }
  if (typeof condition.value === 'string') {
    const words = templateText(draft, plainText(condition.take()), condition);
    return [{ kind: 'words', words, to, place: edge }];
  }
  const type = condition.text('type') ?? (condition.has('equations') ? 'equation' : 'prompt');
  if (type === 'equation') {
    const when = whenOfEquations(draft, condition);
    return when === undefined ? [] : [{ kind: 'when', when, to, place: edge }];
  }
  const prompt = condition.text('prompt');
  if (prompt === undefined) draft.notes.changed(edge, 'an edge without words is described by where it leads');
  const words = prompt === undefined ? `Goes on to ${to}.` : templateText(draft, prompt, condition);
  return [{ kind: 'words', words, to, place: edge }];
}

/** Newer files have `transition_condition`. Older files have `condition`, which newer files keep as a label. */
function conditionOf(edge: Source): Source | undefined {
  const label = edge.at('condition');
  const condition = edge.at('transition_condition');
  const isGiven = typeof condition.value === 'string' ? condition.value.trim() !== '' : isRecord(condition.value);
  if (isGiven) {
    label.take();
    return condition;
  }
  const isLabel = typeof label.value === 'string' ? label.value.trim() !== '' : isRecord(label.value);
  return isLabel ? label : undefined;
}

/** A special edge: where it leads in every case, and the exit that its own condition makes. */
export interface SpecialEdge {
  readonly onward?: string;
  readonly ways: readonly Exit[];
}

/**
 * Reads `else_edge`, `always_edge` and similar edges. A prompt there is only a label. An equation is a real condition.
 */
export function specialEdge(draft: Draft, edge: Source, resolve: Resolve): SpecialEdge {
  if (!isRecord(edge.value)) return { ways: [] };
  edge.at('id').take();
  const to = resolve(edge);
  const condition = conditionOf(edge);
  if (to === undefined) {
    condition?.take();
    return { ways: [] };
  }
  if (condition !== undefined && isRecord(condition.value) && condition.at('type').value === 'equation') {
    condition.text('type');
    const when = whenOfEquations(draft, condition);
    return { ways: when === undefined ? [] : [{ kind: 'when', when, to, place: edge }] };
  }
  condition?.take();
  return { onward: to, ways: [] };
}

/** Reports that an edge that leads nowhere was left out. */
export function tellNowhere(draft: Draft, edge: Source, to: string | undefined): void {
  draft.notes.lost(
    edge,
    to === undefined
      ? 'an edge that leads nowhere was left out'
      : `an edge to ${JSON.stringify(shortly(to))}, which is not in the file, was left out`,
  );
}
