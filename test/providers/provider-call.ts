import { initializeLogger, loggerOptions, VAD, type VADEvent, VADEventType, VADStream, voice } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { ReadableStream, type ReadableStreamDefaultController } from 'node:stream/web';
import { afterAll, onTestFinished } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document.ts';
import { FlowRunner, type FlowRunnerOptions } from '../../src/runner.ts';
import type { VoiceModels } from '../../src/session/voice-models.ts';
import { tone } from './local-server.ts';

const sampleRate = 16_000;
const frameMs = 20;

export interface ProviderCall {
  readonly runner: FlowRunner;
  readonly session: voice.AgentSession;
  /** What was spoken by the agent, a line for each of its turns. */
  readonly heard: readonly string[];
  readonly path: readonly string[];
  /** `stage reason` of every trouble that was told. */
  readonly troubles: readonly string[];
  /** Seconds of sound that reached the caller's ear. */
  readonly sound: () => number;
  /** The caller makes a sound for a while and falls silent. */
  speak(): Promise<void>;
}

// Closing takes LiveKit half a second, so the next test does not wait for it.
const closing: Promise<unknown>[] = [];
afterAll(() => Promise.all(closing));

/** A flow on a real AgentSession whose models are those of a provider's plug-in, with sound in and out, without a room. */
export async function providerCall(
  flow: ConversationFlow,
  models: Pick<VoiceModels, 'llm' | 'stt' | 'tts'>,
  options: Partial<Omit<FlowRunnerOptions, 'flow' | 'session'>> = {},
): Promise<ProviderCall> {
  if (loggerOptions() === undefined) initializeLogger({ pretty: false, level: 'silent' });
  const session = new voice.AgentSession({
    ...models,
    vad: new LoudnessVad(),
    turnHandling: {
      turnDetection: 'vad',
      endpointing: { mode: 'fixed', minDelay: 20, maxDelay: 20 },
      interruption: { mode: 'vad' },
      preemptiveGeneration: { enabled: false },
    },
    aecWarmupDuration: 0,
    userAwayTimeout: null,
  });
  const ear = new Ear();
  const microphone = new Microphone();
  session.output.audio = ear;
  session.input.audio = microphone;
  const runner = new FlowRunner({ session, flow, timeZone: 'UTC', ...options });
  const heard: string[] = [];
  const path: string[] = [];
  const troubles: string[] = [];
  runner.onSpeech((text) => void heard.push(text));
  runner.on('transition:taken', ({ data }) => void path.push(`${data.from} -> ${data.to}`));
  runner.on('response:failed', ({ data }) => void troubles.push(`${data.stage} ${data.reason}`));
  onTestFinished(() => void closing.push(runner.stop().then(() => session.close())));
  await runner.start();
  return {
    runner,
    session,
    heard,
    path,
    troubles,
    sound: () => ear.seconds,
    speak: () => microphone.speak(),
  };
}

class Microphone extends voice.AudioInput {
  #controller: ReadableStreamDefaultController<AudioFrame> | null = null;

  constructor() {
    super();
    this.multiStream.addInputStream(
      new ReadableStream<AudioFrame>({ start: (controller) => void (this.#controller = controller) }),
    );
  }

  async speak(): Promise<void> {
    await this.#send(tone(0.3, sampleRate));
    await this.#send(Buffer.alloc(sampleRate));
  }

  /** Ten times as fast as it sounds. */
  async #send(pcm: Buffer): Promise<void> {
    const bytes = (sampleRate * 2 * frameMs) / 1_000;
    for (let at = 0; at < pcm.length; at += bytes) {
      const samples = new Int16Array(pcm.buffer.slice(pcm.byteOffset + at, pcm.byteOffset + at + bytes));
      this.#controller?.enqueue(new AudioFrame(samples, sampleRate, 1, samples.length));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
}

/** Plays everything at once. */
class Ear extends voice.AudioOutput {
  seconds = 0;
  #segment = 0;

  constructor() {
    super(24_000, undefined, { pause: false });
  }

  override async captureFrame(frame: AudioFrame): Promise<void> {
    await super.captureFrame(frame);
    if (this.#segment === 0) this.onPlaybackStarted(Date.now());
    this.#segment += frame.samplesPerChannel / frame.sampleRate;
  }

  override flush(): void {
    super.flush();
    this.#finish(false);
  }

  override clearBuffer(): void {
    this.#finish(true);
  }

  #finish(interrupted: boolean): void {
    if (this.#segment === 0) return;
    this.seconds += this.#segment;
    this.onPlaybackFinished({ playbackPosition: this.#segment, interrupted });
    this.#segment = 0;
  }
}

/** Takes whatever is loud for a voice. */
class LoudnessVad extends VAD {
  override label = 'loudness.VAD';

  constructor() {
    super({ updateInterval: frameMs });
  }

  override stream(): VADStream {
    return new LoudnessStream(this);
  }
}

class LoudnessStream extends VADStream {
  #frames: AudioFrame[] = [];
  #quiet = 0;

  constructor(vad: LoudnessVad) {
    super(vad);
    void this.#listen();
  }

  async #listen(): Promise<void> {
    for (;;) {
      const next = await this.inputReader.read();
      if (next.done) return;
      if (typeof next.value === 'symbol') continue;
      const isLoud = next.value.data.some((sample) => Math.abs(sample) > 500);
      if (isLoud && this.#frames.length === 0) this.#give({ type: VADEventType.START_OF_SPEECH, speaking: true });
      this.#quiet = isLoud ? 0 : this.#quiet + 1;
      if (isLoud || this.#frames.length > 0) this.#frames.push(next.value);
      if (this.#frames.length > 0 && this.#quiet === 10) {
        const frames = this.#frames;
        this.#frames = [];
        this.#give({ type: VADEventType.END_OF_SPEECH, speaking: false, frames });
      }
    }
  }

  #give(event: Partial<VADEvent> & Pick<VADEvent, 'type'>): void {
    this.sendVADEvent({
      samplesIndex: 0,
      timestamp: Date.now(),
      speechDuration: 300,
      silenceDuration: 0,
      frames: [],
      probability: 1,
      inferenceDuration: 0,
      speaking: false,
      rawAccumulatedSilence: 0,
      rawAccumulatedSpeech: 0,
      ...event,
    });
  }
}
