import process from 'node:process';
import { createFlowRunner } from '../../dist/runner/create-flow-run.js';
import type { TaskFlow } from '../../dist/flow/document/task-document.js';
import { heapHeld } from './heap.ts';
import { type LangGraph, openLangGraph } from './langgraph.ts';
import { type Measure, median, type Reading } from './measure.ts';
import { rounds } from './rounds.ts';

type Tasks = Extract<TaskFlow['nodes'], readonly unknown[]>;

const noop = (id: string): Tasks[number] => ({ id, type: 'control.noop' });

/** Tasks in sequence. */
function chain(length: number): TaskFlow {
  const ids = Array.from({ length }, (_, index) => `t${index}`);
  const edges = ids.slice(1).map((to, index) => ({ from: `t${index}`, to }));
  return { flow: { name: 'chain' }, nodes: ids.map(noop), edges };
}

/** One task, then all others in parallel, then a last task. */
function fan(width: number): TaskFlow {
  const ids = Array.from({ length: width }, (_, index) => `t${index}`);
  const edges = ids.flatMap((id) => [
    { from: 'first', to: id },
    { from: id, to: 'last' },
  ]);
  return { flow: { name: 'fan' }, nodes: [noop('first'), ...ids.map(noop), noop('last')], edges };
}

const waitTimes = [200, 400, 800].map((ms) => rounds(ms, ms / 200));
const [chained, fanned] = [rounds(10_000, 10), rounds(1_000, 10)];

const waits: TaskFlow = {
  flow: { name: 'waits' },
  nodes: waitTimes.map((ms) => ({ id: `wait${ms}`, type: 'control.wait', input: { ms } })),
};

interface Times {
  readonly passedMs: number;
  /** CPU time of this process, on all cores. */
  readonly computedMs: number;
}

/** Returns the times of some work, in milliseconds. */
async function timesOf(work: () => Promise<void>): Promise<Times> {
  const startedAt = performance.now();
  const usedBefore = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(usedBefore);
  return { passedMs: performance.now() - startedAt, computedMs: (user + system) / 1000 };
}

/** Returns the times of one successful run in Roomflow. The flow is compiled before. */
function ourTimes(flow: TaskFlow): Promise<Times> {
  const instance = createFlowRunner(flow);
  return timesOf(async () => {
    const { status } = await instance.run();
    if (status !== 'complete') throw new Error(`The flow of the benchmark is ${status}.`);
  });
}

/** The same for LangGraph, whose graph is also compiled before. */
function theirTimes(langGraph: LangGraph, graph: unknown, tasks: number): Promise<Times> {
  return timesOf(async () => {
    const done = await langGraph.run(graph);
    if (done !== tasks) throw new Error(`LangGraph has run ${done} nodes of ${tasks}.`);
  });
}

/** Returns the median, after a warm-up run. */
async function medianOf(runs: number, one: () => Promise<number>): Promise<number> {
  const values: number[] = [];
  for (let run = -1; run < runs; run += 1) {
    const value = await one();
    if (run >= 0) values.push(value);
  }
  return median(values);
}

interface Shape {
  readonly name: string;
  readonly flow: TaskFlow;
  readonly graph: (langGraph: LangGraph) => unknown;
  readonly tasks: number;
  /** Short runs are repeated often, because each takes several times longer until its code is compiled. */
  readonly runs: number;
  /** LangGraph takes a minute for a long chain. */
  readonly theirRuns: number;
}

const shapes: readonly Shape[] = [
  {
    ...{ name: 'chain_10000', flow: chain(chained), tasks: chained, runs: rounds(5), theirRuns: 1 },
    graph: (langGraph) => langGraph.chain(chained),
  },
  {
    ...{ name: 'fan_1000', flow: fan(fanned), tasks: fanned + 2, runs: rounds(51), theirRuns: 5 },
    graph: (langGraph) => langGraph.fan(fanned),
  },
];

const ourMicroseconds = ({ flow, tasks, runs }: Shape): Promise<number> =>
  medianOf(runs, async () => ((await ourTimes(flow)).computedMs * 1000) / tasks);

function overheadOf(shape: Shape): Measure {
  return {
    name: `task.node_overhead_us.${shape.name}`,
    unit: 'µs computed a task',
    better: 'lower',
    limit: 50,
    run: async () => ({ value: await ourMicroseconds(shape), baseline: null, runs: shape.runs }),
  };
}

function overheadRatioOf(shape: Shape): Measure {
  return {
    name: `task.langgraph_overhead_ratio.${shape.name}`,
    unit: 'times LangGraph',
    rehearsedBy: ourTasks,
    better: 'lower',
    async run(): Promise<Reading> {
      const langGraph = await openLangGraph();
      const graph = shape.graph(langGraph);
      const theirs: number[] = [];
      for (let run = 0; run < shape.theirRuns; run += 1)
        theirs.push(((await theirTimes(langGraph, graph, shape.tasks)).computedMs * 1000) / shape.tasks);
      const reference = median(theirs);
      return {
        value: (await ourMicroseconds(shape)) / reference,
        baseline: `LangGraph ${langGraph.version}, ${Math.round(reference)} µs`,
        runs: shape.theirRuns,
      };
    },
  };
}

/** Our half of each comparison with LangGraph, which only this benchmark installs. */
const ourTasks = 'task.node_overhead_us, task.parallel_ratio';

const parallelRuns = rounds(5);
const longestMs = Math.max(...waitTimes);

/** The stored data of a run with 2,000 tasks; below, with 10,000. */
export const keptBy2000 = () => keptBy(rounds(2_000, 20));
export const keptBy10000 = () => keptBy(rounds(10_000, 100));

async function keptBy(length: number): Promise<unknown> {
  const instance = createFlowRunner(chain(length));
  return [instance, await instance.run()];
}

export const measures: Measure[] = [
  ...shapes.map(overheadOf),
  ...shapes.map(overheadRatioOf),
  {
    name: 'task.parallel_ratio',
    unit: 'times the longest',
    better: 'lower',
    limit: 1.05,
    run: async () => ({
      value: await medianOf(parallelRuns, async () => (await ourTimes(waits)).passedMs / longestMs),
      baseline: `${longestMs} ms`,
      runs: parallelRuns,
    }),
  },
  {
    name: 'task.langgraph_parallel_ratio',
    unit: 'times LangGraph',
    rehearsedBy: ourTasks,
    better: 'lower',
    async run() {
      const langGraph = await openLangGraph();
      const graph = langGraph.waits(waitTimes);
      const theirs = async () => (await theirTimes(langGraph, graph, waitTimes.length)).passedMs;
      const reference = await medianOf(parallelRuns, theirs);
      return {
        value: (await medianOf(parallelRuns, async () => (await ourTimes(waits)).passedMs)) / reference,
        baseline: `LangGraph ${langGraph.version}, ${Math.round(reference)} ms`,
        runs: parallelRuns,
      };
    },
  },
  {
    name: 'task.memory_ratio',
    unit: 'times as much a task',
    better: 'lower',
    // Linear: a task of a long chain takes as much as a task of a short chain.
    limit: 1.1,
    async run() {
      const [short, long] = [
        await heapHeld(import.meta.url, 'keptBy2000', 3),
        await heapHeld(import.meta.url, 'keptBy10000', 3),
      ];
      const kib = short.value / 1024 / 2_000;
      return { value: long.value / 5 / short.value, baseline: `${kib.toFixed(2)} KiB in a chain of 2,000`, runs: 3 };
    },
  },
];
