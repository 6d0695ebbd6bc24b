import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { afterAll, describe, expect, test } from 'vitest';
import { createMemoryStore, type MemoryStore } from '../../src/store/memory/store.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { allPoints } from './crash/mortal.ts';
import { crashPeople, type PeopleScene, playPeople } from './crash/people-play.ts';
import { peopleScenes } from './crash/people-scenes.ts';
import { partOfSweep } from './crash/part-of-sweep.ts';
import { noon } from './crash/scenes.ts';
import { clockAt, type Place } from './crash/sweep.ts';
import { postgresForTests } from './postgres-for-tests.ts';
import { whyNoPostgres } from './postgres-server.ts';
import { whyNoSqlite } from './sqlite-here.ts';

/** `npm run sweep` runs every point, `.ci/run` a part of them, `npm test` some. */
const part = partOfSweep();
const oneOfMemory = part ?? 56;
const oneOfLate = part ?? 84;
const oneOf = part ?? 120;
const afterwardsS = part === null ? 8 : 40;
/** Selects one scene by a part of its name. */
const only = env['ROOMFLOW_SCENE'] ?? '';

const folder = mkdtempSync(join(tmpdir(), 'roomflow-people-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;

function inMemory(): Place {
  let store: MemoryStore | undefined;
  let clock = clockAt(noon);
  return {
    open: (newClock) => {
      clock = newClock;
      store ??= createMemoryStore({
        clock: { now: () => clock.now(), schedule: (...given) => clock.schedule(...given) },
      });
      return Promise.resolve({ ...store, close: () => Promise.resolve() });
    },
  };
}

/** The same place with late commits. */
function answeredLate(): Place {
  return { ...inMemory(), answersLate: true };
}

type Ends = Map<PeopleScene, ReturnType<typeof endOf>>;
const ends: Ends = new Map();

/**
 * Returns the end of a scene without a crash and its number of writes: on every store that answers at once the same as
 * in memory.
 */
async function endOf(scene: PeopleScene, place: Place) {
  const { end, writes, failures } = await playPeople(scene, place, null, afterwardsS);
  expect(end, scene.name).toMatchObject({ isOver: true, unlike: [], owned: [], unsent: [] });
  expect(failures, scene.name).toEqual([]);
  return { end, writes };
}

async function sweep(
  newPlace: () => Place | Promise<Place>,
  every: number,
  [uncrashed, known]: [() => Place, Ends] = [inMemory, ends],
): Promise<void> {
  const divergences: string[] = [];
  let points = 0;
  for (const [offset, scene] of peopleScenes.filter(({ name }) => name.includes(only)).entries()) {
    const whole = known.get(scene) ?? endOf(scene, uncrashed());
    known.set(scene, whole);
    const { end, writes } = await whole;
    for (const [index, point] of allPoints({ writes, inferences: 0 }).entries()) {
      if ((index + 2 * offset) % every !== 0) continue;
      points += 1;
      const divergence = await crashPeople(scene, await newPlace(), point, end, afterwardsS);
      if (divergence !== null) divergences.push(divergence);
    }
  }
  console.log(`${points} crash points, ${divergences.length} divergences`);
  expect(divergences).toEqual([]);
}

const timeout = 3_600_000;

describe('C1: outside events are taken exactly once, at whatever point the sender and the taker are killed', () => {
  test('in memory', { timeout }, () => sweep(inMemory, oneOfMemory));

  test('in memory with late answers to commits', { timeout }, () =>
    sweep(answeredLate, oneOfLate, [answeredLate, new Map()]),
  );

  test.skipIf(whyNoSqlite() !== null)('on SQLite', { timeout }, () =>
    sweep(() => {
      const file = join(folder, `${(files += 1)}.db`);
      return { open: (clock) => openSqliteStore(file, { clock }) };
    }, oneOf),
  );

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
