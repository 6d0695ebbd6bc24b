import type { UserTurn } from '../model/signals/signal.ts';
import { isIncomplete } from './question/ladder-help.ts';
import { recordHeardBefore } from './dialogue/record-heard.ts';
import { takeByTable } from './dialogue/take-by-table.ts';
import { actOf, saysNothing } from './dialogue/utterance.ts';
import { beginTurn, type Draft, emit, hasBegun, keyStart, settle } from './state/draft.ts';
import { followPolicy } from './move/follow-policy.ts';
import { changeFrame } from './generator/frame.ts';
import { answerLastWords } from './question/last-line.ts';
import { markPending, noteHeard } from './question/pending-speech.ts';
import { beginForPerson, beginWithWords } from './lifecycle.ts';
import { takeCalleeWords } from './callee/callee.ts';
import { nodeOf } from './move/offers.ts';
import { takeRequest } from './request.ts';
import { takeProxyWords } from './wait/settle-wait.ts';
import type { CallerSaid } from './state/dialogue.ts';
import type { HeardWords } from './state/turn.ts';
import { holdTurn } from './wait/takeover.ts';
import { noteAnswered, openTaskQuestion } from './wait/task-question.ts';
import { travel } from './move/travel.ts';
import { openConfirmation } from './wait/waits.ts';

/** Limit for the remembered words of a turn, in characters. They serve to detect repetitions. */
const mostRemembered = 300;

/** Sources of a caller's own words in a call. */
const callers: ReadonlySet<UserTurn['via']> = new Set(['speech', 'text', 'dtmf']);

/** Takes a turn of the caller. The dialogue table decides by the words and the question on top. */
export function takeTurn(draft: Draft, turn: UserTurn): void {
  const { graph, state } = draft;
  if (turn.eventId === state.turn.lastFlowEventId) {
    emit(draft, { type: 'turn:duplicate', data: { eventId: turn.eventId } });
    return;
  }
  if (turn.answersTask === true) return takeWordsForTask(draft, turn);
  const endsPatience = state.dialogue.patience;
  // A caller who speaks has heard the pending speech, or does not wait for it.
  if (callers.has(turn.via)) noteHeard(draft, null);
  beginTurn(draft);
  if (turn.via === 'scheduled') markPending(draft);
  state.turn.lastFlowEventId = turn.eventId;
  state.turn.correlation = turn.correlation ?? null;
  if (state.people.takeover !== null) return holdTurn(draft, turn);
  state.people.lastWait = null;
  if (state.people.callee !== null) {
    const taken = takeCalleeWords(draft, turn);
    if (taken === 'begin') beginForPerson(draft);
    if (taken !== 'flow') return;
  }
  if (turn.policy !== undefined) {
    emit(draft, { type: 'turn:started', data: { eventId: turn.eventId, via: turn.via } });
    if (turn.taskAsks !== true) forgetSpeech(draft);
    followPolicy(draft, turn.policy);
    return;
  }
  emit(draft, { type: 'turn:started', data: { eventId: turn.eventId, via: turn.via } });
  forgetSpeech(draft);
  if (!hasBegun(state)) return beginWithWords(draft, turn);
  recordHeardBefore(draft, turn);
  // The open question stays open, with all that is known about it.
  const request = actOf(turn.utterance, 'request');
  if (request !== undefined && takeRequest(draft, request.of)) return;
  if (takeProxyWords(draft, turn)) return;
  state.turn.words = { ...heardWords(turn, state.dialogue.pendingAskKey), ...(endsPatience ? { endsPatience } : {}) };
  state.dialogue.refused = [];
  state.dialogue.pendingAskKey = null;
  state.turn.answered = null;
  if (state.position.generator !== null)
    changeFrame(draft, { inbound: { eventId: turn.eventId, text: turn.text, via: turn.via }, yieldsThisTurn: 0 });
  if (callers.has(turn.via)) state.dialogue.callerSaid = saidNow(draft, turn);
  const node = nodeOf(graph, state, state.position.node);
  if (node === null) travel(draft, { to: state.position.node, cause: 'error' }, 'answer');
  else if (node.end !== null && openConfirmation(draft) === undefined) answerLastWords(draft, node, turn.utterance);
  else takeByTable(draft, node, turn);
}

/** Returns the words of a turn, after the earlier parts of the same number. */
function saidNow({ state }: Draft, { text, utterance }: UserTurn): CallerSaid {
  const { slot = '', problem = '' } = actOf(utterance, 'problem') ?? {};
  // Only an incomplete number has later parts.
  if (!isIncomplete(problem)) return { text: text.slice(-mostRemembered) };
  const before = state.dialogue.callerSaid.partOf === slot ? `${state.dialogue.callerSaid.text} ` : '';
  return { text: `${before}${text}`.slice(-mostRemembered), partOf: slot };
}

/** Takes words that the host assigned to a task's question. They do not count as a turn of the flow. */
function takeWordsForTask(draft: Draft, turn: UserTurn): void {
  const { graph, state } = draft;
  const node = nodeOf(graph, state, state.position.node);
  state.turn.lastFlowEventId = turn.eventId;
  // Earlier words are not passed on to the next node.
  state.turn.words = null;
  // Logs of older releases contain no task question.
  if (openTaskQuestion(state) === null || node === null) return noteAnswered(draft, turn);
  beginTurn(draft);
  if (state.people.takeover !== null) return holdTurn(draft, turn);
  recordHeardBefore(draft, turn);
  const request = actOf(turn.utterance, 'request');
  if (request === undefined || !takeRequest(draft, request.of)) return takeByTable(draft, node, turn);
  emit(draft, { type: 'turn:started', data: { eventId: turn.eventId, via: turn.via } });
}

function heardWords({ utterance }: UserTurn, asked: string | null): HeardWords {
  return { asked, utterance: utterance ?? null, isUnheard: !saysNothing(utterance) };
}

/** Cancels replies in progress, and settles lines from before the last turn as unknown. */
function forgetSpeech(draft: Draft): void {
  const { state } = draft;
  const before = keyStart(state, state.turn.number - 1);
  for (const effect of Object.values(state.effects)) {
    if (effect.kind === 'reply') settle(draft, effect, 'cancelled');
    else if (effect.kind === 'say' && !effect.key.startsWith(before)) settle(draft, effect, 'unknown');
  }
}
