import { type Kysely, type Migration, sql } from 'kysely';

/** Suffix of migrations after which the previous release can still open the store. */
export const additiveSuffix = '-additive';

/** Returns migrations that only add: releases that do not know them can open and use the store. */
export function additive(database: 'sqlite' | 'postgres'): Record<string, Migration> {
  return {
    [`2026-11-28-older-commits${additiveSuffix}`]: { up: (db) => olderCommits(db, database) },
    [`2026-11-28-orders${additiveSuffix}`]: { up: (db) => orders(db, database) },
  };
}

/** Restores the commit function of releases before the inbox, which the inbox migration dropped. */
async function olderCommits(db: Kysely<unknown>, database: 'sqlite' | 'postgres'): Promise<void> {
  if (database === 'sqlite') return;
  await sql
    .raw(
      `create or replace function roomflow_commit(
  of_session text, of_token bigint, of_base bigint, new_seq bigint, new_state text, new_version integer, new_graph text,
  at bigint, commit_id text, at_place bigint, input_keys text[], new_signals text, new_events text, new_own_effects text,
  shared_effects json, is_told boolean
) returns boolean language sql as $$
  select roomflow_commit(of_session, of_token, of_base, new_seq, new_state, new_version, new_graph, at, commit_id, at_place,
    input_keys, new_signals, new_events, new_own_effects, shared_effects, is_told, null::json)
$$`,
    )
    .execute(db);
}

/** Adds indexes in the order of lists, so the time of a list depends on its length and not on the size of the store. */
async function orders(db: Kysely<unknown>, database: 'sqlite' | 'postgres'): Promise<void> {
  for (const statement of [
    'create index roomflow_sessions_listed on roomflow_sessions (updated_at desc, id) where state is not null',
    `create index roomflow_effects_placed on roomflow_effects (kind, session_id, token, place, item)
      where state in ('intended', 'started') and kind not in ('say', 'reply')`,
    // SQLite indexes compare texts byte by byte. Postgres needs an explicit collation.
    ...(database === 'postgres' ? ['create index roomflow_sessions_name on roomflow_sessions (id collate "C")'] : []),
  ])
    await sql.raw(statement).execute(db);
}
