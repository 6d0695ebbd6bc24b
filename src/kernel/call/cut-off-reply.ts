import type { BatchSettled } from '../../model/signals/signal.ts';
import { saysNothing } from '../dialogue/utterance.ts';
import { type Draft, openEffect } from '../state/draft.ts';

/**
 * Leaves the last words of the caller to the next node if the open reply was cut off before it said or called anything:
 * code of the author may move the conversation while the model thinks.
 */
export function passWordsOn({ state }: Draft, { reply, superseded, text, calls }: BatchSettled): void {
  const isOpen = reply !== null && openEffect(state, reply)?.kind === 'reply';
  if (!isOpen || superseded !== true || text !== '' || calls.length > 0) return;
  const { words } = state.turn;
  if (words !== null && !saysNothing(words.utterance)) state.turn.words = { ...words, isUnheard: true };
}
