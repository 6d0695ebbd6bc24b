import { AudioFrame, AudioSource, LocalAudioTrack } from '@livekit/rtc-node';

/** The sound received from the agent's track. */
export interface Sound {
  /** Seconds in which the agent was loud enough to be heard. */
  readonly loudSeconds: number;
  /** When the agent was last heard, in milliseconds of `performance.now()`. 0 if never. */
  readonly lastLoudAt: number;
  /** When the agent was first heard since `mark`. */
  readonly firstLoudAt: number;
  /** Pauses of more than 60 ms between two frames in which the agent speaks. */
  readonly gaps: number;
  /** All samples, 16 kHz mono. */
  readonly samples: Int16Array;
  /** Resets `firstLoudAt`. */
  readonly mark: () => void;
}

/** Samples per second of every microphone and of all received sound. */
export const roomSampleRate = 16_000;

/** More than a caller says at once, in milliseconds. */
const longestMs = 60_000;
const silence = new Int16Array(roomSampleRate / 10);

/**
 * A microphone that never stops: it sends silence when the caller does not speak. Speech is passed on as a whole, so
 * that it does not stutter if this process is late.
 */
export async function openMicrophone() {
  const source = new AudioSource(roomSampleRate, 1, longestMs);
  const track = LocalAudioTrack.createAudioTrack('microphone', source);
  let isOpen = true;
  const waiting: { readonly samples: Int16Array; readonly done: () => void }[] = [];
  const run = async (): Promise<void> => {
    while (isOpen) {
      const speech = waiting.shift();
      const samples = speech?.samples ?? silence;
      await source.captureFrame(new AudioFrame(samples, roomSampleRate, 1, samples.length));
      await source.waitForPlayout();
      speech?.done();
    }
    await source.close();
  };
  // A closed room accepts no more frames.
  run().catch(() => undefined);
  return {
    track,
    speak: (samples: Int16Array) => new Promise<void>((done) => waiting.push({ samples, done })),
    close: () => void (isOpen = false),
  };
}

/** The mean amplitude above which speech is heard. */
const loud = 200;
const gapMs = 60;

export function createEar(changed: () => void) {
  const frames: Int16Array[] = [];
  let loudSamples = 0;
  let lastLoudAt = 0;
  let firstLoudAt = 0;
  let gaps = 0;
  let previousAt = 0;
  return {
    async listen(stream: AsyncIterable<AudioFrame>): Promise<void> {
      for await (const { data } of stream) {
        const now = performance.now();
        frames.push(data.slice());
        let sum = 0;
        for (const sample of data) sum += Math.abs(sample);
        if (sum / data.length > loud) {
          loudSamples += data.length;
          firstLoudAt ||= now;
          if (lastLoudAt === previousAt && previousAt > 0 && now - previousAt > gapMs) gaps += 1;
          lastLoudAt = now;
        }
        previousAt = now;
        changed();
      }
    },
    sound(): Sound {
      return {
        loudSeconds: loudSamples / roomSampleRate,
        lastLoudAt,
        firstLoudAt,
        gaps,
        // Created only on demand: a call has megabytes, and this object is read with every frame.
        get samples() {
          const samples = new Int16Array(frames.reduce((sum, frame) => sum + frame.length, 0));
          let at = 0;
          for (const frame of frames) {
            samples.set(frame, at);
            at += frame.length;
          }
          return samples;
        },
        mark: () => void (firstLoudAt = 0),
      };
    },
  };
}
