import type { LadderCause } from '../../model/events/event.ts';
import type { GraphNode, GraphSlot } from '../../flow/graph/graph.ts';
import { askNext, asksByLine, reply } from '../answer.ts';
import { type Draft, intend, emit } from '../state/draft.ts';
import { clearGenerator } from '../generator/trouble.ts';
import { withMember } from '../state/names.ts';
import { nodeOf } from '../move/offers.ts';
import { goOnLine, type OpenQuestion, openQuestionId, openQuestionIn } from './open-question.ts';
import { putsAgain } from './repeated-question.ts';
import type { LadderState } from '../state/dialogue.ts';
import { clearSlot, declineSlot, isAskedAgain, keepSlot, valueOf } from '../state/slots.ts';
import { giveUp, wayOfTrouble } from '../move/stuck.ts';
import { sayFallback } from '../move/trouble.ts';
import { travel } from '../move/travel.ts';
import { closeWait, openConfirmation } from '../wait/waits.ts';
import { wayOut } from '../move/ways-out.ts';
import {
  type Again,
  asidesBeforeHelp,
  defaultAttempts,
  ladderRule,
  type Miss,
  missesOf,
  putsPerAttempt,
} from './ladder-rule.ts';
import { put } from './put-again.ts';

/**
 * Repeats the open question in other words, or follows its ladder to the end. An `aside` was answered and does not
 * count as an attempt; every other cause does. `reason` is said first: why the answer was rejected.
 */
export function askAgain(draft: Draft, node: GraphNode, missed: Again, reason = ''): void {
  // "Okay, I'm back" ends the requested pause and is not an attempt.
  const cause = missed === 'no-match' && draft.state.turn.words?.endsPatience === true ? 'aside' : missed;
  const question = openQuestionIn(draft, node);
  // The node may have been waiting for the caller's first words.
  if (!question.isPut) {
    askNext(draft, node, 'answer');
    return;
  }
  const { slot } = question;
  if (
    slot?.optional === true &&
    !question.isYesOrNo &&
    cause !== 'early' &&
    mayStayUnsaid(draft, question, cause) &&
    reason === ''
  ) {
    declineSlot(draft, slot);
    goOn(draft, node);
    return;
  }
  if (cause === 'refused' && reason === '' && keepsValue(draft, node, question)) return;
  const { ladder, left } = climb(draft, node, question, cause);
  if (left !== null) leave(draft, node, slot, left);
  else put(draft, node, { question, cause, ladder, reason });
}

/**
 * Counts an aside that the model answered with its own question. The open question stays, until this has happened
 * too often. Returns whether the flow took another way.
 */
export function noteAside(draft: Draft, node: GraphNode, cause: LadderCause = 'aside'): boolean {
  const question = openQuestionIn(draft, node);
  // Without a question of the flow, the model's talk is the conversation.
  if (question.text === '' || question.isLine) return false;
  const { left } = climb(draft, node, question, cause);
  if (left !== null) leave(draft, node, question.slot, left);
  // The next words may answer the question.
  else if (question.slot !== null && openConfirmation(draft) === undefined)
    draft.state.dialogue.pendingAskKey = question.slot.name;
  return left !== null;
}

/**
 * Counts a no to a proposal. Repeated refusals without new values or a yes between them exhaust the ladder. Returns
 * whether the flow took another way.
 */
export function noteRefusal(draft: Draft, node: GraphNode, slot: GraphSlot | null, of: string): boolean {
  const { state } = draft;
  const count = (Object.hasOwn(state.dialogue.refusals, of) ? (state.dialogue.refusals[of] ?? 0) : 0) + 1;
  state.dialogue.refusals = withMember(state.dialogue.refusals, of, count);
  if (count === 1) return false;
  const most = Math.max(2, ladderRule(draft, node, slot, 'attempts') ?? defaultAttempts);
  emit(draft, { type: 'question:missed', data: { cause: 'refused', attempt: count, of: most } });
  if (count < most) return false;
  state.dialogue.refusals = {};
  leave(draft, node, slot, 'refused');
  return true;
}

/** Lets the model ask for what is missing, once; after that asks the caller what they want. */
export function askByModel(draft: Draft, node: GraphNode): void {
  const question = openQuestionIn(draft, node);
  const isFirst = draft.state.dialogue.ladder?.question !== question.id;
  const { ladder, left } = climb(draft, node, question, 'aside');
  if (left !== null) leave(draft, node, null, left);
  else if (isFirst) reply(draft, node, 'answer');
  else {
    const text = goOnLine(draft.graph, null, ladder.puts);
    intend(draft, { kind: 'say', payload: { text, reason: 'ask' } });
  }
}

/**
 * Counts a reply in which the model only repeats itself. The node's line follows the reply if it is a question. Otherwise
 * the caller is asked what they want after some such replies.
 */
export function askBehindTalk(draft: Draft, node: GraphNode, text: string, cause: LadderCause): void {
  const question = openQuestionIn(draft, node);
  const { slot } = question;
  const { ladder, left } = climb(draft, node, question, cause);
  if (left !== null) return leave(draft, node, slot, left);
  if (slot === null && asksByLine(node)) {
    if (!putsAgain(text, question.text)) put(draft, node, { question, cause, ladder, reason: '' });
  } else if (ladder.puts >= asidesBeforeHelp)
    intend(draft, { kind: 'say', payload: { text: goOnLine(draft.graph, slot, ladder.puts), reason: 'ask' } });
}

/** Repeats the open question after the model failed, without counting an attempt. */
export function askAfterFailure(draft: Draft, node: GraphNode): void {
  const question = openQuestionIn(draft, node);
  if (!question.isPut) {
    sayFallback(draft, node);
    askNext(draft, node, 'answer');
    return;
  }
  const ladder = {
    question: question.id,
    noMatch: 0,
    noInput: 0,
    refused: 0,
    asides: 0,
    puts: draft.state.turn.failures,
    early: 0,
  };
  put(draft, node, { question, cause: 'no-match', ladder, reason: '' });
}

/** Resets the ladder once its question is answered or another one is open. */
export function keepLadder(draft: Draft): void {
  const { graph, state } = draft;
  if (state.dialogue.ladder === null) return;
  const node = nodeOf(graph, state, state.position.node);
  if (state.status === 'active' && node !== null && openQuestionId(draft, node) === state.dialogue.ladder.question)
    return;
  state.dialogue.attempts = {};
  state.dialogue.ladder = null;
}

/** Checks whether an optional slot may be left out: the caller refused it, or did not give it when asked again. */
function mayStayUnsaid({ state }: Draft, { id }: OpenQuestion, cause: LadderCause): boolean {
  return cause === 'refused' || state.dialogue.ladder?.question === id;
}

/** Keeps the value that the caller was asked for again. Returns false if none was asked for again. */
function keepsValue(
  draft: Draft,
  node: GraphNode,
  { slot, isYesOrNo }: Pick<OpenQuestion, 'slot' | 'isYesOrNo'>,
): boolean {
  // For a yes-no slot, "no" is a value.
  if (slot === null || isYesOrNo || !isAskedAgain(draft.graph, draft.state, node, slot.name)) return false;
  keepSlot(draft, slot.name);
  goOn(draft, node);
  return true;
}

function goOn(draft: Draft, node: GraphNode): void {
  const way = wayOut(draft, node);
  if (way === null) askNext(draft, node, 'answer');
  else travel(draft, way, 'answer');
}

/** Counts one step. `left` is the cause for giving the question up, else null. */
function climb(
  draft: Draft,
  node: GraphNode,
  { id, slot }: OpenQuestion,
  cause: Again,
): { readonly ladder: LadderState; readonly left: Miss | null } {
  const { state } = draft;
  const before = state.dialogue.ladder?.question === id ? state.dialogue.ladder : null;
  const { noMatch = 0, noInput = 0, refused = 0, asides = 0, puts = 0, early = 0 } = before ?? {};
  const ladder: LadderState = {
    question: id,
    noMatch: noMatch + (cause === 'no-match' ? 1 : 0),
    noInput: noInput + (cause === 'no-input' ? 1 : 0),
    refused: refused + (cause === 'refused' ? 1 : 0),
    asides: asides + (cause === 'aside' ? 1 : 0),
    puts: puts + 1,
    early: early + (cause === 'early' ? 1 : 0),
  };
  if (before === null) state.dialogue.attempts = {};
  state.dialogue.ladder = ladder;
  const of = ladderRule(draft, node, slot, 'attempts') ?? defaultAttempts;
  if (cause === 'aside' || cause === 'early') return { ladder, left: isTooOften(ladder, of) ? 'no-match' : null };
  const attempt = missesOf(ladder);
  for (const name of slot === null ? [node.id] : [node.id, slot.name])
    state.dialogue.attempts = withMember(state.dialogue.attempts, name, attempt);
  emit(draft, { type: 'question:missed', data: { cause, attempt, of } });
  return { ladder, left: attempt >= of || isTooOften(ladder, of) ? cause : null };
}

/** Checks the total limit of repetitions, asides included. */
function isTooOften({ puts }: LadderState, attempts: number): boolean {
  return puts >= putsPerAttempt * attempts;
}

/** Gives the question up: follows its ladder's target, else the target for trouble. */
function leave(draft: Draft, node: GraphNode, slot: GraphSlot | null, cause: Miss): void {
  if (draft.state.position.generator !== null) {
    clearGenerator(draft, cause);
    return;
  }
  const key = cause === 'no-input' ? 'onNoInput' : 'onNoMatch';
  // A call does not end over a value that is optional or already known.
  if (slot?.ladder[key] === null && keepsValue(draft, node, { slot, isYesOrNo: false })) return;
  if (slot?.optional === true && slot.ladder[key] === null) {
    const wait = openConfirmation(draft);
    if (wait !== undefined) closeWait(draft, wait, 'other');
    // A value that was read back but never confirmed is dropped.
    if (wait?.payload.subject.kind === 'slot') clearSlot(draft, slot.name, wait.payload.subject.value);
    if (valueOf(draft.state, slot.name) === undefined) declineSlot(draft, slot);
    goOn(draft, node);
    return;
  }
  const rules = [slot?.ladder, node.trouble.ladder, draft.graph.trouble.ladder];
  const move = wayOfTrouble(
    draft,
    rules.map((rule) => rule?.[key] ?? null),
  );
  if (move === null) giveUp(draft, cause);
  else travel(draft, move, 'answer');
}
