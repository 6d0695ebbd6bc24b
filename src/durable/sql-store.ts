import { type Compilable, type Kysely, sql } from 'kysely';
import type { Effect, EffectKind } from '../events/effect.ts';
import type { Event } from '../events/event.ts';
import type { Json, JsonObject } from '../events/json.ts';
import { FlowError } from '../errors.ts';
import type { Lease, LoggedSignal, OpenEffect, StepCommit, Store } from '../ports/store.ts';
import type { Clock } from '../ports/time.ts';
import { fromColumnText, toColumnText } from './column-text.ts';
import { type CommitTexts, commitTexts, conflict, leaseLost, storeClosed } from './commit-texts.ts';
import { toJsonText } from './json-text.ts';
import type { Tables } from './tables.ts';

/** What one kind of database does in its own way. */
export interface Database {
  readonly db: Kysely<Tables>;
  /** Writes a commit whole, or not at all: false where the session does not stand where the commit starts from. */
  writeCommit(commit: CommitToWrite): Promise<boolean>;
  /** Runs all statements in one transaction. */
  together(statements: readonly Compilable[]): Promise<void>;
  /** Two who claim at once do not wait for each other. */
  readonly skipsLocked: boolean;
  /** Whether the same may go well in a moment: the connection is gone, or the server is just starting. */
  isPassing(error: unknown): boolean;
  /** What went wrong, for people. */
  explain(error: unknown): FlowError;
  watch(listener: () => void): () => void;
  close(): Promise<void>;
}

export interface CommitToWrite extends Omit<CommitTexts, 'signals'> {
  /** A column text, like `inputKeys` and the keys of `effects`. */
  readonly sessionId: string;
  readonly token: number;
  readonly baseSeq: number;
  readonly seq: number;
  readonly stateVersion: number;
  readonly graphHash: string;
  readonly now: number;
  readonly commitId: string;
  /** Grows with each commit under one token. */
  readonly place: number;
  /** JSON lists; null where there are none. */
  readonly signals: string | null;
  readonly events: string | null;
}

/** How long after a failure that may pass the same is tried again, in milliseconds. */
const retryAfterMs = [20, 100, 400, 1_000];

/** A store on a database that speaks SQL. */
export function createSqlStore(database: Database, clock: Clock): Store {
  const { db } = database;
  let isClosed = false;
  let commits = 0;

  const run = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    for (let failures = 0; ; failures += 1) {
      if (isClosed) throw storeClosed();
      try {
        return await work();
      } catch (error) {
        if (error instanceof FlowError) throw error;
        const delayMs = retryAfterMs[failures];
        if (delayMs === undefined || !database.isPassing(error)) throw database.explain(error);
        await new Promise<void>((resolve) => void clock.schedule(delayMs, resolve));
      }
    }
  };
  /** Why a commit was not taken; null where it had been, and only its answer was lost. */
  const refusal = async ({ lease, baseSeq }: StepCommit, commitId: string): Promise<FlowError | null> => {
    const { sessionId } = lease;
    const found = await db
      .selectFrom('roomflow_sessions')
      .select(['owner', 'token', 'seq', 'last_commit'])
      .where('id', '=', toColumnText(sessionId))
      .executeTakeFirst();
    if (found?.last_commit === commitId) return null;
    if (found === undefined || found.owner === null || found.token !== lease.token) return leaseLost(sessionId);
    return found.seq === baseSeq
      ? conflict(sessionId, 'has an input that was consumed before')
      : conflict(sessionId, `starts from ${baseSeq}, but it stands at ${found.seq}`);
  };

  return {
    acquireLease: (sessionId, owner, ttlMs) =>
      run(async () => {
        const now = clock.now();
        const taken = await db
          .insertInto('roomflow_sessions')
          .values({
            id: toColumnText(sessionId),
            token: 1,
            owner: toColumnText(owner),
            lease_expires_at: now + ttlMs,
            seq: 0,
            state: null,
            state_version: 0,
            graph_hash: '',
            updated_at: now,
            last_commit: '',
          })
          .onConflict((conflict) =>
            conflict
              .column('id')
              .doUpdateSet({
                token: sql`case when roomflow_sessions.owner = excluded.owner then roomflow_sessions.token else roomflow_sessions.token + 1 end`,
                owner: sql`excluded.owner`,
                lease_expires_at: sql`excluded.lease_expires_at`,
              })
              .where(
                sql<boolean>`roomflow_sessions.owner is null or roomflow_sessions.owner = excluded.owner or roomflow_sessions.lease_expires_at <= ${now}`,
              ),
          )
          .returning('token')
          .executeTakeFirst();
        if (taken === undefined) return null;
        return Object.freeze({ sessionId, owner, token: taken.token, expiresAt: now + ttlMs });
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
    wasConsumed: (inputKey) =>
      run(async () => {
        const key = toColumnText(inputKey);
        const found = await db.selectFrom('roomflow_inputs').select('key').where('key', '=', key).executeTakeFirst();
        return found !== undefined;
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
    loadEffects: (sessionId) =>
      run(async () => {
        const found = await db
          .selectFrom('roomflow_effects')
          .select('effect')
          .where('session_id', '=', toColumnText(sessionId))
          .orderBy('token')
          .orderBy('place')
          .orderBy('item')
          .execute();
        return found.map(({ effect }) => parsed(effect, `an effect of session "${sessionId}"`) as Effect);
      }),
    readLog: (sessionId, fromSeq = 1) =>
      run(async () => {
        const from = Math.max(fromSeq, 1);
        const found = await db
          .selectFrom('roomflow_steps')
          .select(['seq', 'signals'])
          .where('session_id', '=', toColumnText(sessionId))
          .where('seq', '>=', from)
          .where('signals', 'is not', null)
          .orderBy('token')
          .orderBy('place')
          .execute();
        const logged = found
          .flatMap(({ seq, signals }) => parsed(signals, `signal ${seq} of session "${sessionId}"`) as LoggedSignal[])
          .filter(({ seq }) => seq >= from);
        for (const [index, { seq }] of logged.entries())
          if (seq !== from + index) throw corrupted(`signal ${from + index} of session "${sessionId}" is missing`);
        return logged;
      }),
    readEvents: (sessionId) =>
      run(async () => {
        const found = await db
          .selectFrom('roomflow_steps')
          .select('events')
          .where('session_id', '=', toColumnText(sessionId))
          .where('events', 'is not', null)
          .orderBy('token')
          .orderBy('place')
          .execute();
        return found.flatMap(({ events }) => parsed(events, `an event of session "${sessionId}"`) as Event[]);
      }),
    listSessions: (limit) =>
      run(async () => {
        const found = await db
          .selectFrom('roomflow_sessions')
          .select(['id', 'seq', 'graph_hash', 'updated_at', 'owner', 'token', 'lease_expires_at'])
          .where('state', 'is not', null)
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
    openEffects: ({ kind, dueBy, limit }) =>
      run(async () => {
        const found = await db
          .selectFrom('roomflow_effects')
          .select(['session_id', 'effect'])
          .where('kind', '=', kind)
          .$if(!isSpeech(kind), (query) => query.where(isNoSpeech))
          .where('state', 'in', ['intended', 'started'])
          .$if(dueBy !== undefined, (query) => query.where('deadline', '<=', dueBy ?? 0).orderBy('deadline'))
          .orderBy('session_id')
          .orderBy('token')
          .orderBy('place')
          .orderBy('item')
          .limit(limit)
          .execute();
        return found.map(toOpenEffect);
      }),
    claimEffects: ({ kind, ttlMs, limit }) =>
      run(async () => {
        const now = clock.now();
        const free = db
          .selectFrom('roomflow_effects')
          .select(['session_id', 'key'])
          .where('kind', '=', kind)
          .$if(!isSpeech(kind), (query) => query.where(isNoSpeech))
          .where('state', '=', 'intended')
          .where('not_before', '<=', now)
          .orderBy('not_before')
          .orderBy('session_id')
          .orderBy('token')
          .orderBy('place')
          .orderBy('item')
          .limit(limit)
          .$if(database.skipsLocked, (query) => query.forUpdate().skipLocked());
        const claimed = await db
          .updateTable('roomflow_effects')
          .set({ not_before: now + ttlMs })
          .where((where) => where(where.refTuple('session_id', 'key'), 'in', free.$asTuple('session_id', 'key')))
          .returning(['session_id', 'token', 'place', 'item', 'effect'])
          .execute();
        return claimed.toSorted((a, b) => a.token - b.token || a.place - b.place || a.item - b.item).map(toOpenEffect);
      }),
    holdEffect: (key, until) =>
      run(async () => {
        await db
          .updateTable('roomflow_effects')
          .set({ not_before: until })
          .where('key', '=', toColumnText(key))
          .execute();
      }),
    keepCall: ({ sessionId, place }, unlessKept = false) =>
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
    claimLostCalls: ({ ttlMs, limit }) =>
      run(async () => {
        const now = clock.now();
        const lost = db
          .selectFrom('roomflow_calls')
          .select('session_id')
          .where('not_before', '<=', now)
          .where((where) =>
            where.not(
              where.exists(
                where
                  .selectFrom('roomflow_sessions')
                  .select('id')
                  .whereRef('id', '=', 'roomflow_calls.session_id')
                  .where('owner', 'is not', null)
                  .where('lease_expires_at', '>', now),
              ),
            ),
          )
          .orderBy('not_before')
          .limit(limit)
          .$if(database.skipsLocked, (query) => query.forUpdate().skipLocked());
        const claimed = await db
          .updateTable('roomflow_calls')
          .set({ not_before: now + ttlMs, lost_at: sql`coalesce(lost_at, ${now})` })
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
    dropCall: (sessionId) =>
      run(async () => {
        await db.deleteFrom('roomflow_calls').where('session_id', '=', toColumnText(sessionId)).execute();
      }),
    async commit(commit) {
      if (isClosed) throw storeClosed();
      const { lease, baseSeq, signals, stateVersion, graphHash } = commit;
      const texts = commitTexts(commit);
      commits += 1;
      const write: CommitToWrite = {
        ...texts,
        effects: texts.effects.map((row) => ({ ...row, key: toColumnText(row.key) })),
        inputKeys: texts.inputKeys.map(toColumnText),
        place: commits,
        signals: texts.signals.length === 0 ? null : `[${texts.signals.join(',')}]`,
        events: eventsText(commit.events()),
        sessionId: toColumnText(lease.sessionId),
        token: lease.token,
        baseSeq,
        seq: baseSeq + signals.length,
        stateVersion,
        graphHash: toColumnText(graphHash),
        now: clock.now(),
        // A token belongs to one owner, who commits through one store.
        commitId: `${lease.token}.${commits}`,
      };
      await run(async () => {
        if (await database.writeCommit(write)) return;
        const error = await refusal(commit, write.commitId);
        if (error !== null) throw error;
      });
    },
    saveGraph: (hash, document) =>
      run(async () => {
        await db
          .insertInto('roomflow_graphs')
          .values({ hash: toColumnText(hash), document: toJsonText(document, 'the flow') })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }),
    loadGraph: (hash) =>
      run(async () => {
        const found = await db
          .selectFrom('roomflow_graphs')
          .select('document')
          .where('hash', '=', toColumnText(hash))
          .executeTakeFirst();
        return found === undefined ? null : (parsed(found.document, `flow ${hash}`) as Json);
      }),
    deleteSession: (lease: Lease) =>
      run(async () => {
        const id = toColumnText(lease.sessionId);
        const { numUpdatedRows } = await db
          .updateTable('roomflow_sessions')
          .set({ lease_expires_at: clock.now() + 60_000 }) // Nobody else comes in between.
          .where('id', '=', id)
          .where('token', '=', lease.token)
          .where('owner', 'is not', null)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) throw leaseLost(lease.sessionId);
        await database.together([
          db
            .updateTable('roomflow_sessions')
            .set({ owner: null, state: null, seq: 0, graph_hash: '', last_commit: '' })
            .where('id', '=', id)
            .where('token', '=', lease.token),
          db.deleteFrom('roomflow_steps').where('session_id', '=', id),
          db.deleteFrom('roomflow_effects').where('session_id', '=', id),
          db.deleteFrom('roomflow_inputs').where('session_id', '=', id),
          db.deleteFrom('roomflow_calls').where('session_id', '=', id),
        ]);
      }),
    forgetInputs: (consumedBefore) =>
      run(async () => {
        const { numDeletedRows } = await db
          .deleteFrom('roomflow_inputs')
          .where('consumed_at', '<', consumedBefore)
          .executeTakeFirst();
        return Number(numDeletedRows);
      }),
    watch(listener) {
      if (isClosed) throw storeClosed();
      return database.watch(listener);
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      await database.close();
    },
  };
}

function eventsText(events: readonly Event[]): string | null {
  return events.length === 0 ? null : toJsonText(events, 'the events');
}

function toOpenEffect(row: { session_id: string; effect: string }): OpenEffect {
  const sessionId = fromColumnText(row.session_id);
  return { sessionId, effect: parsed(row.effect, `an effect of session "${sessionId}"`) as Effect };
}

/** Said as the index says it, which has no speech in it, so that the index is used. */
const isNoSpeech = sql<boolean>`kind not in ('say', 'reply')`;

function isSpeech(kind: EffectKind): boolean {
  return kind === 'say' || kind === 'reply';
}

/** Each text was written from a value of the type that the caller reads it as. */
function parsed(text: string | null, place: string): unknown {
  try {
    return JSON.parse(text ?? 'null') as unknown;
  } catch {
    throw corrupted(`${place} is not readable`);
  }
}

function corrupted(fact: string): FlowError {
  return new FlowError(
    'store-corrupted',
    `${fact}: the store was damaged, or changed by hand. Restore it from a backup, or delete this session.`,
  );
}
