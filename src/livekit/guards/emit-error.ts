import type { stt, tts } from '@livekit/agents';

type SttError = Parameters<stt.STT['emit']>[1] & { readonly type: 'stt_error' };
type TtsError = Parameters<tts.TTS['emit']>[1] & { readonly type: 'tts_error' };

/** The event of a recogniser that goes on after this error. */
export function sttError(ears: stt.STT, cause: unknown): SttError {
  const error = cause instanceof Error ? cause : new Error('It failed.');
  return { type: 'stt_error', timestamp: Date.now(), label: ears.label, error, recoverable: true };
}

/** Emits an error of a plug-in. The session hears it, and the caller of this goes on. */
export function emitError(plugIn: stt.STT, event: SttError): void;
export function emitError(plugIn: tts.TTS, event: TtsError): void;
export function emitError(plugIn: { emit(name: 'error', event: never): boolean }, event: unknown): void {
  try {
    plugIn.emit('error', event as never); // The two signatures above say which event is whose.
  } catch {
    // LiveKit's adapter emits it again on an object without a listener, which throws. The session has heard it by then.
  }
}
