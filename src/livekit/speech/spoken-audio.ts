import { AudioFrame } from '@livekit/rtc-node';
import { ReadableStream } from 'node:stream/web';
import type { Clock } from '../../model/ports/time.ts';
import { timeLimit } from '../../engine/time-limit.ts';

export interface SpokenAudioOptions {
  readonly clock: Clock;
  readonly text: ReadableStream<string>;
  /** Receives the text as it arrives. */
  onText(piece: string): void;
  /** Begins to synthesise. The frames end without an error even if the voice failed. */
  synthesise(text: ReadableStream<string>): Promise<ReadableStream<AudioFrame> | null>;
  /** How long the voice may delay once it has the whole text, in milliseconds. */
  readonly patienceMs: number;
  /** Returns the number of errors that the voice has reported so far. */
  errors(): number;
  /** The voice stayed silent or broke off. Called once per attempt, unless the voice reported an error itself. */
  onTrouble(reason: 'late' | 'silent'): void;
  /** Called once with whether the whole text had sound. `unheard` is the text if it had no sound at all. */
  onOutcome(wasSpoken: boolean, unheard: string): void;
}

/** Lower bound for a voice's pace, in characters per second, so that a retry rather repeats text than skips it. */
const slowestPace = 10;

/**
 * Speaks one line within limits. A voice that fails, stays silent or breaks off is retried once for the sentences not
 * heard. After that the line continues without sound, which is shorter than the silence of LiveKit's own retries.
 */
export async function* spokenAudio(options: SpokenAudioOptions): AsyncGenerator<AudioFrame> {
  const source = createSource(options.text, (piece) => options.onText(piece));
  let seconds = 0;
  try {
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      if (attempt === 2) await source.whole;
      const errorsBefore = options.errors();
      const input = attempt === 1 ? source.live : streamOf(restOf(source.text(), seconds));
      let heard = 0;
      let reason: 'late' | 'silent' | null = null;
      const reader = (await options.synthesise(input))?.getReader();
      if (reader === undefined) return;
      try {
        for (;;) {
          const next = reader.read();
          // While the text is incomplete, the delay is not the voice's.
          await Promise.race([next, source.whole]);
          const result = await timeLimit(next, options.clock, options.patienceMs);
          if (result === 'late') {
            next.catch(() => undefined); // No longer awaited.
            reason = 'late';
            break;
          }
          if (result.done) break;
          heard += result.value.samplesPerChannel / result.value.sampleRate;
          yield result.value;
        }
      } catch {
        reason = 'silent';
      } finally {
        void reader.cancel().catch(() => undefined);
      }
      seconds += heard;
      const hasTold = options.errors() > errorsBefore;
      if (reason === null && !hasTold && heard === 0) {
        await source.whole;
        if (/[\p{L}\p{N}]/u.test(source.text())) reason = 'silent';
      }
      if (reason === null && !hasTold) {
        options.onOutcome(true, '');
        return;
      }
      if (reason !== null && !hasTold) options.onTrouble(reason);
    }
    options.onOutcome(false, seconds === 0 ? source.text() : '');
    // LiveKit shows a line in a room as it is heard; without any sound it would not even be readable.
    if (seconds === 0) yield moment();
  } finally {
    source.stop();
  }
}

/** Returns a moment of silence; LiveKit resamples it to the output. */
export function moment(): AudioFrame {
  return new AudioFrame(new Int16Array(2_400), 24_000, 1, 2_400);
}

/** Streams a text and keeps it whole, even if its reader stops early. */
function createSource(from: ReadableStream<string>, onText: (piece: string) => void) {
  let text = '';
  let isOpen = true;
  let isStopped = false;
  let finish = (): void => undefined;
  const whole = new Promise<void>((resolve) => (finish = resolve));
  const reader = from.getReader();
  const live = new ReadableStream<string>({
    async start(controller) {
      const pump = async (): Promise<void> => {
        try {
          for (let next = await reader.read(); !next.done && !isStopped; next = await reader.read()) {
            text += next.value;
            onText(next.value);
            if (isOpen) controller.enqueue(next.value);
          }
        } catch {
          // A text that breaks off is spoken as far as it arrived.
        }
        if (isOpen) controller.close();
        isOpen = false;
        finish();
      };
      void pump();
    },
    cancel: () => void (isOpen = false),
  });
  return {
    live,
    whole,
    text: () => text,
    stop: () => {
      isStopped = true;
      void reader.cancel().catch(() => undefined);
      finish();
    },
  };
}

/** Returns the rest of a text, from the sentence that the voice had reached after `seconds`. */
function restOf(text: string, seconds: number): string {
  const sentences = [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text)];
  const reached = seconds * slowestPace;
  return text.slice(sentences.findLast(({ index }) => index <= reached)?.index ?? 0);
}

export function streamOf(text: string): ReadableStream<string> {
  return new ReadableStream<string>({
    start(controller) {
      controller.enqueue(text);
      controller.close();
    },
  });
}
