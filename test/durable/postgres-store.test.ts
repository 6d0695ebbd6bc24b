import { Kysely, PostgresDialect, sql } from 'kysely';
import { Client, Pool } from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '../../src/store/migrations/migrate.ts';
import { migrationsFor } from '../../src/store/migrations/migrations.ts';
import { createCommits } from '../../src/store/postgres/commit.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { describeStore } from './conformance.ts';
import { describeOlderTables } from './older-tables.ts';
import { olderCommitFunction } from './older-commit.ts';
import { describePlans } from './query-plans.ts';
import { expectRefusal } from './refusal.ts';
import { postgresForTests } from './postgres-for-tests.ts';
import { ask, whyNoPostgres } from './postgres-server.ts';

const missing = whyNoPostgres();

describe.skipIf(missing !== null)(missing ?? 'on Postgres', () => {
  const server = postgresForTests();
  let address: string;
  let plans: string;
  beforeAll(async () => {
    [address, plans] = [await server.createDatabase(), await server.createDatabase()];
  }, 120_000);

  describeStore('postgres', async (clock) => {
    const store = await openPostgresStore(address, { clock, leaseTime: 'clock' });
    await ask(
      address,
      'truncate roomflow_sessions, roomflow_steps, roomflow_effects, roomflow_inputs, roomflow_graphs, roomflow_calls, roomflow_inbox, roomflow_audit',
    );
    return store;
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

  describePlans({
    database: 'postgres',
    bytewise: (column) => sql`${sql.ref(column)} collate "C"`,
    connect: async () => new PostgresDialect({ pool: new Pool({ connectionString: plans, max: 1 }) }),
    async explain(db, query) {
      // For tables without rows a plan reads each whole table.
      await sql`set enable_seqscan = off`.execute(db);
      await sql`set enable_bitmapscan = off`.execute(db);
      const { rows } = await db.executeQuery<{ 'QUERY PLAN': string }>({ ...query, sql: `explain ${query.sql}` });
      return rows.map((row) => row['QUERY PLAN']).join(' ');
    },
  });

  test('leases run by the clock of the server, not by those of the machines', async () => {
    const own = await server.createDatabase();
    const [early, late] = [createVirtualClock(0), createVirtualClock(Date.UTC(2099, 0, 1))];
    const [first, second] = await Promise.all([early, late].map((clock) => openPostgresStore(own, { clock })));
    const lease = await first?.leases.acquire({ sessionId: 's', owner: 'first', ttlMs: 60_000 });
    expect(Math.abs((lease?.expiresAt ?? 0) - Date.now() - 60_000)).toBeLessThan(10_000);
    expect(await second?.leases.acquire({ sessionId: 's', owner: 'second', ttlMs: 60_000 })).toBeNull();
    await second?.calls.save({ sessionId: 's', place: {} });
    expect(await second?.calls.claimLost({ ttlMs: 1_000, limit: 9 })).toEqual([]);
    await Promise.all([first?.close(), second?.close()]);
  });

  test('a process of the release before the inbox commits during and after the migration of a newer one', async () => {
    const own = await server.createDatabase();
    const older = new Client({ connectionString: own });
    await older.connect();
    const migrator = new Kysely<never>({
      dialect: new PostgresDialect({ pool: new Pool({ connectionString: own }) }),
    });
    const before = Object.entries(migrationsFor('postgres')).filter(([name]) => name < '2026-11-24');
    await migrate(migrator, Object.fromEntries(before), 'the store');
    await migrator.destroy();
    await older.query('drop function roomflow_commit');
    await older.query(olderCommitFunction);
    await older.query(`insert into roomflow_sessions (id, token, owner, lease_expires_at, seq, state_version, graph_hash, updated_at,
      last_commit) values ('s', 1, 'older', 9000000000000, 0, 0, '', 0, '')`);
    const commit = async (seq: number): Promise<unknown> => {
      const text = `select roomflow_commit(${Array.from({ length: 16 }, (_, index) => `$${index + 1}`).join(', ')}) as written`;
      const [state, key] = ['{}', [`s/${seq}`]];
      const values = [
        's',
        1,
        seq - 1,
        seq,
        state,
        1,
        'g',
        0,
        `1.${seq}`,
        seq,
        key,
        `[{"seq":${seq}}]`,
        null,
        null,
        null,
        false,
      ];
      return (await older.query<{ written: boolean }>({ name: 'commit', text, values })).rows[0]?.written;
    };
    expect(await commit(1)).toBe(true);
    const store = await openPostgresStore(own, { clock: createVirtualClock() });
    expect(await commit(2)).toBe(true);
    expect(await store.steps.list('s')).toHaveLength(2);
    await Promise.all([store.close(), older.end()]);
  });

  test('a database opens for a read-only user, unless it is empty or of an older release', async () => {
    const own = await server.createDatabase();
    const look = () => openPostgresStore(own, { clock: createVirtualClock(), access: 'read' });
    await expectRefusal('store-older', look());
    expect(await ask(own, "select table_name from information_schema.tables where table_schema = 'public'")).toEqual(
      [],
    );
    const store = await openPostgresStore(own, { clock: createVirtualClock() });
    await store.calls.save({ sessionId: 's', place: {} });
    const reader = await look();
    expect(await reader.sessions.list({ limit: 9 })).toEqual([]);
    await expect(reader.calls.delete('s')).rejects.toThrow(/25006|read/);
    expect(await store.calls.claimLost({ ttlMs: 1_000, limit: 9 })).toHaveLength(1);
    await Promise.all([store.close(), reader.close()]);
  });

  test('the connection for commits is kept while they come, and returned after some idle seconds', async () => {
    const clock = createVirtualClock();
    await (await openPostgresStore(address, { clock })).close();
    const pool = new Pool({ connectionString: address });
    const commits = createCommits(pool, clock);
    const isKept = async (): Promise<boolean> => {
      await clock.advance(5_000);
      return pool.totalCount === 1 && pool.idleCount === 0;
    };
    const ofNobody = {
      ...{
        sessionId: 'nobody',
        token: 1,
        baseSeq: 0,
        seq: 1,
        stateVersion: 1,
        graphHash: 'g',
        now: 0,
        commitId: '1.1',
      },
      ...{
        place: 1,
        state: '{}',
        signals: null,
        events: null,
        ownEffects: null,
        sharedEffects: [],
        inputKeys: [],
        intends: false,
        inbox: null,
      },
    };
    for (let commit = 0; commit < 3; commit += 1) {
      expect(await commits.write(ofNobody)).toBe(false);
      expect(await isKept()).toBe(true);
    }
    expect(await isKept()).toBe(false);
    expect(pool.idleCount).toBe(1);
    expect(await commits.write(ofNobody)).toBe(false);
    expect(await isKept()).toBe(true);
    commits.close();
    await pool.end();
  });
});
