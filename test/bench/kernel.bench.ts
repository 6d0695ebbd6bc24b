import process from 'node:process';
import type { Signal } from '../../src/model/signals/signal.ts';
import { newSession } from '../../src/kernel/state/state.ts';
import { step } from '../../src/kernel/step.ts';
import { clinic } from '../kernel/clinic.ts';
import { conversation, graphOf } from '../kernel/session.ts';
import { median, type Measure } from './measure.ts';
import { rounds } from './rounds.ts';

const graph = graphOf(clinic, ['book_visit']);

/** The signals of a whole intake: turns, batches that record and move, confirmations. Each turn hears the lines before it. */
function intake(): readonly Signal[] {
  const call = conversation(graph);
  call.start();
  call.turn("yes, I'm Maria Delgado and my tooth hurts");
  call.batch([
    { name: 'record', arguments: { full_name: 'Maria Delgado', reason: 'pain' } },
    { name: 'start', arguments: {} },
  ]);
  call.turn('yes');
  call.turn('March third, no wait, the fourth, 1984');
  call.batch([{ name: 'record', arguments: { birth_date: '1984-03-04' } }]);
  call.batch([], 'When would suit you?');
  call.turn('Tuesday at ten');
  call.batch([{ name: 'book_visit', arguments: { time: 'Tuesday at ten' }, state: 'waiting' }]);
  const write = call.turn('yes please')[0]?.key ?? '';
  call.settleTool(write, { result: { ok: true, time: 'Tuesday 10:00' } });
  const end = call.effects.at(-1)?.key ?? '';
  call.settleEffect(end);
  if (call.state.status !== 'ended') throw new Error('The intake did not come to its end.');
  return call.log.map((signal, index) => ({ ...signal, at: signal.at + 1000 * index }));
}

const sampleMs = rounds(100);
const samples = rounds(21);
/** Intakes per reading of the processor time, because a reading may take longer than an intake. */
const intakesARound = 20;

/**
 * Folds whole intakes in sequence. Returns the steps per second of CPU time, because other work on the machine slows
 * wall-clock time.
 */
function stepsPerSecond(log: readonly Signal[]): number {
  const started = process.cpuUsage();
  let steps = 0;
  let elapsed = 0;
  do {
    for (let intake = 0; intake < intakesARound; intake += 1) {
      let state = newSession('s');
      for (const signal of log) state = step(graph, state, signal).state;
    }
    steps += intakesARound * log.length;
    const { user, system } = process.cpuUsage(started);
    elapsed = (user + system) / 1000;
  } while (elapsed < sampleMs);
  return (steps / elapsed) * 1000;
}

export const measures: Measure[] = [
  {
    name: 'kernel.steps_per_second',
    unit: 'steps/s',
    better: 'higher',
    limit: 100_000,
    run: () => {
      const log = intake();
      // V8 takes more than a second of samples to compile the kernel.
      for (let sample = 0; sample < samples; sample += 1) stepsPerSecond(log);
      const values = Array.from({ length: samples }, () => stepsPerSecond(log));
      return Promise.resolve({ value: median(values), baseline: `an intake of ${log.length} steps`, runs: samples });
    },
  },
];
