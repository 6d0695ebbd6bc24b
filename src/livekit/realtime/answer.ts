import type { llm } from '@livekit/agents';
import type { Clock } from '../../model/ports/time.ts';
import type { RealtimeProvider } from './provider.ts';

/** How long after the caller a model that answers by itself may begin, in milliseconds. */
const answersWithinMs = 3_000;

/** The same until the model has shown whether it answers by itself: if its transcript is known, and if there will be none. */
const showsWithinMs = { understood: 200, unheard: 1_000 };

export interface ModelAnswersOptions {
  readonly clock: Clock;
  /** Whether the model transcribes the caller. */
  readonly tellsWords: boolean;
  readonly provider: () => RealtimeProvider | null;
  /** The caller's turn is complete: the model's answer waits for the flow, or the flow must answer. */
  readonly onTurn: () => void;
}

/** An answer of the model to one turn of the caller, used for no other turn. */
export interface ModelAnswer {
  readonly generation: llm.GenerationCreatedEvent;
  /** The visit of the node for which it was generated. */
  readonly visit: number | null;
}

/** Answers of a realtime model that detects turns itself. A model that only detects turns reports them too, and the flow answers. */
export interface ModelAnswers {
  /** Takes a generation that the model began by itself. */
  offer(generation: llm.GenerationCreatedEvent): void;
  /** Returns the waiting answer if it is `wanted` and was made in this visit. Any other answer is dropped. */
  take(wanted: ModelAnswer | null, visit: number): Promise<llm.GenerationCreatedEvent | null>;
  drop(): Promise<void>;
  /** The answer that waits for the flow. */
  readonly waiting: ModelAnswer | null;
  /** The caller begins to speak, so earlier answers are dropped. */
  begin(): void;
  /** The caller has stopped speaking. */
  stop(): void;
  /** The caller's transcript is known; an empty one was not speech. */
  understand(text: string): void;
  /** Stops waiting for an answer. */
  close(): void;
}

export function createModelAnswers({ clock, tellsWords, provider, onTurn }: ModelAnswersOptions): ModelAnswers {
  let waiting: ModelAnswer | null = null;
  let isTold = true;
  /** Whether this model answers by itself; null until it has shown. */
  let answers: boolean | null = null;
  let cancelWait = (): void => undefined;

  const drop = async (): Promise<void> => {
    const dropped = waiting?.generation;
    waiting = null;
    const behind = provider();
    if (dropped === undefined || behind === null) return;
    await behind.drop(dropped);
    // A model that answers the next words by itself must not find this in its context.
    await behind.sync().catch(() => undefined);
  };
  const tell = (): void => {
    cancelWait();
    if (isTold) return;
    isTold = true;
    onTurn();
  };
  const tellAfter = (delayMs: number): void => {
    cancelWait();
    if (isTold) return;
    cancelWait = clock.schedule(delayMs, () => {
      if (isTold) return;
      answers ??= false;
      tell();
    });
  };
  return {
    offer(generation) {
      void drop();
      waiting = { generation, visit: provider()?.visit ?? null };
      const isLate = isTold && answers === false;
      answers = true;
      // The turn was reported before the model answered, and is being answered by the flow.
      if (isLate) return void drop();
      isTold = false;
      tell();
    },
    async take(wanted, visit) {
      if (wanted === null || waiting !== wanted || wanted.visit !== visit) {
        await drop();
        return null;
      }
      waiting = null;
      return wanted.generation;
    },
    drop,
    get waiting() {
      return waiting;
    },
    begin() {
      cancelWait();
      isTold = false;
      void drop();
    },
    stop() {
      if (tellsWords || answers === true) tellAfter(answersWithinMs);
      else tellAfter(answers === false ? 0 : showsWithinMs.unheard);
    },
    understand(text) {
      if (text.trim() === '') cancelWait();
      else if (answers !== true) tellAfter(answers === false ? 0 : showsWithinMs.understood);
    },
    close: () => cancelWait(),
  };
}
