import type { LadderCause } from '../../model/events/event.ts';
import type { GraphNode, GraphSlot, LadderRule } from '../../flow/graph/graph.ts';
import type { Draft } from '../state/draft.ts';
import type { LadderState } from '../state/dialogue.ts';

/** Default number of consecutive misses: the question is reworded, then asked with help, then given up. */
export const defaultAttempts = 3;

/** Repetitions of a question per allowed attempt, including asides. */
export const putsPerAttempt = 2;

/** After this many consecutive asides the question is asked in full, with help. */
export const asidesBeforeHelp = 3;

/** A cause that counts as an attempt. */
export type Miss = Exclude<LadderCause, 'aside'>;

/** `early`: a yes before the question was fully heard, which is neither a miss nor an aside. */
export type Again = LadderCause | 'early';

/** Returns the slot's rule, otherwise its node's, otherwise the flow's. */
export function ladderRule<Key extends keyof LadderRule>(
  { graph }: Pick<Draft, 'graph'>,
  node: GraphNode | null,
  slot: GraphSlot | null,
  key: Key,
): LadderRule[Key] {
  return slot?.ladder[key] ?? node?.trouble.ladder[key] ?? graph.trouble.ladder[key];
}

/** Returns the attempts that were spent, for whatever cause. */
export function missesOf({ noMatch, noInput, refused }: LadderState): number {
  return noMatch + noInput + refused;
}
