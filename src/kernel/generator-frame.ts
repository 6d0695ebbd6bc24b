import type { Effect, EffectKey } from '../events/effect.ts';
import type { GeneratorAnswer, QuestionYield } from '../events/generator-yield.ts';
import { type Draft, intend, openEffect, openOfKind, settle } from './draft.ts';
import type { GeneratorFrame, SessionState } from './state.ts';

/** Lets the generator run on with an answer; without one it runs up to the recorded step, and from its start if none. */
export function advance(draft: Draft, answer: GeneratorAnswer | null): void {
  const { generator } = draft.state;
  if (generator === null) return;
  const { run, step } = generator;
  intend(draft, { kind: 'advance', payload: { run, step, answer } });
}

/** Settles a step of the generator, and gives its frame; null where nobody waits for it. */
export function settleAdvance(draft: Draft, key: EffectKey, outcome: Effect['state']): GeneratorFrame | null {
  const { state } = draft;
  const effect = openEffect(state, key);
  if (effect?.kind !== 'advance' || state.generator === null) return null;
  settle(draft, effect, outcome);
  return state.generator;
}

/** What a generator waits for is there, and it runs on with that, unless it is at work. */
export function goOnWaiting(draft: Draft): void {
  const { state } = draft;
  const last = state.generator?.lastYield ?? null;
  if (last?.type !== 'wait' || openOfKind(state, 'advance') !== undefined) return;
  if (Object.hasOwn(state.outputs, last.key)) advance(draft, { value: state.outputs[last.key] ?? null, inbound: null });
}

/** Replaces members of the frame. */
export function changeFrame(draft: Draft, members: Partial<GeneratorFrame>): void {
  const { state } = draft;
  if (state.generator !== null) state.generator = { ...state.generator, ...members };
}

/** Speaks a question, and waits for its answer. */
export function ask(draft: Draft, question: QuestionYield, text: string): void {
  const key = intend(draft, { kind: 'say', payload: { text, reason: 'ask' } });
  draft.state.pendingAskKey = question.key;
  changeFrame(draft, { question: { key, unheard: false } });
}

/** The question that waits for an answer; null where the generator is at work, or did not ask. */
export function openQuestion({ state }: Draft): QuestionYield | null {
  return questionOf(state);
}

/** The question of a generator that waits for an answer; null where there is none. */
export function questionOf(state: SessionState): QuestionYield | null {
  const last = state.generator?.lastYield ?? null;
  const waits = state.status === 'active' && openOfKind(state, 'advance') === undefined;
  return last?.type === 'ask' && waits ? last : null;
}
