import { APIError, type APIConnectOptions, tokenize, tts } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { FlowError } from '../../model/errors.ts';
import { breathsOf } from './breaths.ts';
import { type FliteVoice, fliteSampleRate, fliteHelper, speakSentence } from './flite.ts';
import { toSpeakable } from './speakable.ts';

/** Samples per frame: a tenth of a second. */
const frameSamples = fliteSampleRate / 10;

/** Options of the offline voice. */
export interface OfflineVoice {
  /** Default: `slt`. */
  readonly voice?: FliteVoice;
  /** Speed factor. Default: 1. */
  readonly pace?: number;
}

/**
 * Creates a voice without network or key: Flite, 16 kHz mono, sentence by sentence, in one thread. Throws nothing: a
 * missing package (`speech-package-missing`) is reported with the first words.
 *
 * @example
 * export default defineConfig({ flows: { intake: 'flow.yaml' }, models: { tts: () => createOfflineTts({ pace: 1.2 }) }
 * });
 */
export function createOfflineTts({ voice = 'slt', pace = 1 }: OfflineVoice = {}): tts.TTS {
  return new OfflineTts({ voice, pace });
}

// The thread is stopped when no instance uses it.
let voices = 0;

class OfflineTts extends tts.TTS {
  override label = 'offline.TTS';
  readonly #voice: Required<OfflineVoice>;
  #isClosed = false;

  constructor(voice: Required<OfflineVoice>) {
    super(fliteSampleRate, 1, { streaming: false });
    this.#voice = voice;
    voices += 1;
    try {
      fliteHelper.start();
    } catch {
      // The first words report a missing package.
    }
  }

  override get model(): string {
    return this.#voice.voice;
  }

  override get provider(): string {
    return 'flite';
  }

  override synthesize(text: string, connOptions?: APIConnectOptions, abortSignal?: AbortSignal): tts.ChunkedStream {
    // Each sentence listens to the signal of the whole speech; Node would warn of a leak from the eleventh listener on.
    if (abortSignal !== undefined) setMaxListeners(0, abortSignal);
    return new OfflineSpeech(text, this, this.#voice, connOptions, abortSignal);
  }

  override stream(options?: { connOptions?: APIConnectOptions }): tts.SynthesizeStream {
    return new tts.StreamAdapter(this, sentences).stream(options);
  }

  override close(): Promise<void> {
    if (!this.#isClosed && --voices === 0) fliteHelper.stop();
    this.#isClosed = true;
    return Promise.resolve();
  }
}

class OfflineSpeech extends tts.ChunkedStream {
  override label = 'offline.ChunkedStream';
  readonly #tts: OfflineTts;
  readonly #voice: Required<OfflineVoice>;

  constructor(
    text: string,
    tts: OfflineTts,
    voice: Required<OfflineVoice>,
    connOptions: APIConnectOptions | undefined,
    signal: AbortSignal | undefined,
  ) {
    super(text, tts, connOptions, signal);
    this.#tts = tts;
    this.#voice = voice;
  }

  protected override async run(): Promise<void> {
    const requestId = randomUUID();
    let last: AudioFrame | null = null;
    const give = (frame: AudioFrame, final: boolean): void => {
      if (!this.queue.closed) this.queue.put({ requestId, segmentId: requestId, frame, final });
    };
    try {
      for (const words of sentences.tokenize(this.inputText).flatMap((sentence) => breathsOf(toSpeakable(sentence)))) {
        for (const frame of framesOf(await this.#samplesOf(words))) {
          if (last !== null) give(last, false);
          last = frame;
        }
      }
    } catch (error) {
      if (!this.abortSignal.aborted) this.#tell(error);
    }
    if (last !== null) give(last, true);
  }

  async #samplesOf(words: string): Promise<Int16Array> {
    const { voice, pace } = this.#voice;
    const speak = (): Promise<Int16Array> => speakSentence(words, voice, { pace, signal: this.abortSignal });
    try {
      return await speak();
    } catch (error) {
      if (!(error instanceof FlowError) || error.code !== 'speech-helper-died') throw error;
      return await speak();
    }
  }

  /** Emits an event instead of throwing: LiveKit 1.9.0 would reject an unhandled promise, which ends the process. */
  #tell(reason: unknown): void {
    const { label } = this.#tts;
    const error = new APIError(reason instanceof Error ? reason.message : 'offline speech failed', {
      retryable: false,
    });
    try {
      this.#tts.emit('error', { type: 'tts_error', timestamp: Date.now(), label, error, recoverable: false });
    } catch {
      // An emitter without a listener throws.
    }
  }
}

const sentences = new tokenize.basic.SentenceTokenizer();

function framesOf(samples: Int16Array): AudioFrame[] {
  const frames: AudioFrame[] = [];
  for (let at = 0; at < samples.length; at += frameSamples) {
    const part = samples.slice(at, at + frameSamples);
    frames.push(new AudioFrame(part, fliteSampleRate, 1, part.length));
  }
  return frames;
}
