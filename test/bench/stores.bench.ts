import { fork } from 'node:child_process';
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { createMemoryStore } from '../../src/durable/memory-store.ts';
import { openStore } from '../../src/durable/open-store.ts';
import type { Store } from '../../src/ports/store.ts';
import { FlowRunner } from '../../src/runner.ts';
import { systemClock as clock } from '../../src/session/system.ts';
import { createTextSession } from '../../src/session/text-session.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { startPostgres } from '../durable/postgres-server.ts';
import { type Measure, median, type Reading } from './measure.ts';
import { committer, owned } from './store-commits.ts';

const rounds = 15;
const perRound = 20;
const processes = 8;

/** How many times as long a commit takes as 8 KB written to the same disk for good; both by turns, medians of all. */
async function commitRatio(address: string, folder: string): Promise<Reading> {
  const store = await openStore(address, { clock });
  const file = openSync(join(folder, 'reference'), 'w');
  const block = Buffer.alloc(8_192, 1);
  const commit = committer(store, await owned(store, `ratio_${Date.now()}`));
  const commits: number[] = [];
  const references: number[] = [];
  try {
    for (let warm = 0; warm < 50; warm += 1) await commit();
    for (let round = 0; round < rounds; round += 1) {
      for (let one = 0; one < perRound; one += 1) {
        const started = performance.now();
        writeSync(file, block, 0, block.length, 0);
        fdatasyncSync(file);
        references.push(performance.now() - started);
      }
      for (let one = 0; one < perRound; one += 1) {
        const started = performance.now();
        await commit();
        commits.push(performance.now() - started);
      }
    }
  } finally {
    closeSync(file);
    await store.close();
  }
  const reference = median(references);
  return {
    value: median(commits) / reference,
    baseline: `8 KB and fdatasync, ${reference.toPrecision(3)} ms`,
    runs: commits.length,
  };
}

async function inFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  // Beside the project: /tmp may be a disk in memory, where nothing has to be kept.
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

/** What a turn of the caller costs in transactions, where nothing but a reply follows from it. */
async function commitsPerTurn(): Promise<Reading> {
  const turns = 20;
  const store = createMemoryStore({ clock });
  const { runner, close } = await talking(store, 0);
  const before = store.transactions;
  for (let turn = 0; turn < turns; turn += 1) await runner.send('Tell me more.');
  const value = (store.transactions - before) / turns;
  await close();
  return { value, baseline: null, runs: turns };
}

async function talking(store: Store, delayMs: number) {
  const model = new ScriptedModel(() => ({ text: 'Gladly.', delayMs }));
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
    runner,
    close: async () => {
      await runner.stop();
      await session.close();
    },
  };
}

/** The slowest hundredth of the commits of many processes that share one file and think between two turns. */
async function sharedP99(): Promise<Reading> {
  return await inFolder(async (folder) => {
    const address = `sqlite:${join(folder, 'shared.db')}`;
    const store = await openStore(address, { clock });
    const results = await Promise.all(
      Array.from({ length: processes }, (_, index) => sharing(address, `process_${index}`)),
    );
    await store.close();
    const all = results.flat();
    return { value: quantile(all, 0.99), baseline: `median ${median(all).toPrecision(3)} ms`, runs: all.length };
  });
}

function sharing(address: string, sessionId: string): Promise<readonly number[]> {
  const child = fork(join(import.meta.dirname, 'store-child.ts'), [address, sessionId], {
    execArgv: ['--import', 'tsx'],
  });
  return new Promise((resolve, reject) => {
    let times: readonly number[] = [];
    child.on('message', (message: readonly number[]) => (times = message));
    child.on('exit', (code) => (code === 0 ? resolve(times) : reject(new Error(`${sessionId} failed: ${code}`))));
  });
}

/** How much later than without it a timer runs while SQLite commits twenty times a second: the slowest hundredth. */
async function eventLoopDelay(): Promise<Reading> {
  return await inFolder(async (folder) => {
    const store = await openStore(`sqlite:${join(folder, 'loop.db')}`, { clock });
    const commit = committer(store, await owned(store, 's'));
    const idle: number[] = [];
    const busy: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      idle.push(await delayP99(() => Promise.resolve()));
      busy.push(await delayP99(commit));
    }
    await store.close();
    const reference = median(idle);
    return {
      value: median(busy) - reference,
      baseline: `without commits, ${reference.toPrecision(3)} ms`,
      runs: busy.length,
    };
  });
}

async function delayP99(work: () => Promise<void>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  for (let count = 0; count < 30; count += 1) {
    await work();
    await pause(50);
  }
  delay.disable();
  return delay.percentile(99) / 1e6;
}

/** What a store that takes 200 ms for everything it writes adds to a reply of a model that takes 300 ms. */
async function slowStore(): Promise<Reading> {
  const turns = 40;
  const memory = createMemoryStore({ clock });
  const slow: Store = {
    ...memory,
    commit: async (commit) => {
      await pause(200);
      await memory.commit(commit);
    },
  };
  const quick = await talking(createMemoryStore({ clock }), 300);
  const slowed = await talking(slow, 300);
  const quickMs: number[] = [];
  const slowMs: number[] = [];
  const timed = async ({ runner }: { runner: FlowRunner }): Promise<number> => {
    const started = performance.now();
    await runner.send('Tell me more.');
    return performance.now() - started;
  };
  for (let turn = 0; turn < turns; turn += 1) {
    // Both at once, so that what else the machine does slows both.
    const [one, other] = await Promise.all([timed(quick), timed(slowed)]);
    quickMs.push(one);
    slowMs.push(other);
  }
  await quick.close();
  await slowed.close();
  const reference = quantile(quickMs, 0.95);
  return {
    value: quantile(slowMs, 0.95) - reference,
    baseline: `a store that is quick, ${reference.toPrecision(4)} ms`,
    runs: turns,
  };
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
