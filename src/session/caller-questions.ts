import type { voice } from '@livekit/agents';
import { FlowError } from '../errors.ts';
import type { Answer } from '../ports/channel.ts';
import type { Clock } from '../ports/time.ts';
import type { TaskQuestions } from '../turn/engine.ts';
import { timeLimit } from '../turn/time-limit.ts';
import type { LiveSession } from './live-session.ts';
import { spokenChoice } from './spoken-choice.ts';

/** What tasks ask the caller of a conversation, aloud and one after the other: the caller's next turn is the answer. */
export interface CallerQuestions extends TaskQuestions {
  /**
   * Asks, once nobody speaks any more. Throws `no-channel` where the session cannot speak the words, `no-answer` where
   * the question is taken back, and `caller-left` where the conversation is over before it is answered.
   */
  ask(question: string, choices: readonly string[], signal: AbortSignal): Promise<Answer>;
  /** Whether it was put, so that the caller has the word. */
  readonly isPut: boolean;
  /** Resolves when the open question was put; at once where there is none. */
  whenPut(): Promise<void>;
  /** Nobody is there to be asked any more. */
  end(): void;
}

/** How long after an interruption without words a question that nobody heard is asked again, in milliseconds. */
const againAfterMs = 1_500;
/** How long an answer waits to learn what was heard of the question that it cut off, in milliseconds. */
const heardWithinMs = 300;

interface OpenQuestion {
  readonly question: string;
  readonly words: string;
  readonly choices: readonly string[];
  handle: voice.SpeechHandle;
  cancelAgain: () => void;
  readonly settle: (outcome: Answer | FlowError) => void;
}

export function createCallerQuestions(session: LiveSession, clock: Clock): CallerQuestions {
  const waiting = new Set<() => void>();
  let open: OpenQuestion | null = null;
  let isOver = false;
  let wasAnswered = false;
  /** What was asked last, where its answer named no choice. */
  let unclear: string | null = null;
  let last: Promise<unknown> = Promise.resolve();

  const speak = (words: string): voice.SpeechHandle => {
    try {
      return session.say(words);
    } catch (cause) {
      throw new FlowError('no-channel', 'the session has no voice that could ask the caller. Name a tts.', { cause });
    }
  };
  const put = (one: OpenQuestion): void => {
    one.handle.addDoneCallback(() => {
      if (open === one && !isHeard(one.handle)) one.cancelAgain = clock.schedule(againAfterMs, () => again(one));
    });
  };
  /** Nobody heard a word of it: it is asked once more, when nobody speaks. */
  const again = (one: OpenQuestion): void => {
    if (open !== one) return;
    if (session.userState === 'speaking' || session.agentState === 'speaking') {
      one.cancelAgain = clock.schedule(againAfterMs, () => again(one));
      return;
    }
    try {
      one.handle = speak(one.words);
      put(one);
    } catch (error) {
      one.settle(error as FlowError); // `speak` throws no other.
    }
  };
  const askOne = (question: string, choices: readonly string[], signal: AbortSignal): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (isOver) throw left();
      if (signal.aborted) throw takenBack();
      // The choices are part of the author's words, mostly: they are named where those were not enough.
      const words = unclear === question && choices.length > 0 ? `${question} ${choices.join(', ')}?` : question;
      const giveUp = (): void => one.settle(takenBack());
      const one: OpenQuestion = {
        question,
        words,
        choices,
        handle: speak(words),
        cancelAgain: () => undefined,
        settle(outcome) {
          if (open !== one) return;
          open = null;
          one.cancelAgain();
          signal.removeEventListener('abort', giveUp);
          if (outcome instanceof FlowError) {
            if (!one.handle.done() && one.handle.allowInterruptions) one.handle.interrupt();
            reject(outcome);
          } else resolve(outcome);
        },
      };
      open = one;
      wasAnswered = false;
      unclear = null;
      signal.addEventListener('abort', giveUp);
      put(one);
      for (const goOn of [...waiting]) goOn();
    });

  return {
    ask(question, choices, signal) {
      const answer = last.then(() => askOne(question, choices, signal));
      last = answer.catch(() => undefined);
      return answer;
    },
    get isOpen() {
      return open !== null;
    },
    get isPut() {
      return open !== null && open.handle.done();
    },
    async isAnswered() {
      if (open === null) return false;
      const { handle } = open;
      if (handle.interrupted && !handle.done()) await timeLimit(playedOut(handle), clock, heardWithinMs);
      return isHeard(handle);
    },
    take(text) {
      if (open === null) return;
      const { question, choices, settle } = open;
      const choice = choices.length === 0 ? undefined : spokenChoice(text, choices);
      if (choices.length > 0 && choice === undefined) unclear = question;
      wasAnswered = true;
      settle({ content: text, ...(choice === undefined ? {} : { choice }) });
    },
    wasAnswered() {
      const answered = wasAnswered;
      wasAnswered = false;
      return answered;
    },
    unlessAsked(work) {
      if (open !== null) return Promise.resolve();
      return new Promise((resolve) => {
        const goOn = (): void => {
          waiting.delete(goOn);
          resolve();
        };
        waiting.add(goOn);
        work.then(goOn, goOn);
      });
    },
    async whenPut() {
      if (open !== null) await playedOut(open.handle);
    },
    end() {
      isOver = true;
      open?.settle(left());
    },
  };
}

/** Whether anything of a question was heard: an answer to words that nobody heard is none. */
function isHeard(handle: voice.SpeechHandle): boolean {
  if (!handle.done()) return false;
  return !handle.interrupted || handle.chatItems.some((item) => item.type === 'message' && item.textContent !== '');
}

function playedOut(handle: voice.SpeechHandle): Promise<void> {
  return handle.waitForPlayout().catch(() => undefined);
}

function left(): FlowError {
  return new FlowError('caller-left', 'the caller has left before the question was answered.');
}

function takenBack(): FlowError {
  return new FlowError('no-answer', 'the question was taken back before it was answered.');
}
