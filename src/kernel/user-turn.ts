import type { Confirmation } from '../events/effect.ts';
import type { TurnPolicy, UserTurn } from '../events/signal.ts';
import type { Graph, GraphNode, GraphSlot } from '../graph/graph.ts';
import { askCaller, askNext, endAll, reply } from './answer.ts';
import { isWaitingIn, keepCompany } from './company.ts';
import { correct, refuse } from './confirmation.ts';
import { beginTurn, type Draft, intend, isUnheard, openOfKind, settle, tell } from './draft.ts';
import { takeAnswer } from './generator-answer.ts';
import { askAgain, noteRefusal } from './ladder.ts';
import { speakHere } from './names.ts';
import { actOf, hasAct, plainAnswer, saysNothing } from './dialogue/utterance.ts';
import { noteHeard, noteNews } from './news.ts';
import { callSaid, keepSaid } from './said.ts';
import { nodeOf } from './offers.ts';
import { openQuestionIn } from './open-question.ts';
import { takeRequest } from './request.ts';
import { clearSlot, confirmSlot, declineSlot, isAskedAgain, nextNeed, readBackName, valueOf } from './slots.ts';
import type { HeardWords, SessionState } from './state.ts';
import { decideByCaller, takeProxyWords } from './settle-wait.ts';
import { holdTurn } from './takeover.ts';
import { runAgain, travel } from './travel.ts';
import { cancelWaits, closeWait, openConfirmation } from './waits.ts';
import { wayOut } from './ways-out.ts';

/** How a caller's own words come who is on the line. */
const callers: ReadonlySet<UserTurn['via']> = new Set(['speech', 'text', 'dtmf']);

/**
 * The caller has said something. It answers an open question if it is a plain yes or no; else it is for the node: one
 * that only talks is left by it, any other lets the model reply.
 */
export function takeTurn(draft: Draft, turn: UserTurn): void {
  const { graph, state } = draft;
  if (turn.eventId === state.lastFlowEventId) {
    tell(draft, { type: 'turn:duplicate', data: { eventId: turn.eventId } });
    return;
  }
  if (turn.answersTask === true) {
    state.lastFlowEventId = turn.eventId;
    // What was said before this answer is no news to the node that comes next.
    state.words = null;
    tell(draft, { type: 'turn:answered', data: { eventId: turn.eventId, via: turn.via } });
    return;
  }
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
  // What is open stays open, with all that was known of it.
  const request = actOf(turn.utterance, 'request');
  if (request !== undefined && takeRequest(draft, request.of)) return;
  if (takeProxyWords(draft, turn)) return;
  state.words = { ...heardWords(turn, state.pendingAskKey), ...(endsPatience ? { endsPatience } : {}) };
  state.refused = [];
  state.pendingAskKey = null;
  state.answered = null;
  if (state.generator !== null) {
    takeAnswer(draft, turn);
    return;
  }
  const node = nodeOf(graph, state, state.node);
  if (node === null) {
    travel(draft, { to: state.node, cause: 'error' }, 'answer');
    return;
  }
  const wait = openConfirmation(draft);
  // What nobody heard is not open: no yes answers it.
  const isOpen = wait !== undefined && !isUnheard(wait);
  if (wait !== undefined && !isOpen) cancelWaits(draft);
  if (!isOpen && node.interrupt?.asksCaller === true) askCaller(draft, node);
  else if (!isOpen && isWaitingIn(draft, node)) {
    if (isNoise(turn)) keepCompany(draft, node);
    else if (!callSaid(draft, node)) reply(draft, node, 'answer');
  } else if (!isOpen) {
    if (refusesToSay(draft, node, turn)) {
      // It is no answer to what is asked next.
      state.words = { ...state.words, isUnheard: false };
      if (node.task === null) askAgain(draft, node, 'refused');
      else leaveOut(draft, node);
    } else if (isNoise(turn) && asksAnything(draft, node)) askAgain(draft, node, 'no-match');
    else takeWords(draft, node);
  } else {
    // A plain answer is one to the question that was put last.
    const response = state.modelAsked ? undefined : plainAnswer(turn.utterance);
    if (response !== undefined) answerQuestion(draft, node, wait, response);
    else if (isNoise(turn)) askAgain(draft, node, 'no-match');
    else if (node.task !== null) takeByRules(draft, node, wait);
    else reply(draft, node, 'answer');
  }
}

function heardWords({ utterance }: UserTurn, asked: string | null): HeardWords {
  return { asked, utterance: utterance ?? null, isUnheard: !saysNothing(utterance) };
}

/** Something was heard and it holds no word. Where the words are not known at all, the model may have understood them. */
function isNoise({ utterance, text }: UserTurn): boolean {
  return hasAct(utterance, 'noise') && text.trim() !== '';
}

/** Whether the node waits for an answer to a question that was put in words. */
function asksAnything(draft: Draft, node: GraphNode): boolean {
  const waits = node.task === null && node.functions.length + node.collect.length > 0;
  return waits && openQuestionIn(draft, node).text !== '';
}

/** The caller will not say what is asked for; where the node has functions for that and it must be known, the model is asked. */
function refusesToSay({ graph, state }: Draft, node: GraphNode, { utterance }: UserTurn): boolean {
  if (!hasAct(utterance, 'decline')) return false;
  if (node.task !== null) return askedAnew(graph, state) !== null;
  const need = nextNeed(graph, state, node);
  if (need === null || need.known !== null || need.slot.ask === null) return false;
  return need.slot.optional || node.functions.length === 0 || isAskedAgain(state, node, need.slot.name);
}

/** The turn was decided before it reached the flow: what the flow has asked stays asked. */
function followPolicy(draft: Draft, policy: TurnPolicy): void {
  const { by, policyReason } = policy;
  const why = policyReason === undefined ? {} : { policyReason };
  const to = policy.action === 'hold' ? policy.to : undefined;
  const decided = to === undefined ? { action: policy.action, by } : { action: 'route' as const, by, to };
  tell(draft, { type: 'turn:decided', data: { ...decided, ...why } });
  if (policy.text !== undefined && policy.text !== '')
    intend(draft, { kind: 'say', payload: { text: policy.text, reason: 'notice' } });
  if (policy.action === 'end') endAll(draft, policy.reason);
}

/** Replies still under way are void; lines from before the last turn have been heard or never will be. */
function forgetSpeech(draft: Draft): void {
  const { state } = draft;
  const before = `${state.sessionId}/${state.turn - 1}/`;
  for (const effect of Object.values(state.effects)) {
    if (effect.kind === 'reply') settle(draft, effect, 'cancelled');
    else if (effect.kind === 'say' && !effect.key.startsWith(before)) settle(draft, effect, 'unknown');
  }
}

/** A catalog node asks no model: what the words correct is kept, and every other answer was not understood. */
function takeByRules(draft: Draft, node: GraphNode, wait: Confirmation): void {
  const { slots, confirmations } = draft.state;
  if (!keepSaid(draft)) askAgain(draft, node, 'no-match');
  else if (correct(draft, wait, slots, confirmations.length)) goOn(draft, node);
  else askAgain(draft, node, 'aside');
}

function answerQuestion(draft: Draft, node: GraphNode, wait: Confirmation, response: 'yes' | 'no'): void {
  const { subject } = wait.payload;
  closeWait(draft, wait, response);
  if (subject.kind === 'node') {
    draft.state.answered = subject.node;
    return decideByCaller(draft, node, response, 'answer');
  }
  draft.state.answered = subject.kind === 'slot' ? subject.slot : subject.call.name;
  if (subject.kind === 'slot') {
    if (response === 'yes') confirmSlot(draft, subject.slot, subject.value);
    else {
      clearSlot(draft, subject.slot);
      const slot = draft.graph.slots.get(subject.slot) ?? null;
      if (noteRefusal(draft, node, slot, readBackName(subject.slot)) || askAnew(draft, subject.slot)) return;
    }
    goOn(draft, node);
  } else if (response === 'yes') {
    intend(draft, { kind: 'tool', payload: { ...subject.call, confirmed: true } });
  } else refuse(draft, node, subject.call);
}

/** Whoever says no to a read-back wanted to say another value, also of what may stay unsaid: it is asked for anew. */
function askAnew(draft: Draft, name: string): boolean {
  const { graph, state } = draft;
  const slot = graph.slots.get(name);
  if (slot === undefined || !slot.optional || slot.ask === null || valueOf(state, name) !== undefined) return false;
  state.pendingAskKey = name;
  intend(draft, { kind: 'say', payload: { text: speakHere(draft, slot.ask), reason: 'ask' } });
  return true;
}

/** What may stay unsaid and was asked for anew in a catalog node, which itself asks for nothing. */
function askedAnew(graph: Graph, { words }: SessionState): GraphSlot | null {
  const slot = graph.slots.get(words?.asked ?? '');
  return slot?.optional === true ? slot : null;
}

function leaveOut(draft: Draft, node: GraphNode): void {
  const slot = askedAnew(draft.graph, draft.state);
  if (slot !== null) declineSlot(draft, slot);
  runAgain(draft, node);
}

/** After a read-back: on if everything is known now, else the next question. */
function goOn(draft: Draft, node: GraphNode): void {
  if (node.task !== null) return runAgain(draft, node);
  const way = wayOut(draft, node);
  if (way === null) askNext(draft, node, 'answer');
  else travel(draft, way, 'answer');
}

/** What the caller said is for the node: left by it where the node only talks, answered under it everywhere else. */
export function takeWords(draft: Draft, node: GraphNode): void {
  if (node.task !== null) {
    // What is said while a catalog node works is answered by the node that follows; one that failed is tried again.
    if (openOfKind(draft.state, 'task') !== undefined) return;
    // It may have asked for what a no has cleared.
    if (draft.state.words?.asked != null) keepSaid(draft);
    runAgain(draft, node);
    return;
  }
  const onlyTalks = node.functions.length === 0 && node.collect.length === 0;
  const way = onlyTalks ? wayOut(draft, node) : null;
  if (way !== null) travel(draft, way, 'answer');
  else if (!callSaid(draft, node)) reply(draft, node, 'answer');
}
