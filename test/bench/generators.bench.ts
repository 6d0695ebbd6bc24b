import process from 'node:process';
import { createMemoryStore } from '../../dist/store/memory/store.js';
import type { AdvancePayload } from '../../dist/model/effect.js';
import type { GeneratorAnswer } from '../../dist/model/signals/generator-yield.js';
import type { GeneratorYielded } from '../../dist/model/signals/generator-signal.js';
import { defineFlow } from '../../dist/flow/document/define.js';
import { ask, say, tool } from '../../dist/flow/document/generator-yields.js';
import { createCountingIds } from '../../dist/testing/counting-ids.js';
import { createSeededRandom } from '../../dist/testing/seeded-random.js';
import { createVirtualClock } from '../../dist/testing/virtual-clock.js';
import { createGeneratorDriver, type GeneratorDriver } from '../../dist/engine/generators/generator-driver.js';
import { journalOf } from '../../dist/engine/generators/generator-journal.js';
import { noon } from '../kernel/session.ts';
import { median, type Measure } from './measure.ts';
import { rounds } from './rounds.ts';

const yields = rounds(1_000, 8);
const samples = rounds(21);

/** A lesson of 1,000 yields: questions, tools and lines, each with a random draw. */
const lesson = defineFlow(async function* lesson(ctx) {
  for (let round = 0; ; round += 1) {
    const sentence = yield* ask({ key: `sentence-${round}`, text: 'Send one sentence in English.' });
    const corrected = yield* tool<string>({ name: 'correct_sentence', args: { sentence, at: ctx.now() } });
    yield* say(corrected.ok ? corrected.result : corrected.error);
    yield* say(`That was number ${round}, ${ctx.uuid()}.`);
  }
});

const payload: AdvancePayload = { run: 1, step: 0, answer: null };
const effect = { key: 'k', kind: 'advance', state: 'intended', node: 'start', visit: 1 } as const;

function driverOn(readJournal: () => Promise<readonly GeneratorYielded[]>): GeneratorDriver {
  return createGeneratorDriver({
    generatorOf: () => Promise.resolve(lesson),
    journal: readJournal,
    session: { id: 's', timeZone: 'UTC' },
    language: () => 'en',
    clock: createVirtualClock(noon),
    random: createSeededRandom(1),
    ids: createCountingIds(),
  });
}

/** Returns the log of a lesson with 1,000 yields. */
async function record(): Promise<readonly GeneratorYielded[]> {
  const driver = driverOn(() => Promise.resolve([]));
  const journal: GeneratorYielded[] = [];
  let step = 0;
  let answer: GeneratorAnswer | null = null;
  while (step < yields) {
    const made = await driver.advance({ ...effect, payload: { ...payload, step, answer } }, 'lesson', {});
    if (made.type !== 'generator:yielded') throw new Error(`The lesson broke off: ${made.type}.`);
    journal.push({ ...made, at: noon + step });
    step += made.yields.length;
    const last = made.yields.at(-1)?.yield;
    answer =
      last?.type === 'tool'
        ? { value: { ok: true, result: `Sentence ${step}, corrected.` }, inbound: null }
        : { value: 'I goes home', inbound: { eventId: `ev${step}`, text: 'I goes home', via: 'text' } };
  }
  driver.close();
  return journal;
}

export const measures: Measure[] = [
  {
    name: 'replay.1000_ms',
    unit: 'ms',
    better: 'lower',
    limit: 50,
    async run() {
      const journal = await record();
      const step = journal.reduce((sum, one) => sum + one.yields.length, 0);
      const clock = createVirtualClock(noon);
      const store = createMemoryStore({ clock });
      const lease = await store.leases.acquire({ sessionId: 's', owner: 'bench', ttlMs: 60_000 });
      if (lease === null) throw new Error('The session is taken.');
      const signals = journal.map((signal, index) => ({ seq: index + 1, signal }));
      const kept = { stateVersion: 1, graphHash: '', state: null, effects: [], events: () => [], inputKeys: [] };
      await store.steps.create({ lease, baseSeq: 0, signals, ...kept });
      const values: number[] = [];
      for (let sample = 0; sample < samples; sample += 1) {
        const driver = driverOn(async () =>
          journalOf(
            (await store.steps.list('s')).map(({ signal }) => signal),
            1,
          ),
        );
        const started = performance.now();
        const used = process.cpuUsage();
        const checked = await driver.advance({ ...effect, payload: { ...payload, step } }, 'lesson', {});
        const { user, system } = process.cpuUsage(used);
        // Other work on the machine slows wall-clock time, but not CPU time.
        values.push(Math.min(performance.now() - started, (user + system) / 1000));
        driver.close();
        if (checked.type !== 'generator:yielded') throw new Error(`It did not run again: ${checked.type}.`);
      }
      return { value: median(values), baseline: `${step} yields, read from the log and compared`, runs: samples };
    },
  },
];
