import { FlowError } from '../../errors.ts';
import { fillLine } from '../../expression/sentences.ts';
import type { Answer } from '../../ports/channel.ts';
import type { Speech } from '../../ports/reader.ts';
import type { Clock } from '../../ports/time.ts';
import type { TaskQuestions } from '../../turn/engine/task-questions.ts';
import { timeLimit } from '../../turn/engine/time-limit.ts';
import { isRefusal, spokenChoice } from '../../turn/words/spoken-choice.ts';
import { wasPut } from '../../turn/words/was-put.ts';

/** What tasks ask the caller of a conversation, aloud and one after the other: the caller's next turn is the answer. */
export interface CallerQuestions extends TaskQuestions {
  /** Throws `no-answer` where the question is taken back, and `caller-left` where the conversation is over before. */
  ask(question: string, choices: readonly string[], signal: AbortSignal): Promise<Answer>;
  /** Hears of a question that nobody is about to say, and of work that has asked and is over; the last listener counts. */
  listen(listener: Listener): void;
  /** Whether the open question is still to be said. */
  isUnsaid(): boolean;
  /** Whether the caller has heard of the open question, and so has the word. */
  isPut(): boolean;
  /** Tells what was heard of a line. False where the line is not the open question. */
  heard(key: string, text: string): boolean;
  /** Whether the line of this key is the open question and is to be heard whole, because it was answered too early. */
  isProtected(key: string): boolean;
  /** Waits for something, or until the caller has the word, whichever comes first. */
  unlessPut(work: Promise<unknown>): Promise<void>;
  /** Lets the open question be said anew, for a caller who was away; false where there is none. */
  repeat(): boolean;
  /** Ends all questions, because the caller has left. */
  end(): void;
}

/** How long an answer waits to learn what was heard of the question that it cut off, in milliseconds. */
const heardWithinMs = 300;

interface Listener {
  readonly onAsked: () => void;
  readonly onWorkOver: () => void;
}

interface OpenQuestion {
  readonly key: string;
  readonly question: string;
  readonly choices: readonly string[];
  /** How many answers before named no choice. */
  readonly unclear: number;
  /** A question of which nothing was heard goes back to `unsaid`, and so does one that was answered too early. */
  state: 'unsaid' | 'said' | 'heard';
  /** The words of its line, and what was heard of them; null where that is not known. */
  line: { readonly text: string; heard: string | null };
  wasEarly: boolean;
  readonly settle: (outcome: Answer | FlowError) => void;
  readonly takeBack: () => void;
}

export function createCallerQuestions(sessionId: string, clock: Clock): CallerQuestions {
  const speakers = createWaiters();
  const listeners = createWaiters();
  const watchers = createWaiters();
  let open: OpenQuestion | null = null;
  let count = 0;
  let isOver = false;
  let wasAnswered = false;
  /** The last question, where no answer named a choice, and the number of those answers; else null. */
  let unclear: { readonly question: string; readonly answers: number } | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let listener: Listener = { onAsked: () => undefined, onWorkOver: () => undefined };

  const askOne = (question: string, choices: readonly string[], signal: AbortSignal): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (isOver) throw new FlowError('caller-left', 'the caller has left before the question was asked.');
      if (signal.aborted) throw new FlowError('no-answer', 'the question was taken back before it was asked.');
      const takeBack = (): void =>
        one.settle(new FlowError('no-answer', 'the question was taken back before it was answered.'));
      const one: OpenQuestion = {
        key: `${sessionId}/asked/${(count += 1)}`,
        question,
        choices,
        unclear: unclear?.question === question ? unclear.answers : 0,
        state: 'unsaid',
        line: { text: question, heard: null },
        wasEarly: false,
        takeBack,
        settle(outcome) {
          if (open !== one) return;
          open = null;
          signal.removeEventListener('abort', takeBack);
          if (outcome instanceof FlowError) reject(outcome);
          else resolve(outcome);
        },
      };
      open = one;
      wasAnswered = false;
      if (unclear?.question !== question) unclear = null;
      signal.addEventListener('abort', takeBack);
      watchers.wake();
      if (!speakers.wake()) listener.onAsked();
    });

  return {
    ask(question, choices, signal) {
      const answer = last.then(() => askOne(question, choices, signal));
      last = answer.catch(() => undefined);
      return answer;
    },
    listen: (one) => void (listener = one),
    workIsOver: () => listener.onWorkOver(),
    isOpen: () => open !== null,
    isUnsaid: () => open?.state === 'unsaid',
    isPut: () => open?.state === 'heard',
    takeLine(speech) {
      if (open?.state !== 'unsaid') return null;
      open.state = 'said';
      open.line = { text: wordsFor(open, speech), heard: null };
      return { key: open.key, text: open.line.text };
    },
    heard(key, text) {
      if (open?.key !== key) return false;
      open.line.heard = text;
      open.state = text === '' ? 'unsaid' : 'heard';
      listeners.wake();
      return true;
    },
    isProtected: (key) => open?.key === key && open.wasEarly,
    async isAnswered() {
      const asked = open;
      if (asked?.state === 'said')
        await timeLimit(listeners.unless(new Promise(() => undefined)), clock, heardWithinMs);
      return open !== null && open === asked && open.state !== 'unsaid';
    },
    take(text, { reader }, heard = []) {
      if (open === null) return;
      const { key, line, question, choices, settle } = open;
      const choice = choices.length === 0 ? undefined : spokenChoice(reader, text, choices, question);
      const known = heard.find((one) => one.key === key)?.text ?? line.heard;
      if (choice !== undefined && !isRefusal(reader, choice) && !wasPut(line.text, known, choices)) {
        open.state = 'unsaid';
        open.wasEarly = true;
        return;
      }
      const answers = unclear === null ? 1 : unclear.answers + 1;
      unclear = choices.length > 0 && choice === undefined ? { question, answers } : null;
      wasAnswered = true;
      settle({ content: text, ...(choice === undefined ? {} : { choice }) });
    },
    takeBack: () => open?.takeBack(),
    wasAnswered() {
      const answered = wasAnswered;
      wasAnswered = false;
      return answered;
    },
    unlessAsked: (work) => (open === null ? speakers.unless(work) : Promise.resolve()),
    untilAsked: (work) => (open === null ? watchers.unless(work) : Promise.resolve()),
    unlessPut: (work) => (open?.state === 'heard' ? Promise.resolve() : listeners.unless(work)),
    repeat() {
      if (open !== null) open.state = 'unsaid';
      return open !== null;
    },
    end() {
      isOver = true;
      open?.settle(new FlowError('caller-left', 'the caller has left before the question was answered.'));
    },
  };
}

/** The author's words usually name the choices: they are added after one unclear answer, and said as help after two. */
function wordsFor({ question, choices, unclear }: OpenQuestion, { lines, anyOf }: Speech): string {
  if (unclear === 0 || choices.length === 0) return question;
  if (unclear === 1) return `${question} ${choices.join(', ')}?`;
  const help = lines.youCanSay[unclear % lines.youCanSay.length] ?? lines.youCanSay[0];
  return fillLine(help, { question, choices: anyOf(choices) });
}

/** Waits that can be broken off. */
interface Waiters {
  /** Ends all waits that are under way; returns whether there was one. */
  wake(): boolean;
  /** Resolves with the work or with the next `wake`, whichever comes first. */
  unless(work: Promise<unknown>): Promise<void>;
}

function createWaiters(): Waiters {
  const waiting = new Set<() => void>();
  return {
    wake() {
      const all = [...waiting];
      for (const goOn of all) goOn();
      return all.length > 0;
    },
    unless: (work) =>
      new Promise((resolve) => {
        const goOn = (): void => {
          waiting.delete(goOn);
          resolve();
        };
        waiting.add(goOn);
        work.then(goOn, goOn);
      }),
  };
}
