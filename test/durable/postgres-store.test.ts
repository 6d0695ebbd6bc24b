import { afterAll, beforeAll, describe } from 'vitest';
import { openPostgresStore } from '../../src/durable/postgres-store.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { describeStore } from './conformance.ts';
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
      'truncate roomflow_sessions, roomflow_signals, roomflow_effects, roomflow_events, roomflow_inputs, roomflow_graphs, roomflow_calls',
    );
    return { clock, store };
  });
});
