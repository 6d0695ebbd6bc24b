import { initializeLogger } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { join } from 'node:path';
import { env } from 'node:process';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { moonshineHelper, openMoonshine } from '../../../src/offline/ears/moonshine.ts';
import { createOfflineStt } from '../../../src/offline/ears/offline-stt.ts';
import { type FliteVoice, fliteSampleRate } from '../../../src/offline/voice/flite.ts';
import { createOfflineTts } from '../../../src/offline/voice/offline-tts.ts';
import { piecesOf } from '../../../src/offline/ears/pieces.ts';
import { speechReadiness } from '../../../src/offline/helper/readiness.ts';
import { hasWeights } from '../../../src/offline/ears/weights.ts';
import { ticks } from './ticks.ts';
import { normaliseSpoken, wordErrors } from './word-errors.ts';

const cacheBefore = env['ROOMFLOW_CACHE'];
beforeAll(() => {
  initializeLogger({ pretty: false, level: 'silent' });
  env['ROOMFLOW_CACHE'] ??= join(import.meta.dirname, '../../../.cache');
});
afterAll(() => {
  if (cacheBefore === undefined) delete env['ROOMFLOW_CACHE'];
});

const lines = [
  'Yes, let us start.',
  'My name is Robert Miller.',
  'I was born on March 4, 1984.',
  'It is for a checkup.',
  'No, I have never been there before.',
  'I have a lot of pain in my back.',
  'I would say it is a seven.',
  'My phone number is 415-555-0123.',
  'Tomorrow at ten in the morning.',
  'Tuesday would be good for me.',
  'Do you have anything in the afternoon?',
  'On Tuesday, December 1 at 2:30 PM.',
  'Can I park near the clinic?',
  'What are your opening hours?',
  'Yes, please go ahead and book it.',
  'No, that is not right.',
  'I need a vaccination.',
  'I would rather not say.',
  'As soon as possible, please.',
  'I want to talk to a person.',
  'Thank you, goodbye.',
  'Half past nine is fine.',
];

describe.skipIf(!hasWeights(join(import.meta.dirname, '../../../.cache/speech/moonshine-tiny-en-0.0.73')))(
  'with its weights',
  () => {
    test('what the voices say of a clinic intake is understood, and the event loop stays free', async () => {
      const ears = createOfflineStt();
      for (const [turn, voice] of (['rms', 'slt'] as const).entries()) {
        const its = lines.filter((_, index) => index % 2 === turn);
        let [errors, words] = [0, 0];
        await hear(ears, await spoken('Warm.', voice));
        const ticked = ticks();
        for (const line of its) {
          const said = normaliseSpoken(line);
          errors += wordErrors(said, normaliseSpoken(await hear(ears, await spoken(line, voice))));
          words += said.length;
        }
        expect(ticked()).toBeGreaterThan(its.length * 5);
        console.log(`moonshine hears ${voice}: word errors ${((100 * errors) / words).toFixed(1)} %`);
        expect(errors / words).toBeLessThan(0.1);
      }
    });

    test('a microphone of 48 kHz in stereo is understood as well', async () => {
      const { data } = await spoken('It is for a checkup.', 'rms');
      const wide = Int16Array.from({ length: data.length * 6 }, (_, at) => data[Math.floor(at / 6)] ?? 0);
      const frames = Array.from({ length: Math.floor(wide.length / 960) }, (_, at) => {
        return new AudioFrame(wide.slice(at * 960, at * 960 + 960), 48_000, 2, 480);
      });
      expect(normaliseSpoken(await hear(createOfflineStt(), frames))).toEqual(['it', 'is', 'for', 'a', 'checkup']);
    });

    test('speech of half a minute is understood to its end', async () => {
      const text = lines.slice(0, 12).join(' ');
      const frame = await spoken(text, 'rms');
      expect(frame.samplesPerChannel / 16_000).toBeGreaterThan(20);
      const said = normaliseSpoken(text);
      expect(wordErrors(said, normaliseSpoken(await hear(createOfflineStt(), frame))) / said.length).toBeLessThan(0.2);
    });

    test.each([
      ['silence', 16_000, () => 0],
      ['a soft hiss', 32_000, (at: number) => ((at * 7_919) % 201) - 100],
      ['noise', 32_000, (at: number) => Math.round(Math.sin(at * at * 12.9898) * 1_000)],
      ['a click', 800, () => 20_000],
      ['nothing', 0, () => 0],
    ])('%s is no transcript', async (_what, length, sample) => {
      const data = Int16Array.from({ length }, (_, at) => sample(at));
      expect(await hear(createOfflineStt(), length === 0 ? [] : new AudioFrame(data, 16_000, 1, length))).toBe('');
    });

    test('speech in noise is told to be unclear, rather than nothing', async () => {
      const frame = await spoken('Half past nine is fine.', 'slt');
      const inNoise = frame.data.map((sample, at) => sample + Math.round(Math.sin(at * at * 12.9898) * 6_000));
      const event = await createOfflineStt().recognize(new AudioFrame(inNoise, frame.sampleRate, 1, inNoise.length));
      expect(event.alternatives?.[0].text).toBe('');
      expect(event.alternatives?.[0].confidence).toBeGreaterThan(0);
    });

    test('a helper that dies loses one utterance at most', async () => {
      const ears = createOfflineStt();
      const frame = await spoken('It is for a checkup.', 'rms');
      const lost = ears.recognize(frame);
      moonshineHelper.stop();
      await expect(lost).rejects.toThrow('speech-helper-died');
      expect(await hear(ears, frame)).toContain('It is for a');
    });

    test('the process shows each step of its start and each word, so that it is not taken for stuck', async () => {
      const frame = await spoken('It is for a checkup.', 'rms');
      const samples = Float32Array.from(frame.data, (sample) => sample / 32_768);
      let shown = 0;
      await new Promise((resolve) => {
        const onMessage = (message: object): void => {
          if (Object.keys(message).length === 0) shown += 1;
          else child.end();
        };
        const child = openMoonshine({ onMessage, onLost: resolve });
        child.post({ samples });
      });
      expect(shown).toBeGreaterThan(8);
    });

    test('an aborted utterance ends at once', async () => {
      const frame = await spoken('It is for a checkup.', 'rms');
      const stop = new AbortController();
      const lost = createOfflineStt().recognize(frame, stop.signal);
      stop.abort();
      await expect(lost).rejects.toThrow(/abort/i);
    });
  },
);

test('missing weights are told once, with the line that fetches them, and nothing is heard after that', async () => {
  const before = env['ROOMFLOW_CACHE'];
  env['ROOMFLOW_CACHE'] = '/nowhere';
  onTestFinished(() => void (env['ROOMFLOW_CACHE'] = before));
  moonshineHelper.stop();
  const ears = createOfflineStt();
  const voice = new AudioFrame(new Int16Array(16_000).fill(9_000), 16_000, 1, 16_000);
  const line = 'Offline speech recognition needs its weights: run `npx roomflow setup-speech` (44 MB, once).';
  await expect(ears.recognize(voice)).rejects.toThrow(line);
  expect(await hear(ears, voice)).toBe('');
  expect(speechReadiness().recognition).toContain(line);
  expect(speechReadiness().voice).toBeNull();
});

test('long audio is cut where it is quiet, into pieces under 15 seconds that are the whole', () => {
  const rate = 100;
  const samples = Float32Array.from({ length: 40 * rate }, (_, at) => (at % (11 * rate) < 20 ? 0 : 0.5));
  const pieces = piecesOf(samples, rate);
  expect(pieces.map((piece) => piece.length).every((length) => length < 15 * rate)).toBe(true);
  expect(pieces.flatMap((piece) => [...piece])).toEqual([...samples]);
  for (const piece of pieces.slice(0, -1)) expect(piece.at(-1)).toBe(0);
});

async function hear(ears: ReturnType<typeof createOfflineStt>, audio: AudioFrame | AudioFrame[]): Promise<string> {
  const event = await ears.recognize(audio);
  return event.alternatives?.[0].text ?? '';
}

/** Speaks a text as one frame. LiveKit's `collect` copies all samples again for each frame: 15 s of CPU for half a minute. */
async function spoken(text: string, voice: FliteVoice): Promise<AudioFrame> {
  const frames: AudioFrame[] = [];
  for await (const { frame } of createOfflineTts({ voice }).synthesize(text)) frames.push(frame);
  const data = new Int16Array(frames.reduce((sum, frame) => sum + frame.data.length, 0));
  let to = 0;
  for (const frame of frames) {
    data.set(frame.data, to);
    to += frame.data.length;
  }
  return new AudioFrame(data, fliteSampleRate, 1, data.length);
}
