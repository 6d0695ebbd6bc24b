import { initializeLogger, type tts } from '@livekit/agents';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { breathsOf } from '../../../src/offline/voice/breaths.ts';
import { fliteHelper } from '../../../src/offline/voice/flite.ts';
import { createOfflineTts } from '../../../src/offline/voice/offline-tts.ts';
import { ticks } from './ticks.ts';
import { toSpeakable } from '../../../src/offline/voice/speakable.ts';
import { isBroad } from '../../tries.ts';

beforeAll(() => initializeLogger({ pretty: false, level: 'silent' }));

test('a sentence becomes audio of 16 kHz in frames of a tenth of a second, the last of them marked', async () => {
  const audio = await collect(createOfflineTts().synthesize('May I have your full name?'));
  expect(audio.every(({ frame }) => frame.sampleRate === 16_000 && frame.channels === 1)).toBe(true);
  expect(audio.slice(0, -1).every(({ frame, final }) => frame.samplesPerChannel === 1_600 && !final)).toBe(true);
  expect(audio.at(-1)?.final).toBe(true);
  expect(seconds(audio)).toBeGreaterThan(1);
  expect(seconds(audio)).toBeLessThan(3);
  expect(Math.max(...audio.flatMap(({ frame }) => [...frame.data]))).toBeGreaterThan(3_000);
});

test('a voice of twice the pace takes half the time', async () => {
  const [usual, fast] = [createOfflineTts(), createOfflineTts({ pace: 2 })];
  const text = 'May I have your full name?';
  const halves = seconds(await collect(usual.synthesize(text))) / 2;
  expect(Math.abs(seconds(await collect(fast.synthesize(text))) - halves)).toBeLessThan(0.2);
});

test.each(['', '  ', '...', '🙂', '\0'])('%j is silence, not an error', async (text) => {
  expect(await collect(createOfflineTts().synthesize(text))).toEqual([]);
});

test('many sentences neither crash nor grow, and the event loop stays free', async () => {
  const voice = createOfflineTts({ voice: 'rms' });
  await collect(voice.synthesize('Warm.'));
  const sentences = isBroad ? 120 : 50;
  const ticked = ticks();
  let grownFrom = 0;
  for (let count = 0; count < sentences; count += 1) {
    expect(seconds(await collect(voice.synthesize(`Yes, ${count}.`)))).toBeGreaterThan(0.5);
    if (count === 20) grownFrom = process.memoryUsage().rss;
  }
  expect(ticked()).toBeGreaterThan(sentences * 3);
  expect((process.memoryUsage().rss - grownFrom) / 1e6).toBeLessThan(isBroad ? 150 : 90);
});

test('the first sentence is heard before the others are computed', async () => {
  const voice = createOfflineTts();
  await collect(voice.synthesize('Warm.'));
  const text = Array.from({ length: 12 }, (_, at) => `This is the sentence of number ${at}, and it goes on.`).join(' ');
  const speech = voice.synthesize(text);
  const begun = performance.now();
  await speech.next();
  const first = performance.now() - begun;
  await collect(speech);
  expect(first).toBeLessThan((performance.now() - begun) / 4);
});

test('a sentence without an end is heard before all of it is computed', async () => {
  const voice = createOfflineTts();
  await collect(voice.synthesize('Warm.'));
  const speech = voice.synthesize('and then I said that it goes on and on '.repeat(20));
  const begun = performance.now();
  await speech.next();
  const first = performance.now() - begun;
  await collect(speech);
  expect(first).toBeLessThan((performance.now() - begun) / 2);
});

test('an aborted speech ends at once, and the next is spoken', async () => {
  const voice = createOfflineTts();
  const stop = new AbortController();
  const text = Array.from({ length: 40 }, () => 'This sentence is one of very many.').join(' ');
  const speech = voice.synthesize(text, undefined, stop.signal);
  await speech.next();
  stop.abort();
  // Of a hundred seconds of speech.
  expect(seconds(await collect(speech))).toBeLessThan(20);
  expect(seconds(await collect(voice.synthesize('Still here.')))).toBeGreaterThan(0.4);
});

test('the sentences of one speech make Node warn of nothing, however many they are', async () => {
  const warned: string[] = [];
  const note = ({ name }: Error): void => void warned.push(name);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  const [voice, { signal }] = [createOfflineTts(), new AbortController()];
  const sentences = Array.from({ length: 12 }, () => voice.synthesize('Yes.', undefined, signal));
  for (const sentence of sentences) expect(seconds(await collect(sentence))).toBeGreaterThan(0.1);
  expect(warned).toEqual([]);
});

test('where the thread dies under a sentence, it is said again on a new one', async () => {
  const speech = createOfflineTts().synthesize('This sentence is lost on its way, and said again.');
  setTimeout(() => fliteHelper.stop(), 5);
  expect(seconds(await collect(speech))).toBeGreaterThan(1);
});

test('where it dies again and again, the voice tells an error, no promise is lost, and the next words are spoken', async () => {
  const voice = createOfflineTts();
  const told: string[] = [];
  voice.on('error', ({ error }) => told.push(error.message));
  const killing = setInterval(() => fliteHelper.stop(), 1);
  expect(await collect(voice.synthesize('This sentence is lost.'))).toEqual([]);
  clearInterval(killing);
  expect(told).toEqual([expect.stringContaining('speech-helper-died')]);
  expect(seconds(await collect(voice.synthesize('Still here.')))).toBeGreaterThan(0.4);
});

test.each([
  ['It is 2:30 PM.', 'It is 2 30 P M.'],
  ['See Dr. Müller, e.g. today…', 'See doctor Muller, for example today,'],
  ['March 4, 1984', 'March 4, 1984'],
  ['At 2:00 PM or 9:05 a.m. tomorrow', 'At 2 P M or 9 oh 5 A M tomorrow'],
  ['Call (415) 555-0123, or 555-0123.', 'Call 4 1 5, 5 5 5, 0 1 2 3, or 5 5 5, 0 1 2 3.'],
  ['4 1 5, 5 5 5, 0 1 2 3', '4 1 5, 5 5 5, 0 1 2 3'],
  ['I am fine & well', 'I am fine and well'],
])('%j is spoken as %j', (text, spoken) => {
  expect(toSpeakable(text)).toBe(spoken);
});

test.each([
  ['', []],
  ['Yes.', ['Yes.']],
  [`${'a b '.repeat(50)}c, ${'d '.repeat(40)}`.trim(), [`${'a b '.repeat(50)}c,`, 'd '.repeat(40).trim()]],
  ['no '.repeat(100).trim(), ['no '.repeat(80).trim(), 'no '.repeat(20).trim()]],
  ['x'.repeat(500), ['x'.repeat(240), 'x'.repeat(240), 'x'.repeat(20)]],
])('the sentence %j is spoken in breaths', (sentence, breaths) => {
  expect(breathsOf(sentence)).toEqual(breaths);
});

async function collect(speech: tts.ChunkedStream): Promise<tts.SynthesizedAudio[]> {
  const audio: tts.SynthesizedAudio[] = [];
  for await (const part of speech) audio.push(part);
  return audio;
}

function seconds(audio: readonly tts.SynthesizedAudio[]): number {
  return audio.reduce((sum, { frame }) => sum + frame.samplesPerChannel, 0) / 16_000;
}
