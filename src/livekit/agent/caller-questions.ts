import type { ChoiceQuestion } from '../../model/dialogue.ts';
import { FlowError } from '../../model/errors.ts';
import { openTaskQuestion } from '../../kernel/wait/task-question.ts';
import type { Answer } from '../../model/ports/channel.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { Engine } from '../../engine/engine.ts';
import type { TaskQuestions } from '../../engine/task-questions.ts';
import { timeLimit } from '../../engine/time-limit.ts';

/** Questions of tasks to the caller, one after the other. The session decides which words answer; this queue has the lines said. */
export interface CallerQuestions extends TaskQuestions {
  /** Sets the session that decides about the questions. Before that, none can be asked. */
  decideBy(session: Session): void;
  /**
   * Asks the caller. Throws `no-answer` if the question is withdrawn, `unanswered`
   * if it was asked too often, and `caller-left` if the conversation ends first.
   */
  ask(question: string, choices: readonly string[], signal: AbortSignal, takesText?: boolean): Promise<Answer>;
  /** Reports a question that no performance is about to say, and the end of work that had asked. Only the last listener counts. */
  listen(listener: Listener): void;
  /** Whether the open question has not been said yet. */
  isUnsaid(): boolean;
  /** Whether the caller has heard any of the open question, so that it is their turn. */
  isPut(): boolean;
  /** Records what was heard of a line. Returns false if the line is not the open question. */
  heard(key: string, text: string): boolean;
  /** Whether this line asks the open question and must be heard in full, because it was answered too early. */
  isProtected(key: string): boolean;
  /** Resolves when the work ends or the caller has heard the question, whichever comes first. */
  unlessPut(work: Promise<unknown>): Promise<void>;
  /** Has the open question said again for a caller who was away; false if there is none. */
  repeat(): boolean;
  /** Ends all questions because the caller has left. */
  end(): void;
}

/** How long an answer waits to learn how much was heard of the question it interrupted, in milliseconds. */
const heardWithinMs = 300;

interface Listener {
  readonly onAsked: () => void;
  readonly onWorkOver: () => void;
}

type Session = Pick<Engine, 'dispatch' | 'state'>;

interface OpenQuestion {
  readonly key: string;
  /** Key of the line that was given out last; null if none of it was heard, so that it must be said again. */
  given: string | null;
  /** Whether any of that line was heard. */
  isHeard: boolean;
  readonly settle: (outcome: Answer | FlowError) => void;
  readonly takeBack: () => void;
}

export function createCallerQuestions(sessionId: string, clock: Clock): CallerQuestions {
  const speakers = createWaiters();
  const listeners = createWaiters();
  const watchers = createWaiters();
  let session: Session | null = null;
  let open: OpenQuestion | null = null;
  let count = 0;
  let isOver = false;
  let wasAnswered = false;
  let last: Promise<unknown> = Promise.resolve();
  let listener: Listener = { onAsked: () => undefined, onWorkOver: () => undefined };

  /** Returns the open question in the session's state; null if it is decided. */
  const asked = () => {
    const question = session === null ? null : openTaskQuestion(session.state);
    return open !== null && question?.key === open.key ? question : null;
  };
  const isUnsaid = (): boolean => {
    const question = asked();
    return question !== null && question.line.key !== open?.given && session?.state.people.takeover === null;
  };
  const isPut = (): boolean => open?.isHeard === true && asked()?.line.key === open.given;
  // Deferred out of the step that ended the work, because each step is folded before the next begins.
  const close = async (key: string): Promise<void> => {
    await Promise.resolve();
    session?.dispatch({ signal: { type: 'task:answered', at: clock.now(), key } });
  };

  const askOne = (question: ChoiceQuestion, signal: AbortSignal): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (isOver) throw new FlowError('caller-left', 'the caller has left before the question was asked.');
      if (signal.aborted) throw new FlowError('no-answer', 'the question was taken back before it was asked.');
      const takeBack = (): void =>
        one.settle(new FlowError('no-answer', 'the question was taken back before it was answered.'));
      const one: OpenQuestion = {
        key: `${sessionId}/asked/${(count += 1)}`,
        given: null,
        isHeard: false,
        takeBack,
        settle(outcome) {
          if (open !== one) return;
          if (asked() !== null) void close(one.key);
          open = null;
          signal.removeEventListener('abort', takeBack);
          if (outcome instanceof FlowError) reject(outcome);
          else resolve(outcome);
        },
      };
      open = one;
      wasAnswered = false;
      signal.addEventListener('abort', takeBack);
      session?.dispatch({ signal: { type: 'task:asked', at: clock.now(), key: one.key, ...question } });
      if (asked() === null) {
        one.settle(new FlowError('no-answer', 'the conversation is over, so the question cannot be asked.'));
        return;
      }
      watchers.wake();
      if (!speakers.wake()) listener.onAsked();
    });

  return {
    decideBy: (one) => void (session = one),
    ask(question, choices, signal, takesText) {
      const one = { question, choices, ...(takesText === undefined ? {} : { takesText }) };
      const answer = last.then(() => askOne(one, signal));
      last = answer.catch(() => undefined);
      return answer;
    },
    listen: (one) => void (listener = one),
    workIsOver: () => listener.onWorkOver(),
    isOpen: () => open !== null,
    isUnsaid,
    isPut,
    takeLine() {
      const question = isUnsaid() ? asked() : null;
      if (open === null || question === null) return null;
      const { key, text } = question.line;
      open.given = key;
      open.isHeard = false;
      return { key, text };
    },
    heard(key, text) {
      if (open === null || open.given !== key) return false;
      open.isHeard = text !== '';
      if (text === '') open.given = null;
      listeners.wake();
      return true;
    },
    isProtected(key) {
      const line = asked()?.line;
      return line?.key === key && line.isProtected;
    },
    async isAnswered() {
      const one = open;
      if (one !== null && one.given !== null && !one.isHeard)
        await timeLimit(listeners.unless(new Promise(() => undefined)), clock, heardWithinMs);
      return open !== null && open === one && open.given !== null;
    },
    follow(signal) {
      const question = session?.state.dialogue.taskQuestion;
      if (open === null || question?.key !== open.key || question.answer === null) return;
      const { answer } = question;
      if (answer.kind === 'none') {
        open.settle(
          new FlowError(
            'unanswered',
            'the caller gave no answer, though the question was put several times. Put it so that its choices are plain.',
          ),
        );
        return;
      }
      wasAnswered = true;
      const content = signal.type === 'user:turn' ? signal.text : '';
      open.settle({ content, ...(answer.choice === null ? {} : { choice: answer.choice }) });
    },
    takeBack: () => open?.takeBack(),
    wasAnswered() {
      const answered = wasAnswered;
      wasAnswered = false;
      return answered;
    },
    unlessAsked: (work) => (open === null ? speakers.unless(work) : Promise.resolve()),
    untilAsked: (work) => (open === null ? watchers.unless(work) : Promise.resolve()),
    unlessPut: (work) => (isPut() ? Promise.resolve() : listeners.unless(work)),
    repeat() {
      if (open !== null) open.given = null;
      return open !== null;
    },
    end() {
      isOver = true;
      open?.settle(new FlowError('caller-left', 'the caller has left before the question was answered.'));
    },
  };
}

/** Waits that can be ended early. */
interface Waiters {
  /** Ends all current waits. Returns whether there were any. */
  wake(): boolean;
  /** Resolves with the work or the next `wake`, whichever comes first. */
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
