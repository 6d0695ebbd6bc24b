import { voice } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { ReadableStream, type ReadableStreamDefaultController } from 'node:stream/web';
import { tone } from './local-server.ts';

const frameMs = 20;

/** The caller's audio, ten times faster than real time. */
export class Microphone extends voice.AudioInput {
  readonly #sampleRate: number;
  #controller: ReadableStreamDefaultController<AudioFrame> | null = null;

  constructor(sampleRate: number) {
    super();
    this.#sampleRate = sampleRate;
    this.multiStream.addInputStream(
      new ReadableStream<AudioFrame>({ start: (controller) => void (this.#controller = controller) }),
    );
  }

  /** Plays one turn: a sound, then silence. */
  async speak(): Promise<void> {
    await this.begin();
    await this.stop();
  }

  async begin(): Promise<void> {
    await this.#send(tone(0.4, this.#sampleRate));
  }

  async stop(): Promise<void> {
    await this.#send(Buffer.alloc(this.#sampleRate));
  }

  async #send(pcm: Buffer): Promise<void> {
    const sampleRate = this.#sampleRate;
    const bytes = (sampleRate * 2 * frameMs) / 1_000;
    for (let at = 0; at < pcm.length; at += bytes) {
      const samples = new Int16Array(pcm.buffer.slice(pcm.byteOffset + at, pcm.byteOffset + at + bytes));
      this.#controller?.enqueue(new AudioFrame(samples, sampleRate, 1, samples.length));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
}

/** Plays everything at once, or as much as the test allows. */
export class Ear extends voice.AudioOutput {
  /** Seconds of audio that were played. */
  seconds = 0;
  /** Seconds of received audio that is not silence. */
  loudSeconds = 0;
  /** The words that LiveKit's synchroniser reports for the next interrupted speech. */
  cutText: string | undefined;
  #given = 0;
  #isWhole = false;
  #allowed = Infinity;

  constructor() {
    super(24_000, undefined, { pause: false });
  }

  /** Plays at most this many seconds of each speech. */
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
    const seconds = frame.samplesPerChannel / frame.sampleRate;
    this.#given += seconds;
    if (frame.data.some((sample) => sample !== 0)) this.loudSeconds += seconds;
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
