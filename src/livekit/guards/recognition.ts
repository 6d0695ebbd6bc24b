// `@livekit/agents` 1.9.0: `stt.StreamAdapter` catches and logs the error of a failed utterance without reporting it,
// so that the agent waits for words that were never recognised. It also has no timeout. Upstream:
// https://github.com/livekit/agents-js/pull/299 introduced it. Reproduced in test/livekit/guards/recognition.test.ts.
import { APIConnectionError, type stt } from '@livekit/agents';
import { setTimeout as pause } from 'node:timers/promises';
import { emitError, sttError } from './emit-error.ts';

/** Timeout for recognising one utterance over a network, in milliseconds. */
export const recogniseWithinMs = 4_000;

const lostUtterances = new WeakSet<object>();
const unclearUtterances = new WeakSet<object>();

/** Checks whether an error event of a recogniser means that one utterance was lost. */
export function isUtteranceLost(error: object): boolean {
  return lostUtterances.has(error);
}

/** Creates the error event of a recogniser that heard speech without a certain word. */
export function unclearUtterance(ears: stt.STT): ReturnType<typeof sttError> {
  const event = sttError(ears, new Error('No word was understood.'));
  unclearUtterances.add(event);
  return event;
}

/** Checks whether an error event comes from `unclearUtterance`. */
export function isUtteranceUnclear(error: object): boolean {
  return unclearUtterances.has(error);
}

/**
 * Makes a recogniser without streams try each utterance twice, within `withinMs` milliseconds each. Emits an error event
 * if both fail, or if it reports a confidence without words. `withinMs` is null for a recogniser with its own limit.
 */
export function guardRecognition(ears: stt.STT, withinMs: number | null): void {
  const recognise = ears.recognize.bind(ears);
  const within = async (audio: Parameters<stt.STT['recognize']>[0], signal?: AbortSignal): Promise<stt.SpeechEvent> => {
    if (withinMs === null) return await recognise(audio, signal);
    const limit = new AbortController();
    const late = pause(withinMs, undefined, { signal: limit.signal, ref: false }).then(() => {
      throw new APIConnectionError({ message: 'The recogniser took too long.', options: { retryable: false } });
    });
    late.catch(() => undefined);
    try {
      return await Promise.race([recognise(audio, signal), late]);
    } finally {
      limit.abort();
    }
  };
  ears.recognize = async (audio, signal) => {
    try {
      const event = await within(audio, signal).catch((error: unknown) => {
        if (signal?.aborted === true || !isWorthAnother(error)) throw error;
        return within(audio, signal);
      });
      const [heard] = event.alternatives ?? [];
      if (heard !== undefined && heard.text === '' && heard.confidence > 0) {
        emitError(ears, unclearUtterance(ears));
      }
      return event;
    } catch (error) {
      if (signal?.aborted !== true) {
        const event = sttError(ears, error);
        lostUtterances.add(event);
        emitError(ears, event);
      }
      throw error;
    }
  };
}

function isWorthAnother(error: unknown): boolean {
  if (error instanceof APIConnectionError) return error.retryable;
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status !== 'number' || status === 429 || status >= 500;
}
