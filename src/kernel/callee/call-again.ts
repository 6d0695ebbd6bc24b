import type { Answerer } from '../../model/callee.ts';
import type { EntryCorrelation } from '../../model/inbox.ts';
import { type Draft, emit } from '../state/draft.ts';
import type { Callee } from '../state/people.ts';

/** Returns the state of a call that was just answered. */
export function newCallee(flow: string, { callAttempt = 1, messageLeft }: EntryCorrelation = {}): Callee {
  return {
    ...{ who: null, turns: 0, greetings: 0, replies: 0, waitsSince: null, isLeaving: false },
    ...{ flow, attempt: callAttempt, hasMessage: messageLeft === true },
  };
}

/** Reports that the call is repeated, if the flow allows another attempt. */
export function noteRetry(draft: Draft): void {
  const { callee } = draft.state.people;
  const again = draft.graph.callee?.again ?? null;
  if (callee === null || again === null || callee.attempt > again.times) return;
  emit(draft, { type: 'callee:again', data: { attempt: callee.attempt + 1, afterMs: again.afterMs } });
}

/**
 * Returns the outcome of a call that the other side ended before a person was on the line, and reports the next attempt;
 * null for any other conversation.
 */
export function unansweredOutcome(draft: Draft): Exclude<Answerer, 'person'> | null {
  const { callee } = draft.state.people;
  if (callee === null || callee.who === 'person') return null;
  noteRetry(draft);
  return callee.who ?? 'nobody';
}
