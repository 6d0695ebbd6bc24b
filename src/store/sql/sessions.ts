import { type RawBuilder, sql } from 'kysely';
import type { Json } from '../../model/json.ts';
import type { Lease, Store } from '../../model/ports/store.ts';
import { fromColumnText, toColumnText } from './column-text.ts';
import { leaseLost } from './commit-texts.ts';
import { eraseRows } from '../erase-rows.ts';
import { leaseSlackMs } from '../lease-slack.ts';
import type { SqlParts } from './database.ts';
import { parsed } from './stored-text.ts';

/** Stores leases and snapshots: one row per session. */
export function sqlSessions({
  database,
  clock,
  run,
}: SqlParts): Pick<
  Store,
  'acquireLease' | 'renewLease' | 'releaseLease' | 'loadSnapshot' | 'listSessions' | 'deleteSession'
> {
  const { db } = database;
  const until = (ttlMs: number) => sql<number>`${database.now()} + cast(${ttlMs} as bigint)`;
  return {
    acquireLease: (sessionId, owner, ttlMs, from = owner) =>
      run(async () => {
        const taken = await db
          .insertInto('roomflow_sessions')
          .values({
            id: toColumnText(sessionId),
            // Above the tokens of all deleted sessions, so an older lease is never valid again.
            token: sql`${lastDeleted} + 1`,
            owner: toColumnText(owner),
            lease_expires_at: until(ttlMs),
            lease_ms: ttlMs,
            seq: 0,
            state: null,
            state_version: 0,
            graph_hash: '',
            updated_at: clock.now(),
            last_commit: '',
          })
          .onConflict((conflict) =>
            conflict
              .column('id')
              .doUpdateSet({
                token: sql`roomflow_sessions.token + 1`,
                owner: sql`excluded.owner`,
                lease_expires_at: sql`excluded.lease_expires_at`,
                lease_ms: sql`excluded.lease_ms`,
              })
              .where(
                sql<boolean>`roomflow_sessions.owner in (excluded.owner, ${toColumnText(from)})
                  or not (${isOwned(database, 'roomflow_sessions')})`,
              ),
          )
          .returning(['token', 'lease_expires_at', lastDeleted.as('incarnation')])
          .executeTakeFirst();
        if (taken === undefined) return null;
        const { token, lease_expires_at: expiresAt, incarnation } = taken;
        return Object.freeze({ sessionId, owner, token, expiresAt, ...(incarnation === 0 ? {} : { incarnation }) });
      }),
    renewLease: (lease, ttlMs) =>
      run(async () => {
        const renewed = await db
          .updateTable('roomflow_sessions')
          .set({ owner: toColumnText(lease.owner), lease_expires_at: until(ttlMs), lease_ms: ttlMs })
          .where('id', '=', toColumnText(lease.sessionId))
          .where('token', '=', lease.token)
          .where('owner', 'is not', null)
          .returning('lease_expires_at')
          .executeTakeFirst();
        return renewed === undefined ? null : Object.freeze({ ...lease, expiresAt: renewed.lease_expires_at });
      }),
    releaseLease: (lease) =>
      run(async () => {
        await db
          .updateTable('roomflow_sessions')
          .set({ owner: null })
          .where('id', '=', toColumnText(lease.sessionId))
          .where('token', '=', lease.token)
          .execute();
      }),
    loadSnapshot: (sessionId) =>
      run(async () => {
        const found = await db
          .selectFrom('roomflow_sessions')
          .select(['seq', 'state', 'state_version', 'graph_hash'])
          .where('id', '=', toColumnText(sessionId))
          .executeTakeFirst();
        if (found === undefined || found.state === null) return null;
        const { seq, state_version: stateVersion } = found;
        const state = parsed(found.state, `the state of session "${sessionId}"`) as Json;
        return { sessionId, seq, stateVersion, graphHash: fromColumnText(found.graph_hash), state };
      }),
    listSessions: (limit, of) =>
      run(async () => {
        const found = await db
          .selectFrom('roomflow_sessions')
          .select(['id', 'seq', 'graph_hash', 'updated_at', 'owner', 'token', 'lease_expires_at'])
          .where(isListed(database, of))
          .orderBy('updated_at', 'desc')
          .orderBy('id')
          .limit(limit)
          .execute();
        return found.map((row) => ({
          sessionId: fromColumnText(row.id),
          seq: row.seq,
          graphHash: fromColumnText(row.graph_hash),
          updatedAt: row.updated_at,
          lease:
            row.owner === null
              ? null
              : { owner: fromColumnText(row.owner), token: row.token, expiresAt: row.lease_expires_at },
        }));
      }),
    deleteSession: (lease: Lease) =>
      run(async () => {
        const id = toColumnText(lease.sessionId);
        const { token } = lease;
        const keepOthersOut = async (): Promise<void> => {
          const { numUpdatedRows } = await db
            .updateTable('roomflow_sessions')
            .set({ lease_expires_at: until(60_000), lease_ms: 60_000 })
            .where('id', '=', id)
            .where('token', '=', token)
            .where('owner', 'is not', null)
            .executeTakeFirst();
          if (numUpdatedRows === 0n) throw leaseLost(lease.sessionId);
        };
        await eraseRows(db, id, keepOthersOut);
        await database.erase([
          db
            .insertInto('roomflow_sessions')
            .values({
              ...{ id: deletedSessions, token, owner: null, lease_expires_at: 0, lease_ms: 0, seq: 0, state: null },
              ...{ state_version: 0, graph_hash: '', updated_at: 0, last_commit: '' },
            })
            .onConflict((conflict) =>
              conflict.column('id').doUpdateSet({ token }).where('roomflow_sessions.token', '<', token),
            ),
          db.deleteFrom('roomflow_sessions').where('id', '=', id).where('token', '=', token),
          db.deleteFrom('roomflow_calls').where('session_id', '=', id),
          db.deleteFrom('roomflow_inbox').where('session_id', '=', id),
        ]);
      }),
  };
}

/** Id of the row with the highest token of deleted sessions. It is not a valid column text of any session id. */
const deletedSessions = '\\deleted';

/** That token; 0 if no session was deleted. */
const lastDeleted = sql<number>`coalesce((select gone.token from roomflow_sessions as gone where gone.id = ${deletedSessions}), 0)`;

/** Returns the condition for a valid lease. A lease that lasts longer than its length from now comes from a wrong clock. */
export function isOwned(database: Pick<SqlParts['database'], 'now'>, table: string): RawBuilder<boolean> {
  const column = (name: string): RawBuilder<unknown> => sql.ref(`${table}.${name}`);
  const expiresAt = column('lease_expires_at');
  return sql<boolean>`${column('owner')} is not null and ${expiresAt} > ${database.now()}
    and (${column('lease_ms')} is null or ${expiresAt} <= ${database.now()} + ${column('lease_ms')} + ${leaseSlackMs})`;
}

/** Returns the condition for listed sessions. Ids compare byte by byte, whatever the database's collation. */
function isListed(
  database: Pick<SqlParts['database'], 'bytewise'>,
  of: Parameters<Store['listSessions']>[1],
): RawBuilder<boolean> {
  if (of === undefined || ('prefix' in of && of.prefix === '')) return sql<boolean>`state is not null`;
  if ('before' in of) return sql<boolean>`state is not null and updated_at < ${of.before}`;
  // An owned session is found before its first commit.
  if ('id' in of) return sql<boolean>`id = ${toColumnText(of.id)} and (state is not null or owner is not null)`;
  const prefix = toColumnText(of.prefix);
  const id = database.bytewise('id');
  const end = endOfPrefix(prefix);
  const isBelow = end === null ? sql<boolean>`true` : sql<boolean>`${id} < ${end}`;
  return sql<boolean>`state is not null and ${id} >= ${prefix} and ${isBelow}`;
}

/** Returns the first text in byte order after all texts with a prefix; null if there is none. */
function endOfPrefix(prefix: string): string | null {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === lastCodePoint) points.pop();
  const last = points.pop();
  if (last === undefined) return null;
  // Texts in a database contain no surrogates.
  const next = last + 1 === 0xd800 ? 0xe000 : last + 1;
  return String.fromCodePoint(...points, next);
}

const lastCodePoint = 0x10ffff;

export function startsWith(column: string, prefix: string): RawBuilder<boolean> {
  return sql<boolean>`substr(${sql.ref(column)}, 1, length(cast(${prefix} as text))) = ${prefix}`;
}
