import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath, pid } from 'node:process';
import { afterAll, describe, expect, test } from 'vitest';
import { createMemoryStore, type MemoryStore } from '../../src/store/memory/store.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import type { Json } from '../../src/model/json.ts';
import type { SessionState } from '../../src/kernel/state/state.ts';
import type { SessionSnapshot } from '../../src/model/ports/store.ts';
import { createSeededRandom } from '../../src/testing/seeded-random.ts';
import { bundleScript } from './crash/bundle-script.ts';
import { freeForm } from './crash/free-writes.ts';
import { type Caller, newCaller } from './crash/play.ts';
import { ledgerInFile, noon, type Scene, scenes } from './crash/scenes.ts';
import { type CrashPoint, nameOfPoint } from './crash/mortal.ts';
import { partOfSweep } from './crash/part-of-sweep.ts';
import { clockAt, crash, gapMs, goOn, type Place, pointsOf, uncrashed } from './crash/sweep.ts';
import { postgresForTests } from './postgres-for-tests.ts';
import { whyNoPostgres } from './postgres-server.ts';
import { whyNoSqlite } from './sqlite-here.ts';

/** `npm run sweep` runs every point, `.ci/run` a part of them, `npm test` every 24th in memory and some on a database. */
const part = partOfSweep();
const oneOfMemory = part ?? 24;
const oneOf = part ?? 84;
const kills = part === null ? 2 : Math.ceil(100 / part);

const folder = mkdtempSync(join(tmpdir(), 'roomflow-crash-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let places = 0;

function inMemory(): Place {
  let store: MemoryStore | undefined;
  let clock = clockAt(noon);
  return {
    open: (newClock) => {
      clock = newClock;
      store ??= createMemoryStore({ clock: { now: () => clock.now(), schedule: clock.schedule } });
      // The object outlives the process.
      return Promise.resolve({ ...store, close: () => Promise.resolve() });
    },
  };
}

function inSqlite(): Place {
  const file = join(folder, `${(places += 1)}.db`);
  return { open: (clock) => openSqliteStore(file, { clock }) };
}

const ends = new Map<Scene, ReturnType<typeof uncrashed>>();

/** The end of a scene without a crash: the same in every store as in memory. */
function endOf(scene: Scene): ReturnType<typeof uncrashed> {
  const end = ends.get(scene) ?? uncrashed(scene, inMemory());
  ends.set(scene, end);
  return end;
}

async function sweep(newPlace: () => Place | Promise<Place>, every: number): Promise<void> {
  const divergences: string[] = [];
  let points = 0;
  for (const [offset, scene] of scenes.entries()) {
    const { expected, steps } = await endOf(scene);
    for (const [index, point] of pointsOf(scene, steps).entries()) {
      if ((index + offset) % every !== 0) continue;
      points += 1;
      const divergence = await crash(scene, await newPlace(), point, expected);
      if (divergence !== null) divergences.push(divergence);
    }
  }
  console.log(`${points} crash points, ${divergences.length} divergences`);
  expect(divergences).toEqual([]);
}

const timeout = 3_600_000;

test(
  'the sweep finds a write that a model repeats because its first request in a process lacks it',
  { timeout },
  async () => {
    const form = scenes.find(({ name }) => name === freeForm.name) as Scene; // It is in the list.
    const isShown = (item: string): boolean => !/^(call|output): note/.test(item);
    const blind: Scene = {
      ...form,
      script: (request, count) =>
        freeForm.script(count === 1 ? { ...request, items: request.items.filter(isShown) } : request),
    };
    const { expected, steps } = await uncrashed(blind, inMemory());
    const points = pointsOf(blind, steps).filter(({ at }) => at === 'write');
    let found = '';
    for (const point of points.toReversed())
      if (!found.includes('two keys')) found = (await crash(blind, inMemory(), point, expected)) ?? '';
    expect(found).toContain('done under two keys for the same words: note');
  },
);

test('the sweep finds words of the caller that were taken and never answered', { timeout }, async () => {
  const form = scenes.find(({ name }) => name === freeForm.name) as Scene; // It is in the list.
  const { expected, steps } = await uncrashed(form, inMemory());
  /** A place in which the resuming process does not find that an answer is due. */
  const forgetful = (): Place => {
    const place = inMemory();
    let openings = 0;
    return {
      open: async (clock) => {
        const store = await place.open(clock);
        openings += 1;
        return openings === 1
          ? store
          : {
              ...store,
              sessions: { ...store.sessions, get: async (id) => withoutReply(await store.sessions.get(id)) },
            };
      },
    };
  };
  const points = pointsOf(form, steps).filter(({ at, when }) => at === 'inference' && when === 'after');
  let found = '';
  for (const point of points)
    if (!found.includes('has forgotten')) found = (await crash(form, forgetful(), point, expected)) ?? '';
  expect(found).toContain('has forgotten: ');
});

function withoutReply(snapshot: SessionSnapshot | null): SessionSnapshot | null {
  if (snapshot === null) return null;
  const state = snapshot.state as unknown as SessionState; // Written by the engine.
  const effects = Object.entries(state.effects).filter(([, { kind }]) => kind !== 'reply');
  return { ...snapshot, state: { ...state, effects: Object.fromEntries(effects) } as unknown as Json };
}

describe('C1: a crash before or after any write, or in an inference, changes neither the end nor the writes', () => {
  test('in memory', { timeout }, () => sweep(inMemory, oneOfMemory));

  const noSqlite = whyNoSqlite();
  test.skipIf(noSqlite !== null)('on SQLite', { timeout }, () => sweep(inSqlite, oneOf));

  test.skipIf(noSqlite !== null)('C2: a whole process killed by SIGKILL', { timeout }, async () => {
    const random = createSeededRandom(7);
    const divergences: string[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      const scene = scenes[kill % scenes.length] as Scene; // The list is not empty.
      const end = await endOf(scene);
      const points = pointsOf(scene, end.steps);
      const point = points[Math.floor(random.next() * points.length)];
      if (point === undefined) continue;
      const divergence = await killedAt(scene, point, end.expected);
      if (divergence !== null) divergences.push(`${scene.name}, ${nameOfPoint(point)}: ${divergence}`);
    }
    console.log(`${kills} processes killed, ${divergences.length} divergences`);
    expect(divergences).toEqual([]);
  });

  const missing = whyNoPostgres();
  describe.skipIf(missing !== null)('with a server', () => {
    const server = postgresForTests();

    test('on Postgres', { timeout }, () =>
      sweep(async () => {
        const address = await server.createDatabase();
        return { open: (clock) => openPostgresStore(address, { clock, leaseTime: 'clock' }) };
      }, oneOf),
    );
  });
});

let bundled: Promise<string> | undefined;
afterAll(async () => bundled !== undefined && rmSync(await bundled));

async function killedAt(scene: Scene, point: CrashPoint, expected: Json): Promise<string | null> {
  const base = join(folder, `killed-${(places += 1)}`);
  const [database, ledger, callerFile] = [`${base}.db`, `${base}.ledger`, `${base}.caller`];
  bundled ??= bundleScript(join(import.meta.dirname, 'crash/dying-process.ts'), `dying-process-${pid}.mjs`);
  const script = await bundled;
  const child = spawn(execPath, [script, scene.name, database, ledger, callerFile, JSON.stringify(point)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
  const signal = await new Promise<string | null>((resolve) => child.once('exit', (_code, found) => resolve(found)));
  if (signal !== 'SIGKILL') return `it was not killed: ${errors}`;
  // The caller's file, written by the process.
  const caller = existsSync(callerFile) ? (JSON.parse(readFileSync(callerFile, 'utf8')) as Caller) : newCaller();
  const store = await openSqliteStore(database, { clock: clockAt(noon + gapMs) });
  try {
    return await goOn(scene, store, scene.openWorld(ledgerInFile(ledger, () => caller.turns)), caller, expected);
  } finally {
    await store.close();
  }
}
