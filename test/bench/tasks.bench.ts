import process from 'node:process';
import { createFlowRunner } from '../../dist/create-flow-runner.js';
import type { TaskFlow } from '../../dist/flow/task-document.js';
import { type Measure, median } from './measure.ts';

type Tasks = Extract<TaskFlow['nodes'], readonly unknown[]>;

const noop = (id: string): Tasks[number] => ({ id, type: 'control.noop' });

/** Tasks one after the other. */
function chain(length: number): TaskFlow {
  const ids = Array.from({ length }, (_, index) => `t${index}`);
  const edges = ids.slice(1).map((to, index) => ({ from: `t${index}`, to }));
  return { flow: { name: 'chain' }, nodes: ids.map(noop), edges };
}

/** One task, all others after it, and one after all of them. */
function fan(width: number): TaskFlow {
  const ids = Array.from({ length: width }, (_, index) => `t${index}`);
  const edges = ids.flatMap((id) => [
    { from: 'first', to: id },
    { from: id, to: 'last' },
  ]);
  return { flow: { name: 'fan' }, nodes: [noop('first'), ...ids.map(noop), noop('last')], edges };
}

/** Milliseconds of one run, which ends well: as they pass, and as this process computes. */
async function timesOf(flow: TaskFlow): Promise<{ readonly passedMs: number; readonly computedMs: number }> {
  const instance = createFlowRunner(flow);
  const startedAt = performance.now();
  const usedBefore = process.cpuUsage();
  const { status } = await instance.run();
  const { user, system } = process.cpuUsage(usedBefore);
  if (status !== 'complete') throw new Error(`The flow of the benchmark is ${status}.`);
  return { passedMs: performance.now() - startedAt, computedMs: (user + system) / 1000 };
}

const runs = 5;

async function medianOfRuns(one: () => Promise<number>): Promise<number> {
  const values: number[] = [];
  for (let run = -1; run < runs; run += 1) {
    const value = await one();
    // The first run warms up.
    if (run >= 0) values.push(value);
  }
  return median(values);
}

function overheadOf(shape: string, flow: TaskFlow, tasks: number): Measure {
  return {
    name: `task.node_overhead_us.${shape}`,
    unit: 'µs computed a task',
    better: 'lower',
    limit: 50,
    run: async () => ({
      value: await medianOfRuns(async () => ((await timesOf(flow)).computedMs * 1000) / tasks),
      baseline: null,
      runs,
    }),
  };
}

const waits: TaskFlow = {
  flow: { name: 'waits' },
  nodes: [200, 400, 800].map((ms) => ({ id: `wait${ms}`, type: 'control.wait', input: { ms } })),
};

export const measures: Measure[] = [
  overheadOf('chain_10000', chain(10_000), 10_000),
  overheadOf('fan_1000', fan(1_000), 1_002),
  {
    name: 'task.parallel_ratio',
    unit: 'times the longest',
    better: 'lower',
    limit: 1.05,
    run: async () => ({
      value: await medianOfRuns(async () => (await timesOf(waits)).passedMs / 800),
      baseline: '800 ms',
      runs,
    }),
  },
];
