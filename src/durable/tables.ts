import { type Generated, type Kysely, type Migration, type SchemaModule, sql } from 'kysely';
import type { EffectKind, EffectState } from '../events/effect.ts';

/** What is kept, the same in each database. Times are epoch milliseconds, names are column texts, values JSON texts. */
export interface Tables {
  /** A session that was deleted, or is only owned, has no state; its row keeps the token. */
  roomflow_sessions: {
    id: string;
    /** Grows with each owner and never falls. */
    token: number;
    owner: string | null;
    lease_expires_at: number;
    seq: number;
    state: string | null;
    state_version: number;
    graph_hash: string;
    updated_at: number;
    /** Tells a commit that was done from one that was not, where the answer was lost. */
    last_commit: string;
  };
  roomflow_signals: { session_id: string; seq: number; signal: string };
  /** `position` is the order of intending. */
  roomflow_effects: {
    position: Generated<number>;
    session_id: string;
    key: string;
    kind: EffectKind;
    state: EffectState;
    deadline: number | null;
    /** When a dispatcher may claim it; null: never again. */
    not_before: number | null;
    effect: string;
  };
  /** The events of one commit: `place` grows with the commits of one owner, `token` with the owners. */
  roomflow_events: { session_id: string; token: number; place: number; events: string };
  roomflow_inputs: { key: string; session_id: string; consumed_at: number };
  roomflow_graphs: { hash: string; document: string };
  /** `not_before`: when a call may be taken (again); `lost_at`: when it was first found that nobody owns its session. */
  roomflow_calls: { session_id: string; place: string; not_before: number; lost_at: number | null };
}

/** Steps from an empty database to the tables above, by name and in order. One that was published never changes. */
export function migrationsFor(database: 'sqlite' | 'postgres'): Record<string, Migration> {
  return {
    '2026-11-21-first': { up: (db) => first(db.schema, database) },
    '2026-11-21-lost-calls': { up: (db) => lostCalls(db.schema) },
    '2026-11-21-old-inputs': { up: (db) => oldInputs(db.schema) },
    '2026-11-21-slim': { up: (db) => slim(db, database) },
  };
}

/**
 * Each page that a commit touches is written and synced: events take one row a commit instead of one each, and in SQLite
 * a table is its key's own tree. No release has kept events before.
 */
async function slim(db: Kysely<unknown>, database: 'sqlite' | 'postgres'): Promise<void> {
  await db.schema.dropTable('roomflow_events').execute();
  await db.schema
    .createTable('roomflow_events')
    .addColumn('session_id', 'text', (column) => column.notNull())
    .addColumn('token', 'bigint', (column) => column.notNull())
    .addColumn('place', 'bigint', (column) => column.notNull())
    .addColumn('events', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('roomflow_events_key', ['session_id', 'token', 'place'])
    .$call((table) => (database === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table))
    .execute();
  if (database === 'postgres') return;
  for (const statement of [
    `create table signals_slim (session_id text not null, seq bigint not null, signal text not null, primary key (session_id, seq)) without rowid`,
    `insert into signals_slim select session_id, seq, signal from roomflow_signals`,
    `drop table roomflow_signals`,
    `alter table signals_slim rename to roomflow_signals`,
    `create table inputs_slim (key text not null primary key, session_id text not null, consumed_at bigint not null) without rowid`,
    `insert into inputs_slim select key, session_id, consumed_at from roomflow_inputs`,
    `drop table roomflow_inputs`,
    `alter table inputs_slim rename to roomflow_inputs`,
    `create index roomflow_inputs_time on roomflow_inputs (consumed_at)`,
  ])
    await sql.raw(statement).execute(db);
}

/** Old inputs are looked for at the end of every session. */
async function oldInputs(schema: SchemaModule): Promise<void> {
  await schema.createIndex('roomflow_inputs_time').on('roomflow_inputs').column('consumed_at').execute();
}

async function lostCalls(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('roomflow_calls')
    .addColumn('session_id', 'text', (column) => column.primaryKey())
    .addColumn('place', 'text', (column) => column.notNull())
    .addColumn('not_before', 'bigint', (column) => column.notNull())
    .addColumn('lost_at', 'bigint')
    .execute();
}

async function first(schema: SchemaModule, database: 'sqlite' | 'postgres'): Promise<void> {
  const positions = database === 'sqlite' ? 'integer' : 'bigserial';
  await schema
    .createTable('roomflow_sessions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('token', 'bigint', (column) => column.notNull())
    .addColumn('owner', 'text')
    .addColumn('lease_expires_at', 'bigint', (column) => column.notNull())
    .addColumn('seq', 'bigint', (column) => column.notNull())
    .addColumn('state', 'text')
    .addColumn('state_version', 'integer', (column) => column.notNull())
    .addColumn('graph_hash', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('last_commit', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('roomflow_signals')
    .addColumn('session_id', 'text', (column) => column.notNull())
    .addColumn('seq', 'bigint', (column) => column.notNull())
    .addColumn('signal', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('roomflow_signals_key', ['session_id', 'seq'])
    .execute();
  await schema
    .createTable('roomflow_effects')
    .addColumn('position', positions, (column) => column.primaryKey())
    .addColumn('session_id', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('deadline', 'bigint')
    .addColumn('not_before', 'bigint')
    .addColumn('effect', 'text', (column) => column.notNull())
    .addUniqueConstraint('roomflow_effects_key', ['session_id', 'key'])
    .execute();
  await schema
    .createIndex('roomflow_effects_open')
    .on('roomflow_effects')
    .columns(['kind', 'state', 'not_before'])
    .execute();
  await schema
    .createTable('roomflow_events')
    .addColumn('position', positions, (column) => column.primaryKey())
    .addColumn('session_id', 'text', (column) => column.notNull())
    .addColumn('event', 'text', (column) => column.notNull())
    .execute();
  await schema.createIndex('roomflow_events_session').on('roomflow_events').column('session_id').execute();
  await schema
    .createTable('roomflow_inputs')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('session_id', 'text', (column) => column.notNull())
    .addColumn('consumed_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('roomflow_graphs')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('document', 'text', (column) => column.notNull())
    .execute();
}
