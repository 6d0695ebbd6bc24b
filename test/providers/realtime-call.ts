import { initializeLogger, type llm, loggerOptions, type tts, voice } from '@livekit/agents';
import * as openai from '@livekit/agents-plugin-openai';
import { AudioFrame } from '@livekit/rtc-node';
import { ReadableStream, type ReadableStreamDefaultController } from 'node:stream/web';
import { afterAll, onTestFinished } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document.ts';
import { FlowRunner, type FlowRunnerOptions } from '../../src/runner.ts';
import { until } from './until.ts';
import { tone } from './local-server.ts';
import { openaiRealtimeServer, type RealtimeScript } from './openai-realtime-server.ts';

type ModelOptions = NonNullable<ConstructorParameters<typeof openai.realtime.RealtimeModel>[0]>;

export interface RealtimeCallOptions extends Partial<Omit<FlowRunnerOptions, 'flow' | 'session'>> {
  /** What the plug-in's model is made with, besides key and address. */
  readonly model?: ModelOptions;
  /** Another model in its place. */
  readonly behind?: (model: llm.RealtimeModel) => llm.RealtimeModel;
  readonly tts?: tts.TTS;
  readonly turnDetection?: 'vad';
  readonly vad?: NonNullable<ConstructorParameters<typeof voice.AgentSession>[0]>['vad'];
}

// Closing takes LiveKit half a second, so the next test does not wait for it.
const closing: Promise<unknown>[] = [];
afterAll(() => Promise.all(closing));

/** A flow on a real AgentSession and the plug-in's realtime model, with sound in and out, on a server of its protocol. */
export async function realtimeCall(flow: ConversationFlow, script: RealtimeScript, options: RealtimeCallOptions = {}) {
  if (loggerOptions() === undefined) initializeLogger({ pretty: false, level: process.env['LIVEKIT_LOG'] ?? 'silent' });
  const { model: given, behind = (model) => model, tts: voiceOf, vad = null, turnDetection, ...rest } = options;
  const server = await openaiRealtimeServer(script);
  const model = new openai.realtime.RealtimeModel({
    apiKey: 'sk-secret',
    baseURL: server.url,
    turnDetection: { type: 'server_vad' },
    connOptions: { maxRetry: 2, retryIntervalMs: 50, timeoutMs: 1_000 },
    ...given,
  });
  const session = new voice.AgentSession({
    llm: behind(model),
    vad,
    ...(voiceOf === undefined ? {} : { tts: voiceOf }),
    turnHandling: {
      ...(turnDetection === undefined ? {} : { turnDetection }),
      endpointing: { mode: 'fixed', minDelay: 20, maxDelay: 20 },
      interruption: { mode: 'vad' },
      preemptiveGeneration: { enabled: false },
    },
    aecWarmupDuration: 0,
    userAwayTimeout: null,
  });
  const ear = new HeldEar();
  const microphone = new Microphone();
  session.output.audio = ear;
  session.input.audio = microphone;
  const runner = new FlowRunner({ session, flow, timeZone: 'UTC', ...rest });
  const heard: string[] = [];
  const path: string[] = [];
  const troubles: string[] = [];
  runner.onSpeech((text) => void heard.push(text));
  runner.on('transition:taken', ({ data }) => void path.push(`${data.from} -> ${data.to}`));
  runner.on('response:failed', ({ data }) => void troubles.push(`${data.stage} ${data.reason}`));
  onTestFinished(() => {
    ear.play();
    closing.push(
      runner
        .stop()
        .then(() => session.close())
        .then(() => server.close()),
    );
  });
  await runner.start();
  const hasHeard = (count: number): Promise<void> =>
    until(
      () => heard.length >= count,
      () =>
        `line ${count}; heard were ${JSON.stringify(heard)}, told was ${JSON.stringify(troubles)}, refused ${JSON.stringify(server.errors)}`,
    );
  return { server, session, runner, heard, path, troubles, ear, microphone, hasHeard };
}

const sampleRate = 24_000;
const frameMs = 20;

/** The caller's side, ten times as fast as it sounds. */
class Microphone extends voice.AudioInput {
  #controller: ReadableStreamDefaultController<AudioFrame> | null = null;

  constructor() {
    super();
    this.multiStream.addInputStream(
      new ReadableStream<AudioFrame>({ start: (controller) => void (this.#controller = controller) }),
    );
  }

  /** A turn: a sound, and silence. */
  async speak(): Promise<void> {
    await this.begin();
    await this.stop();
  }

  async begin(): Promise<void> {
    await this.#send(tone(0.4, sampleRate));
  }

  async stop(): Promise<void> {
    await this.#send(Buffer.alloc(sampleRate));
  }

  async #send(pcm: Buffer): Promise<void> {
    const bytes = (sampleRate * 2 * frameMs) / 1_000;
    for (let at = 0; at < pcm.length; at += bytes) {
      const samples = new Int16Array(pcm.buffer.slice(pcm.byteOffset + at, pcm.byteOffset + at + bytes));
      this.#controller?.enqueue(new AudioFrame(samples, sampleRate, 1, samples.length));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
}

/** Plays everything at once, or as much as the test lets it. */
class HeldEar extends voice.AudioOutput {
  /** Seconds of sound that were played. */
  seconds = 0;
  /** The words that LiveKit's synchroniser would tell of the speech that is cut off next. */
  cutText: string | undefined;
  #given = 0;
  #isWhole = false;
  #allowed = Infinity;

  constructor() {
    super(sampleRate, undefined, { pause: false });
  }

  /** Plays no more than so many seconds of each speech. */
  hold(seconds: number): void {
    this.#allowed = seconds;
  }

  play(): void {
    this.#allowed = Infinity;
    if (this.#isWhole) this.#finish(false);
  }

  /** Seconds of the speech that is waiting. */
  get loaded(): number {
    return this.#given;
  }

  override async captureFrame(frame: AudioFrame): Promise<void> {
    await super.captureFrame(frame);
    if (this.#given === 0) this.onPlaybackStarted(Date.now());
    this.#given += frame.samplesPerChannel / frame.sampleRate;
  }

  override flush(): void {
    super.flush();
    this.#isWhole = this.#given > 0;
    if (this.#allowed >= this.#given) this.#finish(false);
  }

  override clearBuffer(): void {
    this.#finish(true);
  }

  #finish(interrupted: boolean): void {
    if (this.#given === 0) return;
    const playbackPosition = Math.min(this.#given, this.#allowed);
    const text = interrupted ? this.cutText : undefined;
    this.seconds += playbackPosition;
    this.#given = 0;
    this.#isWhole = false;
    this.onPlaybackFinished({
      playbackPosition,
      interrupted,
      ...(text === undefined ? {} : { synchronizedTranscript: text }),
    });
  }
}
