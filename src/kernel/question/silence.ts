import { type EffectKind, kindsThat } from '../../model/effect.ts';
import type { SilenceElapsed } from '../../model/signals/signal.ts';
import type { Graph } from '../../flow/graph/graph.ts';
import { calleeSilenceMs, isScreening, takeCalleeSilence } from '../callee/callee.ts';
import { beginForPerson } from '../lifecycle.ts';
import { isWaitingIn, sayWaitingLine } from '../wait/outside-waits.ts';
import { beginTurn, confirmationIn, createDraft, type Draft, emit, settle } from '../state/draft.ts';
import { askAgain } from './ladder.ts';
import { ladderRule } from './ladder-rule.ts';
import { nodeOf } from '../move/offers.ts';
import { isPending } from '../call/pending-calls.ts';
import { openQuestionIn } from './open-question.ts';
import type { SessionState } from '../state/state.ts';
import { openTaskQuestion, putTaskQuestionAgain } from '../wait/task-question.ts';

/** Default time that a question waits for the caller, in milliseconds. */
export const defaultNoInputMs = 8_000;

/** Allowed silence of a caller who has asked for time, in milliseconds. */
export const patienceMs = 60_000;

/**
 * Returns the silence in milliseconds after which `silence:elapsed` is due; null if the session does not wait for the
 * caller, or has no limit. `civil` is the session's local time.
 */
export function noInputMsOf(graph: Graph, state: SessionState, civil: string): number | null {
  return waitMs(createDraft(graph, state, { civil, at: 0 }));
}

function waitMs(draft: Draft): number | null {
  const { graph, state } = draft;
  if (state.people.takeover !== null) return null;
  if (isScreening(state)) return calleeSilenceMs(draft);
  const node = state.status === 'active' ? nodeOf(graph, state, state.position.node) : null;
  // The running task waits for the answer itself.
  const isBusy = Object.values(state.effects).some((one) => isComing.has(one.kind) && !isPending(one));
  if (node === null || (isBusy && openTaskQuestion(state) === null)) return null;
  const isWaiting = isWaitingIn(draft, node) && confirmationIn(state) === undefined;
  if (isWaiting && openTaskQuestion(state) === null) return node.interrupt?.company?.everyMs ?? null;
  const ms = ladderRule(draft, node, openQuestionIn(draft, node).slot, 'noInputMs') ?? defaultNoInputMs;
  if (ms === 0) return null;
  return state.dialogue.patience ? Math.max(ms, patienceMs) : ms;
}

/** Effects in progress, during which the caller is not asked. */
const isComing: ReadonlySet<EffectKind> = new Set(kindsThat(({ answers }, kind) => answers && kind !== 'say'));

/** Handles silence, or sound without an understood word: repeats the open question. */
export function takeSilence(draft: Draft, signal: SilenceElapsed): void {
  const { graph, state } = draft;
  if (isScreening(state)) {
    if (takeCalleeSilence(draft, signal) === 'begin') beginForPerson(draft);
    return;
  }
  const node = nodeOf(graph, state, state.position.node);
  if (node === null || waitMs(draft) === null) {
    emit(draft, { type: 'signal:ignored', data: { signal: signal.type, reason: 'stale' } });
    return;
  }
  beginTurn(draft);
  for (const effect of Object.values(state.effects)) if (effect.kind === 'say') settle(draft, effect, 'unknown');
  const cause = signal.unclear === true ? 'no-match' : 'no-input';
  if (openTaskQuestion(state) !== null) putTaskQuestionAgain(draft, node, cause);
  else if (isWaitingIn(draft, node) && confirmationIn(state) === undefined) sayWaitingLine(draft, node);
  else askAgain(draft, node, cause);
}
