// The models of both workers of `npm run bench:rooms`. Each takes a fixed time, so that only the code between them
// differs. Plain JavaScript, because a TypeScript compiler would count in the job processes.
import { inference, stt, tts } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { ScriptedModel } from '../../dist/testing/scripted-model.js';

const sampleRate = 24_000;
const thinkingMs = 200;
const hearingMs = 100;
const voiceMs = 80;
const chunkMs = 100;
/** How far synthesis is ahead of playback, as with a provider. */
const aheadMs = 300;

/** Length of every line of the agent, in seconds. */
export const toneSeconds = 1;

export const instructions = 'You are the agent of a benchmark. Answer briefly.';
export const reply = 'This is the answer.';

export const voiceOptions = {
  turnHandling: {
    turnDetection: 'vad',
    endpointing: { mode: 'fixed', minDelay: 400, maxDelay: 2_000 },
    interruption: { mode: 'vad' },
  },
  aecWarmupDuration: 0,
  userAwayTimeout: null,
};

/** Creates the model, and logs that its process is ready for a call. */
export function createModel() {
  process.stdout.write(`${JSON.stringify({ ready: process.pid })}\n`);
  return new ScriptedModel(() => ({ text: reply, delayMs: thinkingMs }));
}

export const createVad = () => new inference.VAD({ model: 'silero' });

/** Returns fixed words for any speech, once voice activity has ended. */
export class FixedStt extends stt.STT {
  label = 'fixed.STT';

  constructor() {
    super({ streaming: false, interimResults: false });
  }

  async _recognize() {
    await pause(hearingMs);
    const alternative = { text: 'what was said', language: 'en', startTime: 0, endTime: 0, confidence: 1 };
    return { type: stt.SpeechEventType.FINAL_TRANSCRIPT, alternatives: [alternative] };
  }

  stream() {
    throw new Error('LiveKit wraps what does not stream.');
  }
}

/** A tone, in chunks at the pace of speech. */
export class ToneTts extends tts.TTS {
  label = 'tone.TTS';

  constructor() {
    super(sampleRate, 1, { streaming: false });
  }

  synthesize(text, options, signal) {
    return new Tone(text, this, options, signal);
  }

  stream() {
    throw new Error('LiveKit wraps what does not stream.');
  }
}

class Tone extends tts.ChunkedStream {
  label = 'tone.ChunkedStream';

  async run() {
    await pause(voiceMs);
    const begun = performance.now();
    const frames = toneFrames();
    for (const [index, frame] of frames.entries()) {
      await pause(begun + index * chunkMs - aheadMs - performance.now());
      if (this.abortController.signal.aborted) return;
      this.queue.put({ requestId: 'tone', segmentId: 'tone', frame, final: index === frames.length - 1 });
    }
  }
}

function toneFrames() {
  const length = (sampleRate * chunkMs) / 1_000;
  return Array.from({ length: (toneSeconds * 1_000) / chunkMs }, (_, chunk) => {
    const samples = Int16Array.from({ length }, (_, at) =>
      Math.round(8_000 * Math.sin((2 * Math.PI * 440 * (chunk * length + at)) / sampleRate)),
    );
    return new AudioFrame(samples, sampleRate, 1, length);
  });
}

function pause(delayMs) {
  return delayMs > 0 ? new Promise((resolve) => setTimeout(resolve, delayMs)) : Promise.resolve();
}
