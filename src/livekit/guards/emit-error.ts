import type { stt, tts } from '@livekit/agents';

type SttError = Parameters<stt.STT['emit']>[1] & { readonly type: 'stt_error' };
type TtsError = Parameters<tts.TTS['emit']>[1] & { readonly type: 'tts_error' };

/** Creates the event of a recogniser that continues after this error. */
export function sttError(ears: stt.STT, cause: unknown): SttError {
  const error = cause instanceof Error ? cause : new Error('It failed.');
  return { type: 'stt_error', timestamp: Date.now(), label: ears.label, error, recoverable: true };
}

/** Emits an error of a plug-in to the session without throwing. */
export function emitError(plugIn: stt.STT, event: SttError): void;
export function emitError(plugIn: tts.TTS, event: TtsError): void;
export function emitError(plugIn: { emit(name: 'error', event: never): boolean }, event: unknown): void {
  try {
    plugIn.emit('error', event as never); // The two signatures above match events to plug-ins.
  } catch {
    // LiveKit's adapter re-emits it on an object without a listener, which throws. The session has received it already.
  }
}
