import type { ChoiceQuestion } from '../../model/dialogue.ts';
import type { UserTurn } from '../../model/signals/signal.ts';
import type { TaskAnswered, TaskAsked } from '../../model/signals/task-signal.ts';
import { fillLine, lineInTurn } from '../../flow/expression/sentences.ts';
import type { GraphNode } from '../../flow/graph/graph.ts';
import type { Speech } from '../../model/ports/reader.ts';
import { addSaid, type Draft, notePut, noteSilence, emit } from '../state/draft.ts';
import { defaultAttempts, ladderRule, putsPerAttempt } from '../question/ladder-rule.ts';
import type { SessionState } from '../state/state.ts';

/** A question of a task to the caller. The host speaks its line and passes the answer to the task. */
export interface TaskQuestion extends ChoiceQuestion {
  readonly key: string;
  /** The line with the question. Each repetition has its own key. */
  readonly line: { readonly key: string; readonly text: string; readonly isProtected: boolean };
  readonly puts: number;
  /** Consecutive answers without a choice, and silences. If the task asks the same again, the count continues. */
  readonly misses: number;
  /** Null while the question is open. */
  readonly answer: TaskAnswer | null;
}

export type Missed = 'no-match' | 'no-input';

/** The end of a task's question: words with the choice they mean, or none after too many repetitions. */
export type TaskAnswer =
  | { readonly kind: 'words'; readonly choice: string | null }
  | { readonly kind: 'none'; readonly cause: Missed };

/** Returns the open question of a task; null if there is none. */
export function openTaskQuestion({ dialogue: { taskQuestion } }: Pick<SessionState, 'dialogue'>): TaskQuestion | null {
  return taskQuestion?.answer === null ? taskQuestion : null;
}

/** Asks a task's question, with help if the caller has missed it before. */
export function askByTask(draft: Draft, { key, question, choices, takesText, affirms, denies }: TaskAsked): void {
  const before = draft.state.dialogue.taskQuestion;
  const { misses, puts } = before?.question === question && before.misses > 0 ? before : { misses: 0, puts: 0 };
  const asked = {
    ...{ key, question, choices },
    ...(takesText === undefined ? {} : { takesText }),
    ...(affirms === undefined ? {} : { affirms }),
    ...(denies === undefined ? {} : { denies }),
  };
  put(draft, { ...asked, puts, misses, answer: null }, wordsFor(draft.graph.speech, asked, misses, null));
}

/** Closes the question: the task no longer waits. */
export function closeTaskQuestion({ state }: Draft, { key }: TaskAnswered): void {
  if (openTaskQuestion(state)?.key === key) state.dialogue.taskQuestion = null;
}

/** Passes the words to the task. */
export function answerTask(draft: Draft, turn: UserTurn, choice: string | null): void {
  const asked = openTaskQuestion(draft.state);
  if (asked === null) return;
  // The task judges them: it may ask the same again.
  const isMissed = choice === null && asked.choices.length > 0 && asked.takesText !== true;
  const misses = isMissed ? asked.misses + 1 : 0;
  draft.state.dialogue.taskQuestion = { ...asked, misses, answer: { kind: 'words', choice } };
  noteAnswered(draft, turn);
}

/** Repeats the question with help, because the words do not answer it. */
export function missTaskQuestion(draft: Draft, node: GraphNode, { eventId, via }: UserTurn): void {
  emit(draft, { type: 'turn:started', data: { eventId, via } });
  putTaskQuestionAgain(draft, node, 'no-match');
}

export function noteAnswered(draft: Draft, { eventId, via }: UserTurn): void {
  emit(draft, { type: 'turn:answered', data: { eventId, via } });
}

/** Repeats a question that was answered before it was heard, without interruption. */
export function putTaskQuestionEarly(draft: Draft, node: GraphNode, turn: UserTurn): void {
  putWithoutMiss(draft, node, turn, (asked) => asked.question, true);
}

/** Repeats the question with its choices after a question of the caller's. The count of misses stays. */
export function putTaskQuestionAside(draft: Draft, node: GraphNode, turn: UserTurn): void {
  const { speech } = draft.graph;
  putWithoutMiss(draft, node, turn, (asked) => wordsFor(speech, asked, asked.misses + 1, null), false);
}

/** Repeats the question. The total number of repetitions is limited. */
function putWithoutMiss(
  draft: Draft,
  node: GraphNode,
  { eventId, via }: UserTurn,
  words: (asked: TaskQuestion) => string,
  isProtected: boolean,
): void {
  const asked = openTaskQuestion(draft.state);
  if (asked === null) return;
  emit(draft, { type: 'turn:started', data: { eventId, via } });
  if (asked.puts >= putsPerAttempt * attemptsAt(draft, node)) leaveUnanswered(draft, asked, 'no-match');
  else put(draft, asked, words(asked), isProtected);
}

/** Repeats the open question after a takeover, without counting a miss. */
export function repeatTaskQuestion(draft: Draft): void {
  const asked = openTaskQuestion(draft.state);
  if (asked !== null) put(draft, asked, asked.line.text);
}

/** Counts a miss and repeats the question. After the node's allowed misses the task stays unanswered. */
export function putTaskQuestionAgain(draft: Draft, node: GraphNode, cause: Missed): void {
  const asked = openTaskQuestion(draft.state);
  if (asked === null) return;
  const misses = asked.misses + 1;
  const of = attemptsAt(draft, node);
  emit(draft, { type: 'question:missed', data: { cause, attempt: misses, of } });
  if (misses >= of) return leaveUnanswered(draft, { ...asked, misses }, cause);
  put(draft, { ...asked, misses }, wordsFor(draft.graph.speech, asked, misses, cause));
  if (cause === 'no-input') noteSilence(draft);
}

function attemptsAt(draft: Draft, node: GraphNode): number {
  return ladderRule(draft, node, null, 'attempts') ?? defaultAttempts;
}

function leaveUnanswered({ state }: Draft, asked: TaskQuestion, cause: Missed): void {
  state.dialogue.taskQuestion = { ...asked, answer: { kind: 'none', cause } };
}

function put(draft: Draft, asked: Omit<TaskQuestion, 'line'>, text: string, isProtected = false): void {
  const puts = asked.puts + 1;
  const key = puts === 1 ? asked.key : `${asked.key}/${puts}`;
  draft.state.dialogue.taskQuestion = { ...asked, puts, line: { key, text, isProtected } };
  notePut(draft, key, text, asked.key);
  addSaid(draft, text);
}

/** The lines of a language that repeat a question. */
interface SpokenPuts extends Pick<Speech, 'anyOf'> {
  readonly lines: Pick<Speech['lines'], 'youCanSay' | 'stillThere'>;
}

/**
 * Returns the wording. The author's text usually names the choices: they are added after one miss and given as help
 * after two.
 */
export function wordsFor(
  { lines, anyOf }: SpokenPuts,
  { question, choices }: ChoiceQuestion,
  misses: number,
  cause: Missed | null,
): string {
  if (misses > 1 && choices.length > 0)
    return fillLine(lineInTurn(lines.youCanSay, misses), { question, choices: anyOf(choices) });
  if (cause === 'no-input') return fillLine(lineInTurn(lines.stillThere, misses - 1), { question });
  if (misses === 0 || choices.length === 0) return question;
  return `${question} ${choices.join(', ')}?`;
}
