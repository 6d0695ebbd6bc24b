import type { llm } from '@livekit/agents';
import type { Clock } from '../../ports/time.ts';
import type { RealtimeProvider } from './provider.ts';

/** How long after the caller a model that answers by itself may begin to, in milliseconds. */
const answersWithinMs = 3_000;

/** The same where its words are known or will never be, as long as it has not shown what it does. */
const showsWithinMs = { understood: 200, unheard: 1_000 };

export interface ModelAnswersOptions {
  readonly clock: Clock;
  /** Whether the model tells the words of the caller. */
  readonly tellsWords: boolean;
  readonly provider: () => RealtimeProvider | null;
  /** The caller's turn is complete: an answer of the model waits for the flow, or is left to us. */
  readonly onTurn: () => void;
}

/** An answer to one turn of the caller; no other turn is answered with it. */
export interface ModelAnswer {
  readonly generation: llm.GenerationCreatedEvent;
  /** The visit of the node that it was made under. */
  readonly visit: number | null;
}

/**
 * What a realtime model that notices turns by itself answers the caller. Where it turns out that it only notices them,
 * the turn is told all the same: it is ours to answer.
 */
export interface ModelAnswers {
  /** Takes a generation that the model began by itself. */
  offer(generation: llm.GenerationCreatedEvent): void;
  /** The answer that waits, if it is `wanted` and was made under the view of this visit; any other is thrown away. */
  take(wanted: ModelAnswer | null, visit: number): Promise<llm.GenerationCreatedEvent | null>;
  drop(): Promise<void>;
  /** What waits for the flow to want it. */
  readonly waiting: ModelAnswer | null;
  /** The caller begins to speak: what was answered before is not wanted any more. */
  begin(): void;
  /** The caller has stopped. */
  stop(): void;
  /** The caller's words are known; none where it was no speech. */
  understand(text: string): void;
  /** Stops waiting for an answer. */
  close(): void;
}

export function createModelAnswers({ clock, tellsWords, provider, onTurn }: ModelAnswersOptions): ModelAnswers {
  let waiting: ModelAnswer | null = null;
  let isTold = true;
  /** Whether this model answers by itself, as far as it has shown. */
  let answers: boolean | null = null;
  let cancelWait = (): void => undefined;

  const drop = async (): Promise<void> => {
    const dropped = waiting?.generation;
    waiting = null;
    const behind = provider();
    if (dropped === undefined || behind === null) return;
    await behind.drop(dropped);
    // A model that answers the next words by itself is not to find this among what it said.
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
      // The turn was told before the model made up its mind, and is being answered.
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
