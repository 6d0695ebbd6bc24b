import { APIError, asLanguageCode, type AudioBuffer, stt } from '@livekit/agents';
import { type AudioFrame, AudioResampler } from '@livekit/rtc-node';
import { FlowError } from '../../model/errors.ts';
import { moonshineSampleRate, moonshineHelper, understand, type Understood } from './moonshine.ts';

/**
 * Creates English speech recognition without network or key: Moonshine tiny, in a separate process. It needs the
 * weights that `roomflow setup-speech` downloads. Without them, the first words fail with that instruction and later
 * ones are ignored, until the weights exist. Throws nothing itself.
 *
 * @example
 * export default defineConfig({ flows: { intake: 'flow.yaml' }, models: { stt: () => createOfflineStt() } });
 */
export function createOfflineStt(): stt.STT {
  return new OfflineStt();
}

// The process is stopped when no instance uses it.
let ears = 0;

class OfflineStt extends stt.STT {
  override label = 'offline.STT';
  #hasToldWhatIsMissing = false;
  #isClosed = false;

  constructor() {
    super({ streaming: false, interimResults: false });
    ears += 1;
    try {
      moonshineHelper.start();
    } catch {
      // The first words report what is missing.
    }
  }

  override get model(): string {
    return 'moonshine-tiny-en';
  }

  override get provider(): string {
    return 'moonshine';
  }

  override stream(): stt.SpeechStream {
    throw new Error(
      'Offline speech recognition hears whole utterances: give the session a VAD, or use stt.StreamAdapter.',
    );
  }

  override close(): Promise<void> {
    if (!this.#isClosed && --ears === 0) moonshineHelper.stop();
    this.#isClosed = true;
    return Promise.resolve();
  }

  protected override async _recognize(buffer: AudioBuffer, signal?: AbortSignal): Promise<stt.SpeechEvent> {
    const samples = monoOf(Array.isArray(buffer) ? buffer : [buffer]);
    const { text, certainty } = await this.#words(samples, signal);
    const endTime = samples.length / moonshineSampleRate;
    return {
      type: stt.SpeechEventType.FINAL_TRANSCRIPT,
      alternatives: [{ text, language: asLanguageCode('en'), startTime: 0, endTime, confidence: certainty }],
    };
  }

  async #words(samples: Float32Array, signal: AbortSignal | undefined): Promise<Understood> {
    try {
      return await understand(samples, signal);
    } catch (error) {
      const isMissing =
        error instanceof FlowError && ['speech-weights-missing', 'speech-package-missing'].includes(error.code);
      // Reported once, because LiveKit logs each failed utterance.
      if (isMissing && this.#hasToldWhatIsMissing) return { text: '', certainty: 0 };
      if (isMissing) this.#hasToldWhatIsMissing = true;
      if (!(error instanceof FlowError)) throw error;
      throw new APIError(error.message, { retryable: !isMissing });
    }
  }
}

/** Converts frames to mono samples from -1 to 1, at the rate of the model. */
function monoOf(frames: readonly AudioFrame[]): Float32Array {
  const even = evenRate(frames);
  const samples = new Float32Array(even.reduce((sum, frame) => sum + frame.samplesPerChannel, 0));
  let to = 0;
  for (const { data, channels, samplesPerChannel } of even)
    for (let at = 0; at < samplesPerChannel; at += 1, to += 1)
      for (let channel = 0; channel < channels; channel += 1)
        samples[to] = (samples[to] ?? 0) + (data[at * channels + channel] ?? 0) / 32_768 / channels;
  return samples;
}

/** Resamples frames to the rate of the model. All frames of an utterance have one rate. */
function evenRate(frames: readonly AudioFrame[]): readonly AudioFrame[] {
  const first = frames[0];
  if (first === undefined || first.sampleRate === moonshineSampleRate) return frames;
  const resampler = new AudioResampler(first.sampleRate, moonshineSampleRate, first.channels);
  try {
    return [...frames.flatMap((frame) => resampler.push(frame)), ...resampler.flush()];
  } finally {
    resampler.close();
  }
}
