import type { Effect, EffectKey } from '../../model/effect.ts';
import type { GeneratorAnswer, QuestionYield } from '../../model/signals/generator-yield.ts';
import { type Draft, intend, openEffect, openOfKind, settle } from '../state/draft.ts';
import type { GeneratorFrame } from '../state/position.ts';
import type { SessionState } from '../state/state.ts';

/** Continues the generator with an answer. Without one, it replays the recorded steps, or starts if there are none. */
export function advance(draft: Draft, answer: GeneratorAnswer | null): void {
  const { generator } = draft.state.position;
  if (generator === null) return;
  const { run, step } = generator;
  intend(draft, { kind: 'advance', payload: { run, step, answer } });
}

/** Settles a step of the generator and returns its frame; null if the step is not open. */
export function settleAdvance(draft: Draft, key: EffectKey, outcome: Effect['state']): GeneratorFrame | null {
  const { state } = draft;
  const effect = openEffect(state, key);
  if (effect?.kind !== 'advance' || state.position.generator === null) return null;
  settle(draft, effect, outcome);
  return state.position.generator;
}

/** Continues a generator whose awaited value has arrived, unless it is running. */
export function goOnWaiting(draft: Draft): void {
  const { state } = draft;
  const last = state.position.generator?.lastYield ?? null;
  if (last?.type !== 'wait' || openOfKind(state, 'advance') !== undefined) return;
  if (Object.hasOwn(state.knowledge.outputs, last.key))
    advance(draft, { value: state.knowledge.outputs[last.key] ?? null, inbound: null });
}

/** Replaces members of the frame. */
export function changeFrame(draft: Draft, members: Partial<GeneratorFrame>): void {
  const { state } = draft;
  if (state.position.generator !== null) state.position.generator = { ...state.position.generator, ...members };
}

/** Speaks a question and waits for its answer. */
export function ask(draft: Draft, question: QuestionYield, text: string): void {
  draft.state.dialogue.pendingAskKey = question.key;
  intend(draft, { kind: 'say', payload: { text, reason: 'ask' } });
}

/** Returns the open question; null if the generator is running or did not ask. */
export function openQuestion({ state }: Draft): QuestionYield | null {
  return questionOf(state);
}

/** Returns the open question of a generator; null if there is none. */
export function questionOf(state: SessionState): QuestionYield | null {
  const last = state.position.generator?.lastYield ?? null;
  const waits = state.status === 'active' && openOfKind(state, 'advance') === undefined;
  return last?.type === 'ask' && waits ? last : null;
}
