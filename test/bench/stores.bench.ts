import { fork } from 'node:child_process';
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { createMemoryStore } from '../../dist/store/memory/store.js';
import { openStore } from '../../dist/store/open-store.js';
import type { Store } from '../../dist/model/ports/store.js';
import { FlowRunner } from '../../dist/runner/flow-runner.js';
import { systemClock as clock } from '../../dist/system.js';
import { createTextSession } from '../../dist/livekit/agent/text-session.js';
import { ScriptedModel } from '../../dist/testing/scripted-model.js';
import { startPostgres } from '../durable/postgres-server.ts';
import { assertOpen } from './busy-calls.ts';
import { type Measure, median, type Reading } from './measure.ts';
import { committer, owned, shareStore, type SharedTimes } from './store-commits.ts';
import { isRehearsal, rounds } from './rounds.ts';

const syncs = rounds(31);
const perSync = rounds(12);
const processes = rounds(8);

/**
 * Compares a commit with a durable write of 8 KB to the same disk. Both alternate: the median of the ratios of each
 * round's medians, because a disk's speed varies.
 */
async function commitRatio(address: string, folder: string): Promise<Reading> {
  const store = await openStore(address, { clock });
  const file = openSync(join(folder, 'reference'), 'w');
  const block = Buffer.alloc(8_192, 1);
  const commit = committer(store, await owned(store, `ratio_${Date.now()}`));
  const sync = (): void => {
    writeSync(file, block, 0, block.length, 0);
    fdatasyncSync(file);
  };
  const ratios: number[] = [];
  const references: number[] = [];
  try {
    for (let warm = 0; warm < rounds(2_000); warm += 1) await commit();
    for (let round = 0; round < syncs; round += 1) {
      const reference = median(await timed(perSync, sync));
      references.push(reference);
      ratios.push(median(await timed(perSync, commit)) / reference);
    }
  } finally {
    closeSync(file);
    await store.close();
  }
  const baseline = `8 KB and fdatasync, ${median(references).toPrecision(3)} ms`;
  return { value: median(ratios), baseline, runs: syncs * perSync };
}

async function timed(count: number, work: () => unknown): Promise<readonly number[]> {
  const times: number[] = [];
  for (let one = 0; one < count; one += 1) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return times;
}

async function inFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  // Beside the project, because /tmp may be in memory and never written to a disk.
  const folder = mkdtempSync(join(import.meta.dirname, '../../.cache/bench-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const sqliteRatio = (): Promise<Reading> => inFolder((folder) => commitRatio(`sqlite:${join(folder, 'a.db')}`, folder));

async function postgresRatio(): Promise<Reading> {
  const server = await startPostgres();
  try {
    // The server's files are in the folder for temporary files.
    const folder = mkdtempSync(join(tmpdir(), 'roomflow-bench-'));
    const reading = await commitRatio(await server.createDatabase(), folder);
    rmSync(folder, { recursive: true, force: true });
    return reading;
  } finally {
    await server.stop();
  }
}

/** Counts the transactions of a caller's turn that leads only to a reply. */
async function commitsPerTurn(): Promise<Reading> {
  const turns = rounds(20);
  const store = createMemoryStore({ clock });
  const { turn, close } = await talking(store, 0);
  const before = store.transactions;
  for (let count = 0; count < turns; count += 1) await turn();
  const value = (store.transactions - before) / turns;
  await close();
  return { value, baseline: null, runs: turns };
}

async function talking(store: Store, delayMs: number) {
  // A new text each time: a model that repeats itself ends the conversation.
  let answers = 0;
  const model = new ScriptedModel(() => ({ text: `Gladly, this is part ${(answers += 1)}.`, delayMs }));
  const session = createTextSession(model);
  const runner = new FlowRunner({
    session,
    flow: {
      initialNode: 'talk',
      nodes: {
        talk: {
          respondImmediately: false,
          taskMessages: [{ role: 'system', content: 'Talk.' }],
          functions: [{ name: 'leave', transitionTo: 'talk' }],
        },
      },
    },
    store,
  });
  await runner.start();
  return {
    async turn() {
      await runner.send('Tell me more.');
      assertOpen(runner);
    },
    close: async () => {
      await runner.stop();
      await session.close();
    },
  };
}

/**
 * The 99th percentile of commits by many processes that share one file and pause between turns: the median of several
 * time spans. Reported with that of 8 KB that each process writes to a separate file.
 */
async function sharedP99(): Promise<Reading> {
  return await inFolder(async (folder) => {
    const address = `sqlite:${join(folder, 'shared.db')}`;
    const store = await openStore(address, { clock });
    const results = await Promise.all(
      Array.from({ length: processes }, (_, index) => sharing(address, `process_${index}`, join(folder, `${index}`))),
    );
    await store.close();
    const p99 = (of: 'commits' | 'references'): number =>
      median(
        spans.map((span) =>
          quantile(
            results.flatMap((one) => spanOf(one[of], span)),
            0.99,
          ),
        ),
      );
    const baseline = `8 KB and fdatasync in a file of each one's own, ${p99('references').toPrecision(3)} ms`;
    return { value: p99('commits'), baseline, runs: results.flatMap(({ commits }) => commits).length };
  });
}

const spans = [0, 1, 2, 3, 4];

function spanOf(times: readonly number[], span: number): readonly number[] {
  const length = times.length / spans.length;
  return times.slice(span * length, (span + 1) * length);
}

function sharing(address: string, sessionId: string, file: string): Promise<SharedTimes> {
  if (isRehearsal()) return shareStore(address, sessionId, file);
  const child = fork(join(import.meta.dirname, 'store-child.ts'), [address, sessionId, file], {
    execArgv: ['--import', 'tsx'],
  });
  return new Promise((resolve, reject) => {
    let times: SharedTimes = { commits: [], references: [] };
    child.on('message', (message: SharedTimes) => (times = message));
    child.on('exit', (code) => (code === 0 ? resolve(times) : reject(new Error(`${sessionId} failed: ${code}`))));
  });
}

/** The added delay of a timer while SQLite commits twenty times a second: the 99th percentile. */
async function eventLoopDelay(): Promise<Reading> {
  return await inFolder(async (folder) => {
    const store = await openStore(`sqlite:${join(folder, 'loop.db')}`, { clock });
    const commit = committer(store, await owned(store, 's'));
    const idle: number[] = [];
    const added: number[] = [];
    for (let round = 0; round < rounds(9); round += 1) {
      const before = await delayP99(() => Promise.resolve());
      const busy = await delayP99(commit);
      const after = await delayP99(() => Promise.resolve());
      idle.push(before, after);
      added.push(busy - (before + after) / 2);
    }
    await store.close();
    const baseline = `without commits, ${median(idle).toPrecision(3)} ms`;
    return { value: median(added), baseline, runs: added.length };
  });
}

async function delayP99(work: () => Promise<void>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  for (let count = 0; count < rounds(30); count += 1) {
    await work();
    await pause(50);
  }
  delay.disable();
  return delay.percentile(99) / 1e6;
}

/** The delay that a store with 200 ms per write adds to the reply of a model that takes 300 ms: the 95th percentile. */
async function slowStore(): Promise<Reading> {
  const turnsARound = rounds(20);
  const memory = createMemoryStore({ clock });
  const slow: Store = {
    ...memory,
    steps: {
      ...memory.steps,
      create: async (commit) => {
        await pause(200);
        await memory.steps.create(commit);
      },
    },
  };
  const quickTalk = await talking(createMemoryStore({ clock }), 300);
  const slowTalk = await talking(slow, 300);
  const added: number[] = [];
  const quick: number[] = [];
  for (let round = 0; round < rounds(5); round += 1) {
    const [quickMs, slowMs]: [number[], number[]] = [[], []];
    // In sequence, so that neither disturbs the other, with the order alternating.
    for (let turn = 0; turn < turnsARound; turn += 1) {
      const pair = [
        async () => void quickMs.push(...(await timed(1, () => quickTalk.turn()))),
        async () => void slowMs.push(...(await timed(1, () => slowTalk.turn()))),
      ];
      for (const one of turn % 2 === 0 ? pair : pair.toReversed()) await one();
    }
    quick.push(quantile(quickMs, 0.95));
    added.push(quantile(slowMs, 0.95) - quantile(quickMs, 0.95));
  }
  await quickTalk.close();
  await slowTalk.close();
  const baseline = `a store that is quick, ${median(quick).toPrecision(4)} ms`;
  return { value: median(added), baseline, runs: added.length * turnsARound };
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export const measures: Measure[] = [
  { name: 'commit.sqlite_ratio', unit: 'times', better: 'lower', limit: 2.5, run: sqliteRatio },
  { name: 'commit.postgres_ratio', unit: 'times', better: 'lower', limit: 4, run: postgresRatio },
  { name: 'commit.per_turn', unit: 'commits', better: 'lower', limit: 1, run: commitsPerTurn },
  { name: 'commit.shared8_p99_ms', unit: 'ms', better: 'lower', limit: 10, run: sharedP99 },
  { name: 'commit.sqlite_loop_delay_ms', unit: 'ms', better: 'lower', limit: 1, run: eventLoopDelay },
  { name: 'reply.slow_store_p95_ms', unit: 'ms', better: 'lower', limit: 5, run: slowStore },
];
