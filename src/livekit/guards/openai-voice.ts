// `@livekit/agents` and `@livekit/agents-plugin-openai` 1.9.0: a sentence that could not be synthesised rejects a promise
// that nobody holds (`ChunkedStream` of the base class), which ends the process; also where the caller has interrupted.
// Upstream: https://github.com/livekit/agents-js/issues/1095, mended for another plug-in only.
// The fault itself: test/livekit/guards/openai-voice.test.ts.
import type { tts } from '@livekit/agents';
import { emitError } from './emit-error.ts';

/** Makes a sentence that failed an error event of the voice, and nothing else. */
export function guardOpenaiVoice(voice: tts.TTS): void {
  const synthesize = voice.synthesize.bind(voice);
  voice.synthesize = (text, connOptions, abortSignal) => {
    const stream = synthesize(text, connOptions, abortSignal);
    // The method that each plug-in overrides, protected for lack of a better word; it runs after this returns.
    const attempt = stream as unknown as { run(): Promise<void> };
    const run = attempt.run.bind(stream);
    attempt.run = async () => {
      try {
        await run();
      } catch (error) {
        if (stream.abortSignal.aborted || !(error instanceof Error)) return;
        const { label } = voice;
        emitError(voice, { type: 'tts_error', timestamp: Date.now(), label, error, recoverable: false });
      }
    };
    return stream;
  };
}
