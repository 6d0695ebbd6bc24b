import { type CompiledQuery, Kysely, type KyselyConfig, sql } from 'kysely';
import { expect, test } from 'vitest';
import { migrate } from '../../src/store/migrations/migrate.ts';
import { migrationsFor } from '../../src/store/migrations/migrations.ts';
import type { Database } from '../../src/store/sql/database.ts';
import { createSqlStore } from '../../src/store/sql/store.ts';
import type { Tables } from '../../src/store/sql/tables.ts';
import type { Store } from '../../src/model/ports/store.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';

/** How a kind of database explains a query. */
interface Planner extends Pick<Database, 'bytewise'> {
  readonly database: 'sqlite' | 'postgres';
  connect(): Promise<KyselyConfig['dialect']>;
  /** The plan as text. */
  explain(db: Kysely<Tables>, query: CompiledQuery): Promise<string>;
}

/** The lists of a store are read through an index, in its order. */
export function describePlans(planner: Planner): void {
  test.each<[name: string, index: string, read: (store: Store) => Promise<unknown>]>([
    ['the sessions committed last', 'roomflow_sessions_listed', (store) => store.sessions.list({ limit: 50 })],
    ['open messages', 'roomflow_effects_placed', (store) => store.effects.listOpen({ kind: 'message', limit: 50 })],
    ['the audit of a session', 'roomflow_audit_session', (store) => store.audit.list({ sessionId: 's', limit: 50 })],
  ])('%s are read in the order of an index', async (_, index, read) => {
    const plan = await planOf(planner, read);
    expect(plan).toContain(index);
    expect(plan).not.toMatch(/sort|temp b-tree/i);
  });

  test('sessions with a common id prefix are found by an index, without a scan', async () => {
    const plan = await planOf(planner, (store) => store.sessions.list({ limit: 50, prefix: 'schedule/' }));
    expect(plan).toMatch(/roomflow_sessions_(name|1)/);
    expect(plan).toMatch(/id.*>.*id.*</);
  });

  // Postgres chooses by the size of a table.
  if (planner.database !== 'sqlite') return;
  test('a claim reads only due entries and those of their sessions', async () => {
    const plan = await planOf(planner, (store) => store.inbox.claim({ ttlMs: 1, limit: 16 }));
    expect(plan).toMatch(/SEARCH roomflow_inbox USING INDEX roomflow_inbox_next \(state=\? AND not_before<\?\)/);
    expect(plan).toMatch(/SEARCH earlier USING INDEX roomflow_inbox_session \(session_id=\?/);
    expect(plan).not.toMatch(/SCAN (roomflow_inbox|earlier)|TEMP B-TREE/);
  });
}

async function planOf(planner: Planner, read: (store: Store, db: Kysely<Tables>) => Promise<unknown>): Promise<string> {
  const queries: CompiledQuery[] = [];
  const db = new Kysely<Tables>({
    dialect: await planner.connect(),
    log: ({ query }) => void queries.push(query),
  });
  try {
    await migrate(db.withTables(), migrationsFor(planner.database), 'the store');
    queries.length = 0;
    await read(storeOn(planner, db), db);
    const [query] = queries;
    if (query === undefined) throw new Error('the store asked nothing');
    return await planner.explain(db, query);
  } finally {
    await db.destroy();
  }
}

/** A store for reading only. */
function storeOn(planner: Planner, db: Kysely<Tables>): Store {
  const refused = (): never => {
    throw new Error('this store only reads');
  };
  const database: Database = {
    ...{ db, now: () => sql`0`, bytewise: planner.bytewise, skipsLocked: false, isPassing: () => false },
    ...{ writeCommit: refused, writePost: refused, forgetInputs: refused, erase: refused, explain: refused },
    ...{ watch: refused, watchInbox: refused, close: () => Promise.resolve() },
  };
  return createSqlStore(database, createVirtualClock());
}
