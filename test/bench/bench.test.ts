import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { isBroad } from '../tries.ts';
import { alone } from './alone.ts';
import { heapHeld } from './heap.ts';
import { median, type Measure, type Reading } from './measure.ts';
import { ratio } from './ratio.ts';
import { bench, type Choice } from './report.ts';

const measures: Measure[] = [
  measure('compile/small', { value: 1.23456, baseline: 'yaml, 0.5 ms', runs: 31 }, { unit: 'times', limit: 2 }),
  measure('compile/large-flow', { value: 12_345.6, baseline: 4.5, runs: 5 }, { unit: 'ms', limit: 2 }),
  measure('turns', { value: 80, baseline: null, runs: 1 }, { unit: 'per s', better: 'higher', limit: 100 }),
];

test('the table is aligned and marks values beyond their limits', async () => {
  const { lines, errors, exitCode } = await run({});
  expect(lines).toEqual([
    'measure                   value  unit     runs  limit      baseline',
    'compile/small             1.235  times      31  within 2   yaml, 0.5 ms',
    'compile/large-flow       12,346  ms          5  over 2     4.5',
    'turns                        80  per s       1  under 100',
  ]);
  expect({ errors, exitCode }).toEqual({ errors: [], exitCode: 0 });
});

test('--json prints one object for each measure and nothing else on stdout', async () => {
  const { lines, errors, exitCode } = await run({ json: true });
  expect(lines).toEqual([
    '{"name":"compile/small","value":1.23456,"unit":"times","baseline":"yaml, 0.5 ms","runs":31}',
    '{"name":"compile/large-flow","value":12345.6,"unit":"ms","baseline":4.5,"runs":5}',
    '{"name":"turns","value":80,"unit":"per s","baseline":null,"runs":1}',
  ]);
  expect(errors).toEqual(['compile/large-flow: over 2', 'turns: under 100']);
  expect(exitCode).toBe(0);
});

test('--only selects measures by the prefix of their names', async () => {
  expect((await run({ only: 'compile/', json: true })).lines).toHaveLength(2);
  expect((await run({ only: 'pile', json: true })).exitCode).toBe(1);
});

test('--only with an unknown prefix is an error that lists the names', async () => {
  expect(await run({ only: 'speech' })).toEqual({
    lines: [],
    errors: ['No measure begins with "speech". There are:\n  compile/small\n  compile/large-flow\n  turns'],
    exitCode: 1,
  });
});

test('--strict fails only if a value is beyond its limit', async () => {
  expect((await run({ strict: true })).exitCode).toBe(1);
  expect((await run({ strict: true, only: 'compile/small' })).exitCode).toBe(0);
});

test('NaN is beyond every limit', async () => {
  const broken = measure('broken', { value: Number.NaN, baseline: null, runs: 1 }, { limit: 2 });
  expect((await run({ strict: true }, [broken])).exitCode).toBe(1);
});

test('a measure that throws is reported, fails the run and does not stop the others', async () => {
  const throwing: Measure = { ...measure('boom'), run: () => Promise.reject(new Error('out of cheese')) };
  const { lines, errors, exitCode } = await run({ json: true }, [throwing, ...measures]);
  expect(lines).toHaveLength(3);
  expect(errors[0]).toContain('boom failed: Error: out of cheese');
  expect(exitCode).toBe(1);
});

const main = ['--import', 'tsx', join(import.meta.dirname, 'main.ts')];

test('the command finds the bench files, and the scenario of each measure plays to its end', async () => {
  // `npm test` loads all bench files and plays one measure, `npm run laws` all.
  const chosen = isBroad ? [] : ['--only', 'turn'];
  const { stdout, stderr } = await promisify(execFile)(execPath, [...main, '--rehearse', ...chosen]);
  const played = stdout.trim().split('\n');
  const subjects = new Set(played.map((name) => name.split(/[./]/)[0]));
  const expected = isBroad
    ? ['kernel.steps_per_second', 'turn.flow_over_classic_ratio']
    : ['turn.flow_over_classic_ratio'];
  expect(played).toEqual(expect.arrayContaining(expected));
  expect(subjects.size).toBeGreaterThan(isBroad ? 15 : 0);
  expect(stderr).toBe('');
});

test('an unknown option prints the usage', async () => {
  const unknown = promisify(execFile)(execPath, [...main, '--fast']);
  await expect(unknown).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('--only PREFIX'),
  });
});

test('a ratio is how many times longer the candidate takes', async () => {
  let now = 0;
  const takes = (ms: number) => () => void (now += ms);
  const { value, baseline, runs } = await ratio({
    candidate: takes(4),
    baseline: takes(1),
    baselineName: 'a quarter',
    now: () => now,
  });
  expect(value).toBe(4);
  expect(baseline).toBe('a quarter, 1.00 ms');
  expect(runs).toBe(301);
});

test('a ratio waits for asynchronous work', async () => {
  let now = 0;
  const later = (ms: number) => async () => {
    await Promise.resolve();
    now += ms;
  };
  const { value } = await ratio({
    candidate: later(3),
    baseline: later(1),
    baselineName: 'a third',
    now: () => now,
  });
  expect(value).toBe(3);
});

test('the heap size of a result is measured in a fresh process', async () => {
  // A million numbers of eight bytes, in addition to another million that is garbage.
  const numbers = 'Array.from({ length: 1e6 }).fill(1.5)';
  const module = `data:text/javascript,export const make = () => [${numbers}, ${numbers}].slice(1)`;
  const { value, runs } = await heapHeld(module, 'make', 1);
  expect(value).toBeGreaterThan(7_900_000);
  expect(value).toBeLessThan(8_400_000);
  expect(runs).toBe(1);
});

test('a median is the middle value, or the mean of the two middle values', () => {
  expect(median([30, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 30])).toBe(3);
  expect(() => median([])).toThrow('no values');
});

function measure(name: string, reading?: Reading, rest?: Partial<Measure>): Measure {
  const run = () => Promise.resolve(reading ?? { value: 1, baseline: null, runs: 1 });
  return { name, unit: 'ms', better: 'lower', run, ...rest };
}

async function run(choice: Choice, chosen = measures) {
  const [lines, errors]: [string[], string[]] = [[], []];
  const output = { line: (text: string) => lines.push(text), error: (text: string) => errors.push(text) };
  return { exitCode: await bench(chosen, choice, output), lines, errors };
}

/** A bench file whose measure reads the id of its process. */
const pidFile =
  'data:text/javascript,export const measures=[{name:"pid",run:async()=>({value:process.pid,baseline:null,runs:1})}]';

test('each measure runs in a fresh process, and a failed process reports its error', async () => {
  const pid = measure('pid', { value: 0, baseline: null, runs: 1 }, { unit: '' });
  const [first, second] = [await alone(pidFile, pid).run(), await alone(pidFile, pid).run()];
  expect(new Set([first.value, second.value, process.pid]).size).toBe(3);
  const failing = 'data:text/javascript,export const measures=[{name:"pid",run:()=>process.exit(3)}]';
  await expect(alone(failing, pid).run()).rejects.toThrow('its process ended with 3.');
});
