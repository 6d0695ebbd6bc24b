import { AudioFrame } from '@livekit/rtc-node';
import { ReadableStream } from 'node:stream/web';
import { expect, it } from 'vitest';
import { spokenAudio } from '../../../src/livekit/speech/spoken-audio.ts';
import { createVirtualClock } from '../../../src/testing/virtual-clock.ts';

function streamOf<Item>(...items: Item[]): ReadableStream<Item> {
  return new ReadableStream({
    start(controller) {
      for (const item of items) controller.enqueue(item);
      controller.close();
    },
  });
}

async function speak(...attempts: AudioFrame[][]) {
  const outcomes: boolean[] = [];
  const frames: AudioFrame[] = [];
  const audio = spokenAudio({
    clock: createVirtualClock(),
    text: streamOf('Hello there.'),
    onText: () => undefined,
    synthesise: () => Promise.resolve(streamOf(...(attempts.shift() ?? []))),
    patienceMs: 3_000,
    errors: () => 0,
    onTrouble: () => undefined,
    onOutcome: (wasSpoken) => outcomes.push(wasSpoken),
  });
  for await (const frame of audio) frames.push(frame);
  return { outcomes, frames };
}

const sound = new AudioFrame(new Int16Array(160).fill(1_000), 16_000, 1, 160);

it('a line without any synthesized sound is a moment of silence, so that a room still shows its words', async () => {
  const { frames, outcomes } = await speak([], []);
  expect(outcomes).toEqual([false]);
  expect(frames).toHaveLength(1);
  expect(frames[0]?.samplesPerChannel).toBeGreaterThan(0);
  expect(frames[0]?.data.every((sample) => sample === 0)).toBe(true);
});

it('a line with sound is unchanged', async () => {
  expect(await speak([], [sound])).toEqual({ frames: [sound], outcomes: [true] });
});
