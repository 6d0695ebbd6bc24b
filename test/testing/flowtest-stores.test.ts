import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { Client } from 'pg';
import { projectFolder } from '../cli/run-cli.ts';
import { postgresForTests } from '../durable/postgres-for-tests.ts';
import { whyNoPostgres } from '../durable/postgres-server.ts';
import { whyNoSqlite } from '../durable/sqlite-here.ts';
import { isBroad } from '../tries.ts';
import { failuresOf, runScenarios } from './flowtests.ts';

const refund = join(projectFolder, 'examples/refund-approval/flow.yaml');

/** A caller who hangs up while a person is asked, so that a clerk writes as well; or one who stays on the line, for stores that take longer. */
const sweep = (store: string, hangsUp: boolean) =>
  runScenarios(
    [
      {
        name: 'decided',
        crash: 'sweep',
        rejoinWithin: '5s',
        tools: { refund_order: { returns: { paid: true } } },
        turns: [
          {
            user: 'Order 4711, 20 euros, the lamp came broken.',
            model: { record: { order: 4711, amount: 20, reason: 'the lamp came broken' } },
            expect: { wait: true },
          },
          ...(hangsUp ? [{ hangup: true as const }, { advance: '6s', expect: { wait: true } }] : []),
          { decide: 'approve', expect: { callDue: hangsUp, tool: { name: 'refund_order', effective: 1 } } },
          ...(hangsUp ? [{ callBack: true as const }] : []),
        ],
        finally: { outcome: 'refunded', tool: { name: 'refund_order', effective: 1 } },
      },
    ],
    { flow: refund },
    { store },
  );

describe('a crash sweep comes to the same end', () => {
  // `npm run laws` lets the caller hang up, so that a clerk writes as well.
  it('in memory, at each write of the call and of the clerk', async () => {
    const results = await sweep('memory', isBroad);
    expect(failuresOf(results)).toEqual([]);
    expect(results[0]?.crashes).toBeGreaterThan(isBroad ? 40 : 10);
  });

  it.skipIf(whyNoSqlite() !== null)('in SQLite', async () => {
    const results = await sweep('sqlite', false);
    expect(failuresOf(results)).toEqual([]);
    expect(results[0]?.crashes).toBeGreaterThan(10);
  });
});

describe.skipIf(whyNoPostgres() !== null)('in Postgres', () => {
  const server = postgresForTests();
  let address: string;
  beforeAll(async () => {
    address = await server.createDatabase();
  }, 60_000);

  it('a crash sweep comes to the same end, and nothing of it is left in the database', async () => {
    const results = await sweep(address, false);
    expect(failuresOf(results)).toEqual([]);
    expect(results[0]?.crashes).toBeGreaterThan(10);
    const client = new Client({ connectionString: address });
    await client.connect();
    const { rows } = await client.query("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'roomflow%'");
    const tables = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
    await client.end();
    expect([rows, tables.rows]).toEqual([[], []]);
  });
});
