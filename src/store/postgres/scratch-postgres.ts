import { randomBytes } from 'node:crypto';
import { Kysely, PostgresDialect } from 'kysely';
import type { Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { Tables } from '../sql/tables.ts';

/**
 * Opens a store in a new schema of a Postgres database, which is dropped when the store closes; other data is neither
 * read nor changed. Leases use `clock`. Throws the errors of `openPostgresStore`; its user must be allowed to create
 * schemas.
 */
export async function openScratchPostgres(url: string, clock: Clock): Promise<Store> {
  const [{ default: pg }, { openPostgresStore, explainPostgres }] = await Promise.all([
    import('pg'),
    import('./store.ts'),
  ]);
  const schema = `roomflow_test_${randomBytes(8).toString('hex')}`;
  const pool = new pg.Pool({ connectionString: url, connectionTimeoutMillis: 5_000, max: 1, allowExitOnIdle: true });
  pool.on('error', () => undefined);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const drop = async (): Promise<void> => {
    await db.schema.dropSchema(schema).ifExists().cascade().execute();
    await db.destroy();
  };
  try {
    await db.schema.createSchema(schema).execute();
  } catch (error) {
    await db.destroy();
    throw explainPostgres(error, url);
  }
  try {
    const store = await openPostgresStore(url, { clock, leaseTime: 'clock', schema });
    return {
      ...store,
      async close() {
        await store.close();
        await drop();
      },
    };
  } catch (error) {
    await drop().catch(() => undefined);
    throw error;
  }
}
