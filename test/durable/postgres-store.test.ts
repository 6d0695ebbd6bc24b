import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import { openPostgresStore } from '../../src/durable/postgres-store.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { describeStore } from './conformance.ts';
import { describeOlderTables } from './older-tables.ts';
import { ask, type PostgresServer, startPostgres, whyNoPostgres } from './postgres-server.ts';

const missing = whyNoPostgres();

describe.skipIf(missing !== null)(missing ?? 'on Postgres', () => {
  let server: PostgresServer;
  let address: string;
  beforeAll(async () => {
    server = await startPostgres();
    address = await server.createDatabase();
  }, 120_000);
  afterAll(() => server.stop(), 120_000);

  describeStore('postgres', async () => {
    const clock = createVirtualClock();
    const store = await openPostgresStore(address, { clock });
    await ask(
      address,
      'truncate roomflow_sessions, roomflow_steps, roomflow_effects, roomflow_inputs, roomflow_graphs, roomflow_calls',
    );
    return { clock, store };
  });

  describeOlderTables(async () => {
    const own = await server.createDatabase();
    const pool = new Pool({ connectionString: own });
    return {
      database: 'postgres',
      db: new Kysely<never>({ dialect: new PostgresDialect({ pool }) }),
      openStore: () => openPostgresStore(own, { clock: createVirtualClock() }),
    };
  });
});
