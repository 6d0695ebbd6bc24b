import type { Clock } from '../model/ports/time.ts';
import type { TextSink } from '../livekit/agent/text-session.ts';

/** The agent's voice in a simulation: each word takes time on the clock. */
export interface PacedSpeech extends TextSink {
  /** Words begun since the count was last reset. */
  readonly words: number;
  /** When the first of them began, in epoch milliseconds, or null if there is none. */
  readonly beganAt: number | null;
  /** Counts words from 0 again. */
  restart(): void;
  /** The caller interrupts: the rest of the line is not waited for. */
  cut(): void;
}

/** A voice on a clock. `wordMs` returns the duration of the next word. */
export function createPacedSpeech(clock: Clock, wordMs: () => number): PacedSpeech {
  let words = 0;
  let beganAt: number | null = null;
  let isCut = false;
  let endWord = (): void => undefined;
  return {
    get words() {
      return words;
    },
    get beganAt() {
      return beganAt;
    },
    restart() {
      words = 0;
      beganAt = null;
    },
    cut() {
      isCut = true;
      endWord();
    },
    async write(text) {
      const count = text.match(/\S+/g)?.length ?? 0;
      for (let word = 0; word < count; word += 1) {
        if (isCut) return;
        beganAt ??= clock.now();
        words += 1;
        const durationMs = wordMs();
        if (durationMs === 0) continue;
        await new Promise<void>((resolve) => {
          const cancel = clock.schedule(durationMs, resolve);
          endWord = () => {
            cancel();
            resolve();
          };
        });
      }
    },
    end() {
      isCut = false;
    },
  };
}
