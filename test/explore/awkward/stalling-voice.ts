import type { TextSink } from '../../../src/livekit/agent/text-session.ts';

/** The agent's voice. It plays at once, or stops after a number of words until the caller interrupts. */
export interface StallingVoice extends TextSink {
  /** Returns what was played since the last `take`. */
  take(): string;
  /** Stops after `words` words, counted from now or from the first match of `from`. `Infinity` plays everything. */
  stopAfter(words: number, from?: RegExp): void;
  /** Whether it has stopped and waits for the caller. */
  readonly isStopped: boolean;
  /** Interrupts: the rest of the line is not played. */
  cut(): void;
  /** Plays the rest of the line. */
  goOn(): void;
}

/** If `stops` is false, the voice always plays to the end. */
export function createStallingVoice(stops = true): StallingVoice {
  let played = '';
  let left = Infinity;
  let begin: RegExp | undefined;
  let isStopped = false;
  let isCut = false;
  let release = (): void => undefined;
  return {
    get isStopped() {
      return isStopped;
    },
    take() {
      const text = played.replaceAll(/\s+/g, ' ').trim();
      played = '';
      return text;
    },
    stopAfter(words, from) {
      left = stops ? words : Infinity;
      begin = from;
    },
    cut() {
      isCut = isStopped;
      isStopped = false;
      release();
    },
    goOn() {
      left = Infinity;
      isStopped = false;
      release();
    },
    async write(text) {
      if (isStopped || isCut) return;
      played += text;
      if (begin?.test(played) === false) return;
      left -= text.match(/\S+/g)?.length ?? 0;
      if (left > 0) return;
      isStopped = true;
      await new Promise<void>((resolve) => (release = resolve));
    },
    end() {
      if (!isStopped && !isCut) played += ' ';
      isCut = false;
    },
  };
}
