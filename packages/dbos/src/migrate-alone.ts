import { setTimeout as pause } from 'node:timers/promises';
import { DBOS } from '@dbos-inc/dbos-sdk';
import { Client } from 'pg';

/**
 * Creates DBOS's tables in one process at a time, because two concurrent migrations deadlock. Migrations also wait for every
 * transaction of the database, so the second process polls for the lock instead of waiting in a query.
 */
export async function migrateAlone(url: string, schema: string): Promise<void> {
  const connection = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  connection.on('error', () => undefined);
  await connection.connect();
  try {
    const isMine = async (): Promise<boolean> => {
      const lock = 'select pg_try_advisory_lock(hashtext($1)) as mine';
      const { rows } = await connection.query<{ mine: boolean }>(lock, [`roomflow:${schema}`]);
      return rows[0]?.mine === true;
    };
    while (!(await isMine())) await pause(50);
    await DBOS.migrate(url, { schemaName: schema });
  } finally {
    await connection.end();
  }
}
