import type { Confirmation } from '../../model/effect.ts';
import type { BatchSettled } from '../../model/signals/signal.ts';
import type { Arrival } from '../answer.ts';
import { adoptCorrected, retakenWay } from './decisions.ts';
import { type Draft, emit } from '../state/draft.ts';
import { travel } from './travel.ts';
import { cancelWaits } from '../wait/waits.ts';
import type { Move } from './ways-out.ts';

/**
 * Follows a decision that a corrected slot has changed. Other requested moves are dropped. Returns whether there was
 * one.
 */
export function retake(draft: Draft, wait: Confirmation | undefined, move: Move | null, batch: BatchSettled): boolean {
  // A function that takes the corrected value and moves is the author's way to handle it.
  const called = batch.calls.find(({ name }) => name === move?.function);
  if (called !== undefined) adoptCorrected(draft, Object.keys(called.arguments));
  const way = retakenWay(draft);
  if (way === null) return false;
  if (move?.function !== undefined)
    emit(draft, { type: 'transition:dropped', data: { to: move.to, function: move.function, reason: 'corrected' } });
  if (wait !== undefined || draft.state.dialogue.confirmations.length > 0) cancelWaits(draft);
  travel(draft, way, arrivalBehind(batch));
  return true;
}

/** Returns the arrival after a reply: a reply with a question ends the agent's turn, a plain acknowledgement does not. */
export function arrivalBehind({ text, asks }: BatchSettled): Arrival {
  if (text === '' || asks === false) return 'answer';
  return asks === undefined ? 'spoken' : 'asked';
}
