import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { AuditRecord, InboxEntry } from '../../model/inbox.ts';
import type { InboxStore, NewAuditRecord, StoredEntry } from '../../model/ports/inbox.ts';
import { type AuditEnd, chained } from '../audit-chain.ts';
import { fromColumnText, toColumnText } from './column-text.ts';
import { entryRow, rowInColumns } from './inbox-texts.ts';
import { toJsonText } from '../json-text.ts';
import type { AuditRow, PostToWrite, SqlParts, WrittenPost } from './database.ts';
import { isOwned } from './leases.ts';
import { parsed } from './stored-text.ts';
import type { Tables } from './tables.ts';

/** The inbox without listeners. Posts also write the audit log. */
export function sqlInbox({ database, clock, run }: SqlParts): Omit<InboxStore, 'watch'> {
  const { db } = database;
  /** Returns the owner of a valid claim. */
  const claimant = () =>
    sql<string | null>`case when claimed_until > ${database.now()} then claimed_by end`.as('claimant');

  const end = async (): Promise<AuditEnd> =>
    (await db
      .selectFrom('roomflow_audit')
      .select(['seq', 'hash'])
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst()) ?? null;
  /**
   * Writes a post with its audit records at the current end of the chain, and retries if other records were written
   * meanwhile.
   */
  const write = async (post: Omit<PostToWrite, 'audit'>, records: readonly NewAuditRecord[]): Promise<WrittenPost> => {
    for (;;) {
      const audit = records.length === 0 ? [] : chained(await end(), records, post.now).map(auditRow);
      const written = await database.writePost({ ...post, audit });
      if (!('refused' in written) || written.refused !== 'audit') return written;
    }
  };
  /**
   * Returns the result of an earlier attempt whose response was lost; null if it wrote nothing, or if its entries were
   * already taken.
   */
  const lost = async (id: string): Promise<WrittenPost | null> => {
    const rows = await db.selectFrom('roomflow_inbox').select('key').where('post_id', '=', id).execute();
    if (rows.length > 0) return { posted: rows.map(({ key }) => key) };
    const record = await db.selectFrom('roomflow_audit').select('seq').where('post_id', '=', id).executeTakeFirst();
    return record === undefined ? null : { posted: [] };
  };
  return {
    async post(entries, audit = [], once = []) {
      const rows = entries.map((entry) => rowInColumns(entryRow(entry)));
      const onceSession = rows[0]?.sessionId ?? '';
      const keys = [...new Set(once)].map(toColumnText);
      const post = { id: randomUUID(), entries: rows, once: keys, onceSession, now: clock.now(), reopens: null };
      let attempts = 0;
      const written = await run(async () => {
        attempts += 1;
        return (attempts > 1 ? await lost(post.id) : null) ?? (await write(post, audit));
      });
      const posted = new Set('posted' in written ? written.posted : []);
      // If two entries have the same key, the second is a duplicate.
      return rows.map(({ key }) => (posted.delete(key) ? 'posted' : 'duplicate'));
    },
    listDue: ({ sessionId, dueBy, limit }) =>
      run(async () => {
        const found = await db
          .selectFrom('roomflow_inbox')
          .select([...columns, claimant()])
          .where('session_id', '=', toColumnText(sessionId))
          .where(isOpen())
          .where('not_before', '<=', dueBy)
          .orderBy('due_at')
          .orderBy('place')
          .limit(limit)
          .execute();
        return found.map(toStored);
      }),
    nextDue: (sessionId) =>
      run(async () => {
        const found = await db
          .selectFrom('roomflow_inbox')
          .select('not_before')
          .where('session_id', '=', toColumnText(sessionId))
          .where(isOpen())
          .orderBy('not_before')
          .limit(1)
          .executeTakeFirst();
        return found?.not_before ?? null;
      }),
    claim: ({ ttlMs, limit, owner }) =>
      run(async () => {
        // The clock that all clerks share; a scalar subquery, so that an index finds due entries.
        const now = sql<number>`(select ${database.now()})`;
        const free = db
          .selectFrom('roomflow_inbox')
          .select('place')
          .where(isOpen())
          .where('not_before', '<=', now)
          .where('claimed_until', '<=', database.now())
          .where((where) =>
            where.not(
              where.exists(
                where
                  .selectFrom('roomflow_sessions')
                  .select('id')
                  .whereRef('id', '=', 'roomflow_inbox.session_id')
                  .where(isOwned(database, 'roomflow_sessions')),
              ),
            ),
          )
          // An earlier entry, claimed or not, blocks the later ones of its session.
          .where((where) =>
            where.not(
              where.exists(
                where
                  .selectFrom('roomflow_inbox as earlier')
                  .select('earlier.place')
                  .whereRef('earlier.session_id', '=', 'roomflow_inbox.session_id')
                  .where(isOpen('earlier'))
                  .where('earlier.not_before', '<=', now)
                  // The additions keep these columns out of the index: SQLite would otherwise scan the whole inbox in
                  // list order instead of the session's entries.
                  .where(
                    sql<boolean>`(earlier.due_at + 0, earlier.place + 0) < (roomflow_inbox.due_at, roomflow_inbox.place)`,
                  ),
              ),
            ),
          )
          .orderBy('not_before')
          .orderBy('place')
          .limit(limit)
          .$if(database.skipsLocked, (query) => query.forUpdate().skipLocked());
        const claimed = await db
          .updateTable('roomflow_inbox')
          .set({
            claimed_until: sql<number>`${database.now()} + cast(${ttlMs} as bigint)`,
            claimed_by: owner === undefined ? null : toColumnText(owner),
            claims: sql<number>`claims + 1`,
          })
          .where('place', 'in', free)
          .returning([...columns, claimant()])
          .execute();
        return claimed.map(toStored).toSorted((a, b) => a.notBefore - b.notBefore || a.place - b.place);
      }),
    release: ({ owner, keys, afterMs = 0, isTry = true }) =>
      run(async () => {
        if (keys.length === 0) return;
        await db
          .updateTable('roomflow_inbox')
          .set({
            claimed_until: afterMs === 0 ? 0 : sql<number>`${database.now()} + cast(${afterMs} as bigint)`,
            claimed_by: null,
            ...(isTry ? {} : { claims: sql<number>`case when claims > 0 then claims - 1 else 0 end` }),
          })
          .where('key', 'in', keys.map(toColumnText))
          .where('claimed_by', '=', toColumnText(owner))
          .execute();
      }),
    defer: (key, { until, reason, isTry = true }) =>
      run(async () => {
        await db
          .updateTable('roomflow_inbox')
          .set({
            ...(until === null
              ? { state: 'dead' as const }
              : { not_before: sql<number>`case when due_at > ${until} then due_at else cast(${until} as bigint) end` }),
            ...(isTry ? { attempts: sql<number>`attempts + 1` } : {}),
            ...{ claimed_until: 0, claimed_by: null, claims: 0 },
            reason: toColumnText(reason),
          })
          .where('key', '=', toColumnText(key))
          .execute();
      }),
    list: ({ state, sessionId, dueAfter, limit }) =>
      run(async () => {
        const found = await db
          .selectFrom('roomflow_inbox')
          .select([...columns, claimant()])
          .$if(state === 'open', (query) => query.where(isOpen()))
          .$if(state === 'dead', (query) => query.where('state', '=', 'dead'))
          .$if(sessionId !== undefined, (query) => query.where('session_id', '=', toColumnText(sessionId ?? '')))
          .$if(dueAfter === undefined, (query) => query.orderBy('due_at').orderBy('place'))
          // Many entries may be due at the same time; ordering these as well would sort them all.
          .$if(dueAfter !== undefined, (query) => query.where('not_before', '>', dueAfter ?? 0).orderBy('not_before'))
          .limit(limit)
          .execute();
        return found.map(toStored);
      }),
    async repost(key, audit = []) {
      const reopens = toColumnText(key);
      const post = { id: randomUUID(), entries: [], once: [], onceSession: '', now: clock.now(), reopens };
      return !('refused' in (await run(() => write(post, audit))));
    },
    withdraw: (key) =>
      run(async () => {
        const { numDeletedRows } = await db
          .deleteFrom('roomflow_inbox')
          .where('key', '=', toColumnText(key))
          .executeTakeFirst();
        return numDeletedRows > 0n;
      }),
    isConsumed: (inputKey) =>
      run(async () => {
        const key = toColumnText(inputKey);
        const found = await db.selectFrom('roomflow_inputs').select('key').where('key', '=', key).executeTakeFirst();
        return found !== undefined;
      }),
    forgetConsumed: (consumedBefore) => run(() => database.forgetInputs(consumedBefore)),
  };
}

const columns = ['place', 'state', 'attempts', 'not_before', 'reason', 'claims', 'entry', 'key'] as const;

/** Written exactly as in the index, so that it is used. */
function isOpen(table = 'roomflow_inbox') {
  return sql<boolean>`${sql.ref(`${table}.state`)} = 'open'`;
}

function toStored(row: StoredColumns): StoredEntry {
  const { place, state, attempts, not_before: notBefore, claims, key } = row;
  const entry = parsed(row.entry, `the entry "${fromColumnText(key)}"`) as InboxEntry;
  const text = (column: string | null): string | null => (column === null ? null : fromColumnText(column));
  return { entry, place, state, attempts, notBefore, claims, reason: text(row.reason), claimedBy: text(row.claimant) };
}

type StoredColumns = Pick<Tables['roomflow_inbox'], Exclude<(typeof columns)[number], 'place' | 'claims'>> & {
  readonly place: number;
  readonly claims: number;
  readonly claimant: string | null;
};

function auditRow(record: AuditRecord): AuditRow {
  const { seq, hash } = record;
  const sessionId = record.sessionId === null ? null : toColumnText(record.sessionId);
  return { seq, sessionId, hash, text: toJsonText(record, 'an audit record') };
}
