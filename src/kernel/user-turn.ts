import type { UserTurn } from '../events/signal.ts';
import { hearPutBefore } from './dialogue/hear-put.ts';
import { takeByTable } from './dialogue/take-by-table.ts';
import { actOf, saysNothing } from './dialogue/utterance.ts';
import { beginTurn, type Draft, keyStart, settle, tell } from './draft.ts';
import { followPolicy } from './follow-policy.ts';
import { changeFrame } from './generator-frame.ts';
import { answerLastWords } from './last-line.ts';
import { noteHeard, noteNews } from './news.ts';
import { hasBegun } from './has-begun.ts';
import { beginWithWords } from './lifecycle.ts';
import { nodeOf } from './offers.ts';
import { takeRequest } from './request.ts';
import { takeProxyWords } from './settle-wait.ts';
import type { CallerSaid, HeardWords } from './state.ts';
import { holdTurn } from './takeover.ts';
import { noteAnswered, openTaskQuestion } from './task-question.ts';
import { travel } from './travel.ts';
import { openConfirmation } from './waits.ts';

/** How much of a turn is kept to tell whether the caller says it again, in characters. */
const mostRemembered = 300;

/** How a caller's own words come who is on the line. */
const callers: ReadonlySet<UserTurn['via']> = new Set(['speech', 'text', 'dtmf']);

/** The caller has said something. What comes of it is the rule of the dialogue table for their words and the question on top. */
export function takeTurn(draft: Draft, turn: UserTurn): void {
  const { graph, state } = draft;
  if (turn.eventId === state.lastFlowEventId) {
    tell(draft, { type: 'turn:duplicate', data: { eventId: turn.eventId } });
    return;
  }
  if (turn.answersTask === true) return takeWordsForTask(draft, turn);
  const endsPatience = state.patience;
  // Whoever speaks has heard what was said to them, or does not wait for it.
  if (callers.has(turn.via)) noteHeard(draft, null);
  beginTurn(draft);
  if (turn.via === 'scheduled') noteNews(draft);
  state.lastFlowEventId = turn.eventId;
  state.correlation = turn.correlation ?? null;
  if (state.takeover !== null) return holdTurn(draft, turn);
  state.lastWait = null;
  if (turn.policy !== undefined) {
    tell(draft, { type: 'turn:started', data: { eventId: turn.eventId, via: turn.via } });
    if (turn.taskAsks !== true) forgetSpeech(draft);
    followPolicy(draft, turn.policy);
    return;
  }
  tell(draft, { type: 'turn:started', data: { eventId: turn.eventId, via: turn.via } });
  forgetSpeech(draft);
  if (!hasBegun(state)) return beginWithWords(draft, turn);
  hearPutBefore(draft, turn);
  // What is open stays open, with all that was known of it.
  const request = actOf(turn.utterance, 'request');
  if (request !== undefined && takeRequest(draft, request.of)) return;
  if (takeProxyWords(draft, turn)) return;
  state.words = { ...heardWords(turn, state.pendingAskKey), ...(endsPatience ? { endsPatience } : {}) };
  state.refused = [];
  state.pendingAskKey = null;
  state.answered = null;
  if (state.generator !== null)
    changeFrame(draft, { inbound: { eventId: turn.eventId, text: turn.text, via: turn.via }, yieldsThisTurn: 0 });
  if (callers.has(turn.via)) state.callerSaid = saidNow(draft, turn);
  const node = nodeOf(graph, state, state.node);
  if (node === null) travel(draft, { to: state.node, cause: 'error' }, 'answer');
  else if (node.end !== null && openConfirmation(draft) === undefined) answerLastWords(draft, node, turn.utterance);
  else takeByTable(draft, node, turn);
}

/** The words of a turn, behind the parts of a number that were said before them. */
function saidNow({ graph, state }: Draft, { text, utterance }: UserTurn): CallerSaid {
  const slot = actOf(utterance, 'problem')?.slot ?? '';
  // The question may be a generator's.
  if (!graph.slots.has(slot)) return { text: text.slice(-mostRemembered) };
  const before = state.callerSaid.partOf === slot ? `${state.callerSaid.text} ` : '';
  return { text: `${before}${text}`.slice(-mostRemembered), partOf: slot };
}

/** Words that the host has given to the question of a task: they do not count as a turn of the flow. */
function takeWordsForTask(draft: Draft, turn: UserTurn): void {
  const { graph, state } = draft;
  const node = nodeOf(graph, state, state.node);
  state.lastFlowEventId = turn.eventId;
  // What was said before this answer is no news to the node that comes next.
  state.words = null;
  // Logs of older releases hold no question.
  if (openTaskQuestion(state) === null || node === null) return noteAnswered(draft, turn);
  beginTurn(draft);
  if (state.takeover !== null) return holdTurn(draft, turn);
  hearPutBefore(draft, turn);
  const request = actOf(turn.utterance, 'request');
  if (request === undefined || !takeRequest(draft, request.of)) return takeByTable(draft, node, turn);
  tell(draft, { type: 'turn:started', data: { eventId: turn.eventId, via: turn.via } });
}

function heardWords({ utterance }: UserTurn, asked: string | null): HeardWords {
  return { asked, utterance: utterance ?? null, isUnheard: !saysNothing(utterance) };
}

/** Replies still under way are void; lines from before the last turn have been heard or never will be. */
function forgetSpeech(draft: Draft): void {
  const { state } = draft;
  const before = keyStart(state, state.turn - 1);
  for (const effect of Object.values(state.effects)) {
    if (effect.kind === 'reply') settle(draft, effect, 'cancelled');
    else if (effect.kind === 'say' && !effect.key.startsWith(before)) settle(draft, effect, 'unknown');
  }
}
