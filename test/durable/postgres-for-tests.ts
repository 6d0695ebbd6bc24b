import { afterAll, beforeAll } from 'vitest';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

/** Time limit for a server's start or stop on a busy machine, in milliseconds. */
const patienceMs = 120_000;

/** A server for the tests of a file or a block, from before the first to after the last. */
export function postgresForTests(): Omit<PostgresServer, 'stop'> {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  }, patienceMs);
  afterAll(() => server.stop(), patienceMs);
  return {
    createDatabase: () => server.createDatabase(),
    restart: () => server.restart(),
    get isOwn() {
      return server.isOwn;
    },
  };
}
