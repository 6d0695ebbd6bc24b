import { type Kysely, type Migration, type SchemaModule, sql } from 'kysely';
import { additive } from './additive-migrations.ts';
import { commitFunction } from '../postgres/commit-function.ts';
import { inbox } from './inbox-migration.ts';
import type { Tables } from '../sql/tables.ts';

/**
 * Returns the migrations from an empty database to this release, in order. Published migrations never change. From
 * 2026-11-22-own-effects on, a migration keeps all columns and functions of earlier ones: during a rolling update, the
 * previous release still writes to the store.
 */
export function migrationsFor(database: 'sqlite' | 'postgres'): Record<string, Migration> {
  return {
    '2026-11-21-first': { up: (db) => first(db.schema, database) },
    '2026-11-21-lost-calls': { up: (db) => lostCalls(db.schema) },
    '2026-11-21-old-inputs': { up: (db) => oldInputs(db.schema) },
    '2026-11-21-slim': { up: (db) => slim(db, database) },
    '2026-11-21-steps': { up: (db) => steps(db, database) },
    '2026-11-22-inputs': { up: (db) => inputs(db, database) },
    '2026-11-22-own-effects': { up: (db) => ownEffects(db, database) },
    '2026-11-23-lease-length': { up: (db) => leaseLength(db.schema) },
    '2026-11-24-inbox': { up: (db: Kysely<Tables>) => inbox(db, database) },
    '2026-11-24-inbox-order': { up: (db) => inboxOrder(db.schema) },
    '2026-11-24-inputs-in-inbox': { up: (db: Kysely<Tables>) => inputsInInbox(db, database) },
    '2026-11-24-named-claims': { up: (db) => namedClaims(db.schema) },
    '2026-11-28-next-due': { up: (db) => nextDue(db, database) },
    ...additive(database),
  };
}

/**
 * Adds an index in claim order. Without row statistics, SQLite chose the list index and scanned the whole inbox for
 * each claim.
 */
async function nextDue(db: Kysely<unknown>, database: 'sqlite' | 'postgres'): Promise<void> {
  if (database === 'postgres') return;
  await sql`create index roomflow_inbox_next on roomflow_inbox (state, not_before)`.execute(db);
  await sql`drop index roomflow_inbox_due`.execute(db);
}

/** Names and counts claims, so an entry that repeatedly crashes its clerk is detected. */
async function namedClaims(schema: SchemaModule): Promise<void> {
  const table = 'roomflow_inbox';
  await schema.alterTable(table).addColumn('claimed_by', 'text').execute();
  await schema
    .alterTable(table)
    .addColumn('claims', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}

/** Makes a commit look for its inputs in the inbox and delete only what exists. */
async function inputsInInbox(db: Kysely<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  if (database === 'sqlite') return;
  for (const statement of ['drop function roomflow_commit', commitFunction]) await sql.raw(statement).execute(db);
}

/** Adds an index in list order, independent of the number of open entries. */
async function inboxOrder(schema: SchemaModule): Promise<void> {
  await schema.createIndex('roomflow_inbox_order').on('roomflow_inbox').columns(['state', 'due_at', 'place']).execute();
}

/** Stores the length of a lease, to detect leases that a wrong clock has extended. */
async function leaseLength(schema: SchemaModule): Promise<void> {
  await schema.alterTable('roomflow_sessions').addColumn('lease_ms', 'bigint').execute();
}

/**
 * Stores effects that only their session reads in the row of the step instead of an own tree. In SQLite, steps are
 * stored in insertion order, because a tree ordered by a long key is rebalanced at every other row. In Postgres, a
 * function applies the whole commit; one statement of many parts took four times as long.
 */
async function ownEffects(db: Kysely<unknown>, database: 'sqlite' | 'postgres'): Promise<void> {
  const statements =
    database === 'postgres'
      ? [
          'alter table roomflow_steps add column own_effects text',
          'drop function if exists roomflow_commit',
          commitFunction,
        ]
      : [
          `create table steps_in_order (session_id text not null, token bigint not null, place bigint not null,
            seq bigint not null, signals text, events text, own_effects text,
            constraint roomflow_steps_in_order_key primary key (session_id, token, place))`,
          'insert into steps_in_order select session_id, token, place, seq, signals, events, null from roomflow_steps',
          'drop table roomflow_steps',
          'alter table steps_in_order rename to roomflow_steps',
        ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/**
 * Drops the time index of inputs, which every commit maintained; old inputs are found by a scan. In Postgres a BRIN
 * index, which costs commits nothing, narrows it.
 */
async function inputs(db: Kysely<unknown>, database: 'sqlite' | 'postgres'): Promise<void> {
  await db.schema.dropIndex('roomflow_inputs_time').execute();
  if (database === 'postgres')
    await sql`create index roomflow_inputs_time on roomflow_inputs using brin (consumed_at)`.execute(db);
}

/**
 * Reduces the rows and trees that a commit writes: one row for its signals and events, effects by key, and no index for
 * effects that only the session performs.
 */
async function steps(db: Kysely<unknown>, database: 'sqlite' | 'postgres'): Promise<void> {
  const ownTree = database === 'sqlite' ? 'without rowid' : '';
  for (const statement of [
    `create table roomflow_steps (session_id text not null, token bigint not null, place bigint not null, seq bigint not null,
      signals text, events text, constraint roomflow_steps_key primary key (session_id, token, place)) ${ownTree}`,
    `insert into roomflow_steps select session_id, 0, seq, seq, '[' || signal || ']', null from roomflow_signals`,
    `insert into roomflow_steps select session_id, token, place, 0, null, events from roomflow_events`,
    `drop table roomflow_signals`,
    `drop table roomflow_events`,
    `create table effects_by_key (session_id text not null, key text not null,
      token bigint not null, place bigint not null, item integer not null, kind text not null, state text not null,
      deadline bigint, not_before bigint, effect text not null,
      constraint roomflow_effects_by_key primary key (session_id, key)) ${ownTree}`,
    `insert into effects_by_key select session_id, key, 0, position, 0, kind, state, deadline, not_before, effect from roomflow_effects`,
    `drop table roomflow_effects`,
    `alter table effects_by_key rename to roomflow_effects`,
    `create index roomflow_effects_open on roomflow_effects (kind, state, not_before) where kind not in ('say', 'reply')`,
  ])
    await sql.raw(statement).execute(db);
}

/**
 * Reduces the pages that a commit writes and syncs: one row of events per commit, and in SQLite tables without rowid.
 * No release stored events before.
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

/** Adds an index for old inputs, which are searched at the end of every session. */
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
