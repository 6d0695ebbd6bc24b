import type { LadderCause } from '../../model/events/event.ts';
import type { LineName } from '../../model/ports/reader.ts';
import type { GraphNode, GraphSlot, LadderRule } from '../../flow/graph/graph.ts';
import { fillLine } from '../../flow/expression/sentences.ts';
import { askNext, asksByLine, reply } from '../answer.ts';
import { type Draft, intend, isUnheard, noteSilence, settle, tell } from '../state/draft.ts';
import { hasAct } from '../dialogue/utterance.ts';
import { ask, openQuestion } from '../generator/frame.ts';
import { clearGenerator } from '../generator/trouble.ts';
import { sayableFor } from './ladder-help.ts';
import { speakWording, withMember } from '../state/names.ts';
import { nodeOf } from '../move/offers.ts';
import { goOnLine, type OpenQuestion, openQuestionId, openQuestionIn } from './open-question.ts';
import { putsAgain } from './repeated-question.ts';
import type { LadderState } from '../state/state.ts';
import { clearSlot, declineSlot, isAskedAgain, keepSlot, valueOf } from '../state/slots.ts';
import { giveUp, wayOfTrouble } from '../move/stuck.ts';
import { sayFallback } from '../move/trouble.ts';
import { travel } from '../move/travel.ts';
import { closeWait, openConfirmation, openWait } from '../wait/waits.ts';
import { wayOut } from '../move/ways-out.ts';

/** Default number of consecutive misses: the question is reworded, then asked with help, then given up. */
export const defaultAttempts = 3;

/** Repetitions of a question per allowed attempt, including asides. */
export const putsPerAttempt = 2;

/** After this many consecutive asides the question is asked in full, with help. */
const asidesBeforeHelp = 3;

/** Every nth repetition is in full, because the short form alone may not be clear. */
const shortPuts = 3;

/** A cause that counts as an attempt. */
type Miss = Exclude<LadderCause, 'aside'>;

/** `early`: a yes before the question was fully heard, which is neither a miss nor an aside. */
type Again = LadderCause | 'early';

/**
 * Repeats the open question in other words, or follows its ladder to the end. An `aside` was answered and does not
 * count as an attempt; every other cause does. `reason` is said first: why the answer was rejected.
 */
export function askAgain(draft: Draft, node: GraphNode, missed: Again, reason = ''): void {
  // "Okay, I'm back" ends the requested pause and is not an attempt.
  const cause = missed === 'no-match' && draft.state.words?.endsPatience === true ? 'aside' : missed;
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
    draft.state.pendingAskKey = question.slot.name;
  return left !== null;
}

/**
 * Counts a no to a proposal. Repeated refusals without new values or a yes between them exhaust the ladder. Returns
 * whether the flow took another way.
 */
export function noteRefusal(draft: Draft, node: GraphNode, slot: GraphSlot | null, of: string): boolean {
  const { state } = draft;
  const count = (Object.hasOwn(state.refusals, of) ? (state.refusals[of] ?? 0) : 0) + 1;
  state.refusals = withMember(state.refusals, of, count);
  if (count === 1) return false;
  const most = Math.max(2, ladderRule(draft, node, slot, 'attempts') ?? defaultAttempts);
  tell(draft, { type: 'question:missed', data: { cause: 'refused', attempt: count, of: most } });
  if (count < most) return false;
  state.refusals = {};
  leave(draft, node, slot, 'refused');
  return true;
}

/** Lets the model ask for what is missing, once; after that asks the caller what they want. */
export function askByModel(draft: Draft, node: GraphNode): void {
  const question = openQuestionIn(draft, node);
  const isFirst = draft.state.ladder?.question !== question.id;
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
    puts: draft.state.failures,
    early: 0,
  };
  put(draft, node, { question, cause: 'no-match', ladder, reason: '' });
}

/** Resets the ladder once its question is answered or another one is open. */
export function keepLadder(draft: Draft): void {
  const { graph, state } = draft;
  if (state.ladder === null) return;
  const node = nodeOf(graph, state, state.node);
  if (state.status === 'active' && node !== null && openQuestionId(draft, node) === state.ladder.question) return;
  state.attempts = {};
  state.ladder = null;
}

/** Checks whether an optional slot may be left out: the caller refused it, or did not give it when asked again. */
function mayStayUnsaid({ state }: Draft, { id }: OpenQuestion, cause: LadderCause): boolean {
  return cause === 'refused' || state.ladder?.question === id;
}

/** Keeps the value that the caller was asked for again. Returns false if none was asked for again. */
function keepsValue(
  draft: Draft,
  node: GraphNode,
  { slot, isYesOrNo }: Pick<OpenQuestion, 'slot' | 'isYesOrNo'>,
): boolean {
  // For a yes-no slot, "no" is a value.
  if (slot === null || isYesOrNo || !isAskedAgain(draft.state, node, slot.name)) return false;
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
  const before = state.ladder?.question === id ? state.ladder : null;
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
  if (before === null) state.attempts = {};
  state.ladder = ladder;
  const of = ladderRule(draft, node, slot, 'attempts') ?? defaultAttempts;
  if (cause === 'aside' || cause === 'early') return { ladder, left: isTooOften(ladder, of) ? 'no-match' : null };
  const attempt = missesOf(ladder);
  for (const name of slot === null ? [node.id] : [node.id, slot.name])
    state.attempts = withMember(state.attempts, name, attempt);
  tell(draft, { type: 'question:missed', data: { cause, attempt, of } });
  return { ladder, left: attempt >= of || isTooOften(ladder, of) ? cause : null };
}

/** Checks the total limit of repetitions, asides included. */
function isTooOften({ puts }: LadderState, attempts: number): boolean {
  return puts >= putsPerAttempt * attempts;
}

function missesOf({ noMatch, noInput, refused }: LadderState): number {
  return noMatch + noInput + refused;
}

/** Returns the slot's rule, otherwise its node's, otherwise the flow's. */
export function ladderRule<Key extends keyof LadderRule>(
  { graph }: Pick<Draft, 'graph'>,
  node: GraphNode | null,
  slot: GraphSlot | null,
  key: Key,
): LadderRule[Key] {
  return slot?.ladder[key] ?? node?.trouble.ladder[key] ?? graph.trouble.ladder[key];
}

interface PutAgain {
  readonly question: OpenQuestion;
  readonly cause: Again;
  readonly ladder: LadderState;
  readonly reason: string;
}

/** Says the question in a wording that differs from the last one. */
function put(draft: Draft, node: GraphNode, again: PutAgain): void {
  const { question, reason } = again;
  const candidates = [...authoredLine(draft, node, again), ...builtInLines(draft, node, again)];
  const before = draft.state.saidBefore.text;
  // The last question may have followed an answer in the same text.
  const fresh = candidates.filter((line) => line !== '' && !before.endsWith(line));
  const [first = question.text] = fresh.length > 0 ? fresh : candidates;
  // The reason already says that the answer was not understood. A generator's author may have an own wording for that.
  const hasOwn = openQuestion(draft)?.again != null && first === candidates[0];
  const text =
    reason === '' || hasOwn ? first : `${reason} ${question.isWhole ? question.text : question.short}`.trim();
  // A caller who agreed early twice hears the question without interruption.
  const isProtected = again.cause === 'early' && (again.ladder.early ?? 0) > 1;
  speakQuestion(draft, question, wholeIn(question, text), isProtected);
  if (again.cause === 'no-input') noteSilence(draft);
}

/** Appends the question to an author's line such as "Are you there?" that lacks it, so a yes answers the question. */
function wholeIn({ isWhole, text: question }: OpenQuestion, text: string): string {
  return isWhole && !text.includes(question) ? `${text} ${question}`.trim() : text;
}

/** Returns the author's line for this attempt, if any is left. */
function authoredLine(draft: Draft, node: GraphNode, { question, cause, ladder }: PutAgain): readonly string[] {
  const generated = openQuestion(draft);
  if (generated !== null && generated.again !== null && generated.again !== undefined && isMiss(cause))
    if (missesOf(ladder) === 1) return [generated.again];
  const own = ladderRule(draft, node, question.slot, 'lines');
  const index = missesOf(ladder) - 1;
  if (own === null || !isMiss(cause) || index < 0 || index >= own.texts.length) return [];
  return [speakWording(draft, own, index, { question: question.text })];
}

function builtInLines(draft: Draft, node: GraphNode, { question, cause, ladder }: PutAgain): readonly string[] {
  const attempts = ladderRule(draft, node, question.slot, 'attempts') ?? defaultAttempts;
  const isLastTry = isMiss(cause) && attempts > 1 && missesOf(ladder) === attempts - 1;
  const isHelp = isLastTry || (cause === 'aside' && ladder.asides >= asidesBeforeHelp);
  const choices = question.slot === null || question.isYesOrNo ? null : sayableFor(question.slot, draft.graph.speech);
  // A caller who may not have heard the question, or who repeats known values and thus misheard it, hears it in full.
  const isMisheard = draft.restated.size > 0 || hasAct(draft.state.words?.utterance, 'restate');
  // After an aside, the node's full line says again what a yes means.
  const isLineBehindAside = question.isLine && cause === 'aside';
  const isWhole =
    question.isWhole ||
    isLineBehindAside ||
    (isHelp && !question.isLine) ||
    cause === 'no-input' ||
    isMisheard ||
    ladder.puts % shortPuts === 0;
  const text = isWhole ? question.text : question.short;
  const { lines } = draft.graph.speech;
  const wordings =
    lines[isHelp && question.text !== '' ? helpFor(question, choices) : leadsFor(draft, question, cause)];
  const inTurn = wordings.map((_, index) => wordings[(ladder.puts - 1 + index) % wordings.length] ?? '');
  return inTurn.map((line) => fillLine(line, { question: text, choices: choices ?? '' }));
}

function isMiss(cause: Again): cause is Miss {
  return cause !== 'aside' && cause !== 'early';
}

function leadsFor({ state }: Draft, question: OpenQuestion, cause: Again): LineName {
  if (cause === 'no-input') return 'stillThere';
  if (question.text === '') return 'again';
  if (cause === 'aside' || cause === 'early') return 'putAgain';
  // After a no to "Would you like to book?", no required value is missing.
  if (cause === 'refused') return question.isLine ? 'putAgain' : 'neededAnyway';
  // "We have roses and tulips. Sorry, I did not get that." would contradict itself.
  return state.said.text === '' ? 'againQuestion' : 'putAgain';
}

function helpFor(question: OpenQuestion, choices: string | null): LineName {
  if (question.isYesOrNo) return 'yesOrNo';
  return choices === null ? 'youCanSayBriefly' : 'youCanSay';
}

function speakQuestion(draft: Draft, question: OpenQuestion, text: string, isProtected: boolean): void {
  const generated = openQuestion(draft);
  const wait = openConfirmation(draft);
  if (generated !== null) ask(draft, generated, text);
  else if (wait !== undefined && isUnheard(wait)) {
    // The question was not heard, so no yes can answer it: it is opened again.
    const { subject } = wait.payload;
    settle(draft, wait, 'cancelled');
    openWait(draft, text, subject);
  } else {
    if (wait === undefined && question.slot !== null) draft.state.pendingAskKey = question.slot.name;
    intend(draft, { kind: 'say', payload: { text, reason: 'ask', ...(isProtected ? { protected: true } : {}) } });
  }
}

/** Gives the question up: follows its ladder's target, else the target for trouble. */
function leave(draft: Draft, node: GraphNode, slot: GraphSlot | null, cause: Miss): void {
  if (draft.state.generator !== null) {
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
    if (wait?.payload.subject.kind === 'slot') clearSlot(draft, slot.name);
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
