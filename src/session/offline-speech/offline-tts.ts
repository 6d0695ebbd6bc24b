import { APIConnectionError, APIError, type APIConnectOptions, tokenize, tts } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { randomUUID } from 'node:crypto';
import { FlowError } from '../../errors.ts';
import { type FliteVoice, fliteSampleRate, fliteHelper, speakSentence } from './flite.ts';
import { toSpeakable } from './speakable.ts';

/** Samples in a frame: a tenth of a second. */
const frameSamples = fliteSampleRate / 10;

/** A voice without network or key: Flite, 16 kHz mono, sentence by sentence, in one thread of the process. */
export function createOfflineTts(options: { readonly voice?: FliteVoice } = {}): tts.TTS {
  return new OfflineTts(options.voice ?? 'slt');
}

// The thread is ended when no voice is left that may use it.
let voices = 0;

class OfflineTts extends tts.TTS {
  override label = 'offline.TTS';
  readonly #voice: FliteVoice;
  #isClosed = false;

  constructor(voice: FliteVoice) {
    super(fliteSampleRate, 1, { streaming: false });
    this.#voice = voice;
    voices += 1;
    try {
      fliteHelper.start();
    } catch {
      // A missing package is told with the first words.
    }
  }

  override get model(): string {
    return this.#voice;
  }

  override get provider(): string {
    return 'flite';
  }

  override synthesize(text: string, connOptions?: APIConnectOptions, abortSignal?: AbortSignal): tts.ChunkedStream {
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
  readonly #voice: FliteVoice;

  constructor(
    text: string,
    tts: OfflineTts,
    voice: FliteVoice,
    connOptions: APIConnectOptions | undefined,
    signal: AbortSignal | undefined,
  ) {
    super(text, tts, connOptions, signal);
    this.#voice = voice;
  }

  protected override async run(): Promise<void> {
    const requestId = randomUUID();
    let last: AudioFrame | null = null;
    const give = (frame: AudioFrame, final: boolean): void => {
      if (!this.queue.closed) this.queue.put({ requestId, segmentId: requestId, frame, final });
    };
    try {
      for (const sentence of sentences.tokenize(this.inputText)) {
        const words = toSpeakable(sentence);
        if (words === '') continue;
        for (const frame of framesOf(await speakSentence(words, this.#voice, this.abortSignal))) {
          if (last !== null) give(last, false);
          last = frame;
        }
      }
    } catch (error) {
      if (this.abortSignal.aborted) return;
      throw asApiError(error);
    }
    if (last !== null) give(last, true);
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

/** LiveKit tries again after a dead thread, not after a missing package. */
function asApiError(error: unknown): APIError {
  const message = error instanceof Error ? error.message : 'offline speech failed';
  if (error instanceof FlowError && error.code === 'speech-helper-died') return new APIConnectionError({ message });
  return new APIError(message, { retryable: false });
}
