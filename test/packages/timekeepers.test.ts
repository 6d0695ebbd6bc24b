import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Timekeeper } from '../../src/ports/timekeeper.ts';
import { createDeliveries } from '../../src/testing/timekeeper/deliveries.ts';
import { describeTimekeeper } from '../../src/testing/timekeeper/describe-timekeeper.ts';
import { type PostgresServer, startPostgres, whyNoPostgres } from '../durable/postgres-server.ts';

const missing = whyNoPostgres();

describe.skipIf(missing !== null)(missing ?? 'on Postgres', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  }, 120_000);
  afterAll(() => server.stop(), 120_000);

  const moduleOf = (engine: string): string => new URL(`../../packages/${engine}/test/open.mjs`, import.meta.url).href;
  const open = async (engine: string, url: string): Promise<Timekeeper> => {
    const { default: openAt } = (await import(moduleOf(engine))) as { default: (url: string) => Timekeeper };
    return openAt(url);
  };

  // They mostly wait, so the suites run beside each other, each with its own tests in their order.
  const beside = { describe: describe.concurrent, test: test.sequential, expect };
  for (const [engine, module] of [
    ['dbos', moduleOf('dbos')],
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

    test(`${engine}: what falls due while the database is away comes once it is back`, async ({ skip }) => {
      if (!server.isOwn) skip('a given server is not restarted');
      const [one, came] = [await open(engine, await server.createDatabase()), createDeliveries()];
      try {
        await one.start(async (key) => came.note(key));
        const dueAt = Date.now() + 500;
        await one.keep('meanwhile', dueAt);
        await one.keep('afterwards', dueAt + 3_000);
        await server.restart();
        await came.each(['meanwhile', 'afterwards'], 60_000);
      } finally {
        await one.stop();
      }
    });

    test(`${engine}: a database that does not answer is told of, and asked again by the next call`, async () => {
      const one = await open(engine, 'postgres://nobody@127.0.0.1:1/none');
      await expect(one.keep('a', 0)).rejects.toMatchObject({ code: 'timekeeper-failed' });
      await expect(one.start(async () => {})).rejects.toMatchObject({ code: 'timekeeper-failed' });
      await one.stop();
    });
  }

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
