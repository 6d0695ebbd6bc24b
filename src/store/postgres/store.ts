import { type Compilable, Kysely, PostgresDialect, type RawBuilder, sql } from 'kysely';
import { type ClientConfig, Pool, types } from 'pg';
import { FlowError } from '../../model/errors.ts';
import type { Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import { isMigrated, migrate, olderStore } from '../migrations/migrate.ts';
import { migrationsFor } from '../migrations/migrations.ts';
import { createCommits } from './commit.ts';
import { createNotices } from './notices.ts';
import { writePost } from './post.ts';
import { createSqlStore } from '../sql/store.ts';
import type { Tables } from '../sql/tables.ts';

export interface PostgresStoreOptions {
  readonly clock: Clock;
  /** Clock for leases: the server's (default), which all machines share, or `clock`. */
  readonly leaseTime?: 'server' | 'clock';
  /** `read` opens the database read-only; default `write`. */
  readonly access?: 'read' | 'write';
  /** Schema of the tables; defaults to the connection's. */
  readonly schema?: string | undefined;
}

/**
 * Opens a store in a Postgres database, which many machines can share. Throws `store-unreachable`, `store-refused` or
 * `store-newer`, and `store-older` for reading if this release has not opened it for writing before.
 */
export async function openPostgresStore(
  url: string,
  { clock, leaseTime = 'server', access = 'write', schema }: PostgresStoreOptions,
): Promise<Store> {
  const place = placeOf(url);
  const config: ClientConfig = {
    connectionString: url,
    application_name: 'roomflow',
    connectionTimeoutMillis: 5_000,
    query_timeout: 15_000,
    keepAlive: true,
    ...optionsOf({ access, schema }),
    types: { getTypeParser: parserOf },
  };
  const pool = new Pool({ ...config, max: 8, allowExitOnIdle: true });
  // A lost idle connection is replaced when the next one is needed.
  pool.on('error', () => undefined);
  // A connection lost in use fails the current or the next query. Without a listener its error would end the process:
  // the pool listens only to idle connections, and the query builder never.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  try {
    const migrations = migrationsFor('postgres');
    if (access === 'write') await migrate(db.withTables(), migrations, place);
    else if (!(await isMigrated(db.withTables(), migrations, place))) throw olderStore(place);
  } catch (error) {
    await db.destroy();
    throw explain(error, place);
  }
  const commits = createCommits(pool, clock);
  const notices = createNotices(config, clock);
  return createSqlStore(
    {
      db,
      now: () => (leaseTime === 'server' ? serverNow : sql`cast(${clock.now()} as bigint)`),
      bytewise: (column) => sql`${sql.ref(column)} collate "C"`,
      skipsLocked: true,
      writeCommit: commits.write,
      writePost: (post) => writePost(pool, post),
      async forgetInputs(consumedBefore) {
        const { numDeletedRows } = await db
          .deleteFrom('roomflow_inputs')
          .where('consumed_at', '<', consumedBefore)
          .executeTakeFirst();
        return Number(numDeletedRows);
      },
      async erase(statements: readonly Compilable[]) {
        await db.transaction().execute(async (transaction) => {
          for (const statement of statements) await transaction.executeQuery(statement.compile());
        });
      },
      // A read-only user is refused every write, whatever the server's state.
      isPassing: (error) => isPassing(error) && !(access === 'read' && codeOf(error) === '25006'),
      explain: (error) => explain(error, place),
      watch: (listener) => notices.watch(listener),
      watchInbox: (listener) => notices.watchInbox(listener),
      async close() {
        await notices.close();
        commits.close();
        await db.destroy();
      },
    },
    clock,
  );
}

const serverNow: RawBuilder<number> = sql`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;

const int8: number = types.builtins.INT8;

/**
 * Parses 64-bit integers as numbers: counts and times are far below the largest exact integer, and SQLite returns
 * numbers too.
 */
function parserOf(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === int8) return Number;
  return types.getTypeParser(oid, format) as (value: string) => unknown; // The driver types it as any.
}

/** Returns host and database, without the password. */
function placeOf(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `postgres://${host}${pathname}`;
  } catch {
    throw new FlowError(
      'store-invalid',
      'the store is not a valid postgres:// address. Write postgres://USER@HOST/DATABASE.',
    );
  }
}

/** Returns the FlowError for a database error at an address. */
export function explainPostgres(error: unknown, url: string): FlowError {
  return explain(error, placeOf(url));
}

/**
 * Checks whether an error is temporary. The server is stopping, starting or gone (08, 57P), has no free connection
 * (53300), is a standby until a failover ends (25006), or has cancelled work that took too long or conflicted (25P, 40,
 * 55, 57014): https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
function isPassing(error: unknown): boolean {
  const code = codeOf(error);
  if (/^(08|25006|25P0[34]|40|53300|55006|55P03|57014|57P)/.test(code)) return true;
  if (/^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)/.test(code)) return true;
  // The driver's own errors have no code.
  return code === '' && error instanceof Error && /connection|timeout/i.test(error.message);
}

function explain(error: unknown, place: string): FlowError {
  if (error instanceof FlowError) return error;
  const code = codeOf(error);
  const options = { cause: error };
  if (code === '53300')
    return new FlowError(
      'store-unreachable',
      `${place} has no free connection (${code}). Raise its max_connections, or run fewer processes.`,
      options,
    );
  if (isPassing(error) || code === 'ENOTFOUND' || code === 'ENOENT')
    return new FlowError(
      'store-unreachable',
      `${place} does not answer${code === '' ? '' : ` (${code})`}. Start it, or set store in agent.config.ts.`,
      options,
    );
  if (/^(28|3D|42501)/.test(code))
    return new FlowError(
      'store-refused',
      `${place} refuses the connection (${code}). Check user, password and database of its address.`,
      options,
    );
  if (/^(53|58030)/.test(code))
    return new FlowError('store-full', `${place} has no room or memory left (${code}). Make room for it.`, options);
  if (code.startsWith('XX'))
    return new FlowError('store-corrupted', `${place} is damaged (${code}). Restore it from a backup.`, options);
  return new FlowError('store-failed', `Postgres failed at ${place} (${code || 'no code'}).`, options);
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Returns the session options of a connection. */
function optionsOf({ access, schema }: Pick<PostgresStoreOptions, 'access' | 'schema'>): Pick<ClientConfig, 'options'> {
  const options = [
    ...(access === 'read' ? ['-c default_transaction_read_only=on'] : []),
    ...(schema === undefined ? [] : [`-c search_path=${schema}`]),
  ];
  return options.length === 0 ? {} : { options: options.join(' ') };
}
