import type { tts } from '@livekit/agents';

/**
 * Tells a failed sentence as an error event. In 1.9.0 the plug-in also rejects a promise that nobody holds, which ends
 * a process, and does both where the caller interrupts.
 */
export function guardSynthesis(voice: tts.TTS): void {
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
        try {
          voice.emit('error', { type: 'tts_error', timestamp: Date.now(), label, error, recoverable: false });
        } catch {
          // The session has heard of it by now; LiveKit's adapter passes it on to nobody, which throws.
        }
      }
    };
    return stream;
  };
}
