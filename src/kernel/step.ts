import type { Effect } from '../model/effect.ts';
import type { FlowFact } from '../model/events/event.ts';
import type { Signal } from '../model/signals/signal.ts';
import type { SpokenValue } from '../model/signals/signal-of.ts';
import { utcTime } from '../flow/expression/moment.ts';
import type { Graph } from '../flow/graph/graph.ts';
import { settleBatch } from './call/batch.ts';
import { createDraft, type Draft, emit } from './state/draft.ts';
import { takeYields } from './generator/generator.ts';
import { refuseAnswer } from './generator/answer.ts';
import { failGenerator, park } from './generator/trouble.ts';
import { changeLanguage } from './state/language.ts';
import { keepLadder } from './question/ladder.ts';
import { call, comeBackFromFlow, endSession, handOff, reachLimit, request, route, start, swap } from './lifecycle.ts';
import { endAgain, reopen, reopens } from './question/last-line.ts';
import { noteEnded, takeUpEnded } from './call/pending-calls.ts';
import { resume } from './wait/resume.ts';
import { decideResponse } from './question/hook-decision.ts';
import { failReply, intendCall, settleEffect, settleSpeech } from './call/settle-effect.ts';
import { keepWaiting } from './wait/outside-waits.ts';
import { expireWait, resolveWait } from './wait/settle-wait.ts';
import { endTakeover, hearPerson, sayForPerson, startTakeover } from './wait/takeover.ts';
import { takeSilence } from './question/silence.ts';
import type { SessionState } from './state/state.ts';
import { askByTask, closeTaskQuestion } from './wait/task-question.ts';
import { bindKept } from './state/task-values.ts';
import { takeTurn } from './user-turn.ts';

/** The result of folding one signal. */
export interface Step {
  readonly state: SessionState;
  /** Effects for the host to perform, in this order. */
  readonly effects: readonly Effect[];
  /** Facts for observers. */
  readonly facts: readonly FlowFact[];
  /** Spoken forms of values. Those missing in the signal must be added to it, so a replay needs no language. */
  readonly spoken: readonly SpokenValue[];
}

/**
 * Folds one signal into a session. The only place where a conversation moves: pure and total. The same graph, state and
 * signal give the same step, and it throws nothing, whatever the signal. Live, replayed, simulated and resumed sessions
 * differ only in the source of their signals.
 *
 * @example
 * const { graph } = checkFlow('flows/intake.yaml');
 * const ended = { type: 'session:ended', at: 0, reason: 'quit' } as const;
 * if (graph !== null) console.log(step(graph, newSession('call-17'), ended).state.status);
 */
export function step(graph: Graph, state: SessionState, signal: Signal): Step {
  const language = languageOf(signal) ?? state.dialogue.language;
  const moment = { civil: signal.civil ?? utcTime(signal.at), at: signal.at };
  const draft = createDraft(graph.spokenIn(language), state, moment, signal.spoken);
  if (state.status === 'new' && signal.type !== 'session:started') ignore(draft, signal, 'not-started');
  else if (state.status === 'parked' && !opensParked(signal)) ignore(draft, signal, 'parked');
  else if (isOver(state) && !settlesAfterTheEnd(draft.graph, state, signal))
    ignore(draft, signal, isOfWait(signal) ? 'wait-over' : 'ended');
  else {
    advance(draft, signal);
    endAgain(draft);
    keepLadder(draft);
    keepWaiting(draft);
    takeUpEnded(draft);
  }
  const { effects, facts, spoken } = draft;
  return { state: draft.state, effects, facts, spoken };
}

function advance(draft: Draft, signal: Signal): void {
  switch (signal.type) {
    case 'session:started':
      if (draft.state.status === 'new') return start(draft, signal);
      return ignore(draft, signal, 'already-started');
    case 'session:resumed':
      return resume(draft, signal);
    case 'session:ended':
      return endSession(draft, signal);
    case 'user:turn':
      if (draft.state.status === 'ending') reopen(draft);
      return takeTurn(draft, signal);
    case 'silence:elapsed':
      return takeSilence(draft, signal);
    case 'tool:called':
      return intendCall(draft, signal);
    case 'batch:settled':
      return settleBatch(draft, signal);
    case 'effect:settled':
      return settleEffect(draft, signal);
    case 'speech:settled':
      return settleSpeech(draft, signal);
    case 'response:decided':
      return decideResponse(draft, signal);
    case 'reply:routed':
      return route(draft, signal);
    case 'reply:failed':
      return failReply(draft, signal);
    case 'language:changed':
      return changeLanguage(draft, signal);
    case 'node:requested':
      return request(draft, signal);
    case 'limit:reached':
      return reachLimit(draft, signal);
    case 'wait:resolved':
      return resolveWait(draft, signal);
    case 'wait:expired':
      return expireWait(draft, signal);
    case 'wait:registered':
      // The host owns this effect and stores it.
      return emit(draft, { type: 'wait:opened', data: { key: signal.key, wait: signal.wait } });
    case 'run:ended':
      return noteEnded(draft, signal);
    case 'takeover:started':
      return startTakeover(draft, signal);
    case 'takeover:said':
      return sayForPerson(draft, signal);
    case 'takeover:heard':
      return hearPerson(draft, signal);
    case 'takeover:ended':
      return endTakeover(draft, signal);
    case 'flow:swapped':
      return swap(draft, signal);
    case 'flow:called':
      return call(draft, signal);
    case 'flow:returned':
      return comeBackFromFlow(draft, signal.type);
    case 'flow:handed-off':
      return handOff(draft, signal);
    case 'generator:yielded':
      return told(draft, signal, takeYields(draft, signal));
    case 'generator:failed':
      return told(draft, signal, failGenerator(draft, signal));
    case 'generator:refused':
      return told(draft, signal, refuseAnswer(draft, signal));
    case 'generator:diverged':
      return told(draft, signal, park(draft, signal));
    case 'attempt:done':
    case 'attempt:failed':
      return bindKept(draft, signal.kept);
    case 'task:asked':
      return askByTask(draft, signal);
    case 'task:answered':
      return closeTaskQuestion(draft, signal);
    case 'plan:changed':
      return ignore(draft, signal, 'unfit');
    case 'tasks:started':
    case 'tasks:reopened':
    case 'tasks:ended':
      // Journal entries of an effect. The effect's own signal reports the result.
      return;
  }
}

/** Returns the language that a signal chooses. */
function languageOf(signal: Signal): string | undefined {
  if (signal.type === 'language:changed') return signal.to;
  return signal.type === 'session:started' ? signal.language : undefined;
}

function isOver(state: SessionState): boolean {
  return state.status === 'ending' || state.status === 'ended';
}

/**
 * Checks whether a signal still counts after the end: running effects settle, and words over the last line are
 * answered.
 */
function settlesAfterTheEnd(graph: Graph, state: SessionState, signal: Signal): boolean {
  switch (signal.type) {
    case 'effect:settled':
    case 'speech:settled':
    case 'response:decided':
    case 'session:resumed':
    case 'batch:settled':
    case 'reply:failed':
    case 'tasks:started':
    case 'tasks:reopened':
    case 'attempt:done':
    case 'attempt:failed':
    case 'tasks:ended':
    case 'task:answered':
      return true;
    case 'session:ended':
    case 'flow:returned':
      return state.status === 'ending';
    case 'user:turn':
      return reopens(graph, state);
    case 'session:started':
    case 'silence:elapsed':
    case 'tool:called':
    case 'reply:routed':
    case 'language:changed':
    case 'node:requested':
    case 'limit:reached':
    case 'flow:swapped':
    case 'flow:called':
    case 'flow:handed-off':
    case 'generator:yielded':
    case 'generator:failed':
    case 'generator:refused':
    case 'generator:diverged':
    case 'wait:resolved':
    case 'wait:expired':
    case 'wait:registered':
    case 'run:ended':
    case 'takeover:started':
    case 'takeover:said':
    case 'takeover:heard':
    case 'takeover:ended':
    case 'task:asked':
    case 'plan:changed':
      return false;
  }
}

/** The sender of such a signal learns that the wait is over, not only the session. */
function isOfWait({ type }: Signal): boolean {
  return type === 'wait:resolved' || type === 'wait:expired';
}

/** A parked session accepts only a resume, an end, and reports about earlier speech. */
function opensParked({ type }: Signal): boolean {
  return type === 'session:resumed' || type === 'session:ended' || type === 'speech:settled';
}

/** Ignores signals that no generator waits for. */
function told(draft: Draft, signal: Signal, isAwaited: boolean): void {
  if (!isAwaited) ignore(draft, signal, 'unknown-effect');
}

type Ignored = Extract<FlowFact, { type: 'signal:ignored' }>['data']['reason'];

function ignore(draft: Draft, signal: Signal, reason: Ignored): void {
  emit(draft, { type: 'signal:ignored', data: { signal: signal.type, reason } });
}
