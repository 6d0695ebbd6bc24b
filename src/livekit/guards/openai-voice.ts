// `@livekit/agents` and `@livekit/agents-plugin-openai` 1.9.0: a sentence that fails to synthesise rejects a promise without a handler
// (`ChunkedStream` of the base class), which ends the process. This also happens after an interruption. Upstream:
// https://github.com/livekit/agents-js/issues/1095, fixed for another plug-in only. Reproduced in test/livekit/guards/openai-voice.test.ts.
import type { tts } from '@livekit/agents';
import { emitError } from './emit-error.ts';

/** Makes a failed sentence an error event of the voice, without a rejection. */
export function guardOpenaiVoice(voice: tts.TTS): void {
  const synthesize = voice.synthesize.bind(voice);
  voice.synthesize = (text, connOptions, abortSignal) => {
    const stream = synthesize(text, connOptions, abortSignal);
    // The method that each plug-in overrides, although it is protected. It runs after this function returns.
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
