import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import type { Timekeeper } from '../../src/model/ports/timekeeper.ts';
import { createDeliveries } from '../../src/testing/timekeeper/deliveries.ts';
import { describeTimekeeper } from '../../src/testing/timekeeper/describe-timekeeper.ts';
import { postgresForTests } from '../durable/postgres-for-tests.ts';
import { whyNoPostgres } from '../durable/postgres-server.ts';
import { isBroad } from '../tries.ts';

const missing = whyNoPostgres();

describe.skipIf(missing !== null)(missing ?? 'on Postgres', () => {
  const server = postgresForTests();

  const moduleOf = (engine: string): string => new URL(`../../packages/${engine}/test/open.mjs`, import.meta.url).href;
  const open = async (engine: string, url: string): Promise<Timekeeper> => {
    const { default: openAt } = (await import(moduleOf(engine))) as { default: (url: string) => Timekeeper };
    return openAt(url);
  };

  // The suites mostly wait, so they run in parallel, each with its tests in order.
  const beside = { describe: describe.concurrent, test: test.sequential, expect };
  for (const [engine, module] of [
    // DBOS takes as much as the others together: `npm run laws` has its suite, `npm test` the other tests of it below.
    ...(isBroad ? ([['dbos', moduleOf('dbos')]] as const) : []),
    ['graphile-worker', moduleOf('graphile-worker')],
    ['store', new URL('../people/open-waking.mjs', import.meta.url).href],
  ] as const)
    describeTimekeeper(
      engine,
      { module, createPlace: () => server.createDatabase(), lateMs: 60_000, takeoverMs: 60_000 },
      beside,
    );

  for (const engine of ['dbos', 'graphile-worker']) {
    test(`${engine}: a timer that is kept by a transaction exists once that is committed`, async () => {
      const url = await server.createDatabase();
      const [one, client, came] = [await open(engine, url), new Client(url), createDeliveries()];
      await client.connect();
      try {
        await one.start(async (key) => came.note(key));
        const keepBy = async (key: string, end: 'commit' | 'rollback'): Promise<void> => {
          await client.query('begin');
          await one.keepIn?.(client, key, Date.now());
          await client.query(end);
        };
        await keepBy('undone', 'rollback');
        await keepBy('done', 'commit');
        await one.keep('last', Date.now());
        await came.each(['done', 'last'], 60_000);
        expect(came.of('undone')).toEqual([]);
      } finally {
        await Promise.all([client.end(), one.stop()]);
      }
    });

    test(`${engine}: a database that does not answer is told of, and asked again by the next call`, async () => {
      const one = await open(engine, 'postgres://nobody@127.0.0.1:1/none');
      await expect(one.keep('a', 0)).rejects.toMatchObject({ code: 'timekeeper-failed' });
      await expect(one.start(async () => {})).rejects.toMatchObject({ code: 'timekeeper-failed' });
      await one.stop();
    });
  }

  test('what falls due while the database is away comes once it is back, also where it goes as one starts', async ({
    skip,
  }) => {
    if (!server.isOwn) skip('a given server is not restarted');
    const engines = ['dbos', 'graphile-worker', 'graphile-worker'];
    const all = await Promise.all(engines.map(async (engine) => await open(engine, await server.createDatabase())));
    const came = all.map(() => createDeliveries());
    const dueAt = Date.now() + 2_000;
    const keep = (index: number): Promise<unknown> =>
      Promise.all([all[index]?.keep('meanwhile', dueAt), all[index]?.keep('afterwards', dueAt + 3_000)]);
    const start = (index: number): Promise<unknown> | undefined =>
      all[index]?.start(async (key) => came[index]?.note(key));
    try {
      await Promise.all([0, 1].map(async (index) => [await start(index), await keep(index)]));
      // The last one has not queried its database yet.
      await keep(2);
      await start(2);
      await server.restart();
      await Promise.all(came.map((each) => each.each(['meanwhile', 'afterwards'], 60_000)));
    } finally {
      await Promise.all(all.map((each) => each.stop()));
    }
  });

  test('dbos: a second one in one process keeps timers and does not start', async () => {
    const url = await server.createDatabase();
    const [first, second, came] = [await open('dbos', url), await open('dbos', url), createDeliveries()];
    await first.start(async (key) => came.note(key));
    await expect(second.start(async () => {})).rejects.toMatchObject({ code: 'timekeeper-taken' });
    await second.keep('kept', Date.now());
    await second.stop();
    await came.each(['kept'], 60_000);
    await first.stop();
  });
});
