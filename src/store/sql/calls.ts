import { type RawBuilder, sql } from 'kysely';
import type { JsonObject } from '../../model/json.ts';
import type { CallStore } from '../../model/ports/store.ts';
import { fromColumnText, toColumnText } from './column-text.ts';
import { toJsonText } from '../json-text.ts';
import type { SqlParts } from './database.ts';
import { isOwned } from './leases.ts';
import { parsed } from './stored-text.ts';

/** Stores the places of callers and finds lost calls. */
export function sqlCalls({ database, clock, run }: SqlParts): CallStore {
  const { db } = database;
  return {
    save: ({ sessionId, place }, { unlessKept = false } = {}) =>
      run(async () => {
        const row = { session_id: toColumnText(sessionId), place: toJsonText(place, 'the place of a call') };
        await db
          .insertInto('roomflow_calls')
          .values({ ...row, not_before: 0, lost_at: null })
          .onConflict((conflict) =>
            unlessKept
              ? conflict.doNothing()
              : conflict.column('session_id').doUpdateSet({ place: row.place, lost_at: null }),
          )
          .execute();
      }),
    claimLost: ({ ttlMs, limit }) =>
      run(async () => {
        const now = clock.now();
        const lost = db
          .selectFrom('roomflow_calls')
          .select('session_id')
          .where('not_before', '<=', database.now())
          .where((where) =>
            where.not(
              where.exists(
                where
                  .selectFrom('roomflow_sessions')
                  .select('id')
                  .whereRef('id', '=', 'roomflow_calls.session_id')
                  .where(isOwned(database, 'roomflow_sessions')),
              ),
            ),
          )
          .orderBy('not_before')
          .limit(limit)
          .$if(database.skipsLocked, (query) => query.forUpdate().skipLocked());
        const claimed = await db
          .updateTable('roomflow_calls')
          .set({
            not_before: sql<number>`${database.now()} + cast(${ttlMs} as bigint)`,
            lost_at: sql`coalesce(lost_at, ${now})`,
          })
          .where('session_id', 'in', lost)
          .returning(['session_id', 'place', 'lost_at'])
          .execute();
        return claimed.map(({ session_id, place, lost_at }) => {
          const sessionId = fromColumnText(session_id);
          return {
            sessionId,
            lostAt: lost_at ?? now,
            place: parsed(place, `the call of session "${sessionId}"`) as JsonObject,
          };
        });
      }),
    list: ({ ownedBy, limit }) =>
      run(async () => {
        const held = await db
          .selectFrom('roomflow_calls')
          .innerJoin('roomflow_sessions', 'roomflow_sessions.id', 'roomflow_calls.session_id')
          .select(['session_id', 'owner'])
          .where(isOwned(database, 'roomflow_sessions'))
          .where(startsWith('owner', toColumnText(ownedBy)))
          .limit(limit)
          .execute();
        return held.map(({ session_id, owner }) => ({
          sessionId: fromColumnText(session_id),
          owner: fromColumnText(owner ?? ''),
        }));
      }),
    delete: (sessionId) =>
      run(async () => {
        await db.deleteFrom('roomflow_calls').where('session_id', '=', toColumnText(sessionId)).execute();
      }),
  };
}

function startsWith(column: string, prefix: string): RawBuilder<boolean> {
  return sql<boolean>`substr(${sql.ref(column)}, 1, length(cast(${prefix} as text))) = ${prefix}`;
}
