import { type RawBuilder, sql } from 'kysely';
import type { Json } from '../../model/json.ts';
import type { Lease, SessionQuery, SessionStore } from '../../model/ports/store.ts';
import { fromColumnText, toColumnText } from './column-text.ts';
import { leaseLost } from './commit-texts.ts';
import { eraseRows } from '../erase-rows.ts';
import type { SqlParts } from './database.ts';
import { deletedSessions, ttlFromNow } from './leases.ts';
import { parsed } from './stored-text.ts';

/** Snapshots of sessions: one row per session. */
export function sqlSessions({ database, run }: SqlParts): SessionStore {
  const { db } = database;
  return {
    get: (sessionId) =>
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
    list: ({ limit, ...of }) =>
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
    delete: (lease: Lease) =>
      run(async () => {
        const id = toColumnText(lease.sessionId);
        const { token } = lease;
        const keepOthersOut = async (): Promise<void> => {
          const { numUpdatedRows } = await db
            .updateTable('roomflow_sessions')
            .set({ lease_expires_at: ttlFromNow(database, 60_000), lease_ms: 60_000 })
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

/** Returns the condition for listed sessions. Ids compare byte by byte, whatever the database's collation. */
function isListed(
  database: Pick<SqlParts['database'], 'bytewise'>,
  { id: wanted, prefix: start = '', before }: Omit<SessionQuery, 'limit'>,
): RawBuilder<boolean> {
  if (before !== undefined) return sql<boolean>`state is not null and updated_at < ${before}`;
  // An owned session is found before its first commit.
  if (wanted !== undefined)
    return sql<boolean>`id = ${toColumnText(wanted)} and (state is not null or owner is not null)`;
  if (start === '') return sql<boolean>`state is not null`;
  const prefix = toColumnText(start);
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
