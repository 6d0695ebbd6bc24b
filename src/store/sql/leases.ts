import { type RawBuilder, sql } from 'kysely';
import type { LeaseStore } from '../../model/ports/store.ts';
import { leaseSlackMs } from '../lease-slack.ts';
import { toColumnText } from './column-text.ts';
import type { SqlParts } from './database.ts';

/** Leases, in the row of their session. */
export function sqlLeases({ database, clock, run }: SqlParts): LeaseStore {
  const { db } = database;
  const until = (ttlMs: number) => ttlFromNow(database, ttlMs);
  return {
    acquire: ({ sessionId, owner, ttlMs, from = owner }) =>
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
    renew: (lease, ttlMs) =>
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
    release: (lease) =>
      run(async () => {
        await db
          .updateTable('roomflow_sessions')
          .set({ owner: null })
          .where('id', '=', toColumnText(lease.sessionId))
          .where('token', '=', lease.token)
          .execute();
      }),
  };
}

/** Id of the row with the highest token of deleted sessions. It is not a valid column text of any session id. */
export const deletedSessions = '\\deleted';

/** That token; 0 if no session was deleted. */
const lastDeleted = sql<number>`coalesce((select gone.token from roomflow_sessions as gone where gone.id = ${deletedSessions}), 0)`;

export function ttlFromNow(database: Pick<SqlParts['database'], 'now'>, ttlMs: number): RawBuilder<number> {
  return sql<number>`${database.now()} + cast(${ttlMs} as bigint)`;
}

/** Returns the condition for a valid lease. A lease that lasts longer than its length from now comes from a wrong clock. */
export function isOwned(database: Pick<SqlParts['database'], 'now'>, table: string): RawBuilder<boolean> {
  const column = (name: string): RawBuilder<unknown> => sql.ref(`${table}.${name}`);
  const expiresAt = column('lease_expires_at');
  return sql<boolean>`${column('owner')} is not null and ${expiresAt} > ${database.now()}
    and (${column('lease_ms')} is null or ${expiresAt} <= ${database.now()} + ${column('lease_ms')} + ${leaseSlackMs})`;
}
