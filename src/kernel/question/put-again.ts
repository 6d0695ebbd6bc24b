import type { LineName } from '../../model/ports/reader.ts';
import type { GraphNode } from '../../flow/graph/graph.ts';
import { fillLine } from '../../flow/expression/sentences.ts';
import { type Draft, intend, isUnheard, noteSilence, settle } from '../state/draft.ts';
import { hasAct } from '../dialogue/utterance.ts';
import { ask, openQuestion } from '../generator/frame.ts';
import { sayableFor } from './ladder-help.ts';
import { speakWording } from '../state/names.ts';
import type { OpenQuestion } from './open-question.ts';
import type { LadderState } from '../state/dialogue.ts';
import { openConfirmation, openWait } from '../wait/waits.ts';
import { type Again, asidesBeforeHelp, defaultAttempts, ladderRule, type Miss, missesOf } from './ladder-rule.ts';

/** Every nth repetition is in full, because the short form alone may not be clear. */
const shortPuts = 3;

export interface PutAgain {
  readonly question: OpenQuestion;
  readonly cause: Again;
  readonly ladder: LadderState;
  readonly reason: string;
}

/** Says the question in a wording that differs from the last one. */
export function put(draft: Draft, node: GraphNode, again: PutAgain): void {
  const { question, reason } = again;
  const candidates = [...authoredLine(draft, node, again), ...builtInLines(draft, node, again)];
  const before = draft.state.dialogue.saidBefore.text;
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
  const isMisheard = draft.restated.size > 0 || hasAct(draft.state.turn.words?.utterance, 'restate');
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
  // After a no to "Would you like to book?" or to a consent, no required value is missing.
  if (cause === 'refused') return question.isLine || question.isWhole ? 'putAgain' : 'neededAnyway';
  // "We have roses and tulips. Sorry, I did not get that." would contradict itself.
  return state.dialogue.said.text === '' ? 'againQuestion' : 'putAgain';
}

function helpFor(question: OpenQuestion, choices: string | null): LineName {
  if (question.isYesOrNo) return 'yesOrNo';
  return choices === null ? 'youCanSayBriefly' : 'youCanSay';
}

function speakQuestion(draft: Draft, question: OpenQuestion, text: string, isProtected: boolean): void {
  const generated = openQuestion(draft);
  const wait = openConfirmation(draft);
  if (generated !== null) ask(draft, generated, text);
  else if (wait !== undefined && isUnheard(draft.state, wait.key)) {
    // The question was not heard, so no yes can answer it: it is opened again.
    const { subject } = wait.payload;
    settle(draft, wait, 'cancelled');
    openWait(draft, text, subject);
  } else {
    if (wait === undefined && question.slot !== null) draft.state.dialogue.pendingAskKey = question.slot.name;
    intend(draft, { kind: 'say', payload: { text, reason: 'ask', ...(isProtected ? { protected: true } : {}) } });
  }
}
