import { type Effect, effectKinds, isShared } from '../../model/effect.ts';
import type { Event } from '../../model/events/event.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { EffectAddress, LoggedSignal, Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import { commitTexts, conflict, leaseLost, storeClosed } from '../sql/commit-texts.ts';
import { eventOf } from '../effect-views.ts';
import { toJsonText } from '../json-text.ts';
import { createMemoryInbox } from './inbox.ts';
import {
  eventTextsFrom,
  isOwned,
  keepEvents,
  newSession,
  type OpenRow,
  type Session,
  toOpenEffect,
} from './session.ts';

export interface MemoryStore extends Store {
  /** Number of commits so far. */
  readonly transactions: number;
}

/**
 * Creates a store that exists as long as its object. It holds JSON texts like a database, so callers cannot mutate
 * stored values.
 *
 * An expired lease can still commit until another owner takes it; the token decides. The last commit that names an
 * effect's key defines it: a commit that settles an effect contains it in its final state.
 */
export function createMemoryStore({ clock }: { readonly clock: Clock }): MemoryStore {
  // Each text is parsed as the type it was written from.
  const sessions = new Map<string, Session>();
  /** Time at which each input was consumed. */
  const consumed = new Map<string, number>();
  const graphs = new Map<string, string>();
  const calls = new Map<string, { place: string; notBefore: number; lostAt: number | null }>();
  const listeners = new Set<() => void>();
  let isClosed = false;

  const assertOpen = (): void => {
    if (isClosed) throw storeClosed();
  };
  /** The highest token of all deleted sessions. */
  let lastDeleted = 0;
  const sessionOf = (sessionId: string): Session => {
    const found = sessions.get(sessionId);
    if (found !== undefined) return found;
    const session = newSession(lastDeleted);
    sessions.set(sessionId, session);
    return session;
  };
  const openRows = (chosen: (row: OpenRow) => boolean): { sessionId: string; row: OpenRow }[] =>
    [...sessions].flatMap(([sessionId, { open }]) =>
      [...open.values()].filter(chosen).map((row) => ({ sessionId, row })),
    );

  const inbox = createMemoryInbox({
    clock,
    assertOpen,
    isConsumed: (key) => consumed.has(key),
    consume(keys, sessionId) {
      for (const key of keys) consumed.set(key, clock.now());
      if (sessionId !== undefined) sessionOf(sessionId).inputs.push(...keys);
    },
    isOwned: (sessionId) => isOwned(sessions.get(sessionId), clock.now()),
  });

  const store: MemoryStore & { transactions: number } = {
    ...inbox.port,
    transactions: 0,
    async acquireLease(sessionId, owner, ttlMs, from = owner) {
      assertOpen();
      const session = sessionOf(sessionId);
      const by = session.lease?.owner;
      if (isOwned(session, clock.now()) && by !== owner && by !== from) return null;
      session.token += 1;
      session.leaseMs = ttlMs;
      const expiresAt = clock.now() + ttlMs;
      const incarnation = session.bornAfter === 0 ? {} : { incarnation: session.bornAfter };
      session.lease = Object.freeze({ sessionId, owner, token: session.token, expiresAt, ...incarnation });
      return session.lease;
    },
    async renewLease(lease, ttlMs) {
      assertOpen();
      const session = sessions.get(lease.sessionId);
      if (session?.lease?.token !== lease.token) return null;
      session.leaseMs = ttlMs;
      session.lease = Object.freeze({ ...session.lease, owner: lease.owner, expiresAt: clock.now() + ttlMs });
      return session.lease;
    },
    async releaseLease(lease) {
      assertOpen();
      const session = sessions.get(lease.sessionId);
      if (session?.lease?.token === lease.token) session.lease = null;
    },
    async wasConsumed(inputKey) {
      assertOpen();
      return consumed.has(inputKey);
    },
    async loadSnapshot(sessionId) {
      assertOpen();
      const session = sessions.get(sessionId);
      if (session === undefined || session.kept === null) return null;
      const { state, stateVersion, graphHash } = session.kept;
      return { sessionId, seq: session.log.length, stateVersion, graphHash, state: JSON.parse(state) as Json };
    },
    async loadEffects(sessionId) {
      assertOpen();
      return [...(sessions.get(sessionId)?.effects.values() ?? [])].map((text) => JSON.parse(text) as Effect);
    },
    async readLog(sessionId, fromSeq = 1) {
      assertOpen();
      const log = sessions.get(sessionId)?.log ?? [];
      return log.slice(Math.max(fromSeq, 1) - 1).map((text) => JSON.parse(text) as LoggedSignal);
    },
    async readEvents(sessionId, fromSeq = 0) {
      assertOpen();
      const session = sessions.get(sessionId);
      if (session === undefined) return [];
      return eventTextsFrom(session, fromSeq).map((text) => JSON.parse(text) as Event);
    },
    async listSessions(limit, of = { prefix: '' }) {
      assertOpen();
      const isOf = (id: string, updatedAt: number): boolean => {
        if ('before' in of) return updatedAt < of.before;
        return 'id' in of ? id === of.id : id.startsWith(of.prefix);
      };
      return [...sessions]
        .filter(([sessionId, { kept: committed }]) => isOf(sessionId, committed?.updatedAt ?? 0))
        .flatMap(([sessionId, { kept: committed, lease, log }]) => {
          // Ownership is listed even before the first commit.
          const kept = committed ?? ('id' in of && lease !== null ? { graphHash: '', updatedAt: 0 } : null);
          return kept === null ? [] : [{ sessionId, seq: log.length, kept, lease }];
        })
        .toSorted((a, b) => b.kept.updatedAt - a.kept.updatedAt || (a.sessionId < b.sessionId ? -1 : 1))
        .slice(0, limit)
        .map(({ sessionId, seq, kept: { graphHash, updatedAt }, lease }) => ({
          sessionId,
          seq,
          graphHash,
          updatedAt,
          lease: lease && { owner: lease.owner, token: lease.token, expiresAt: lease.expiresAt },
        }));
    },
    async openEffects({ kind, dueBy, event, after, limit }) {
      assertOpen();
      const found = openRows(
        (row) => row.kind === kind && (dueBy === undefined || (row.deadline ?? Infinity) <= dueBy),
      );
      const ordered =
        after === undefined
          ? found.toSorted((a, b) => (dueBy === undefined ? 0 : (a.row.deadline ?? 0) - (b.row.deadline ?? 0)))
          : found
              .filter((one) => after === null || byAddress(after, addressOf(one)) < 0)
              .toSorted((a, b) => byAddress(addressOf(a), addressOf(b)));
      const effects = ordered.map(toOpenEffect);
      return effects.filter(({ effect }) => event === undefined || eventOf(effect) === event).slice(0, limit);
    },
    async claimEffects({ kind, ttlMs, limit }) {
      assertOpen();
      const now = clock.now();
      const chosen = openRows((row) => row.kind === kind && row.state === 'intended' && row.notBefore <= now);
      const free = chosen.filter(
        ({ sessionId }) => effectKinds[kind].performedBy === 'dispatcher' || !isOwned(sessions.get(sessionId), now),
      );
      const claimed = free.slice(0, limit);
      for (const { row } of claimed) row.notBefore = now + ttlMs;
      return claimed.map(toOpenEffect);
    },
    async holdEffects(effects, until, reason) {
      assertOpen();
      for (const { sessionId, key } of effects) {
        const row = sessions.get(sessionId)?.open.get(key);
        if (row === undefined) continue;
        row.notBefore = until ?? Infinity;
        if (reason !== undefined) row.failed = { times: (row.failed?.times ?? 0) + 1, reason };
      }
    },
    async keepCall({ sessionId, place }, unlessKept = false) {
      assertOpen();
      const kept = calls.get(sessionId);
      if (kept !== undefined && unlessKept) return;
      const text = toJsonText(place, 'the place of a call');
      calls.set(sessionId, { place: text, notBefore: kept?.notBefore ?? 0, lostAt: null });
    },
    async claimLostCalls({ ttlMs, limit }) {
      assertOpen();
      const now = clock.now();
      return [...calls]
        .filter(([sessionId, { notBefore }]) => notBefore <= now && !isOwned(sessions.get(sessionId), now))
        .toSorted(([, a], [, b]) => a.notBefore - b.notBefore)
        .slice(0, limit)
        .map(([sessionId, call]) => {
          call.notBefore = now + ttlMs;
          call.lostAt ??= now;
          return { sessionId, lostAt: call.lostAt, place: JSON.parse(call.place) as JsonObject };
        });
    },
    async heldCalls({ ownedBy, limit }) {
      assertOpen();
      const now = clock.now();
      return [...calls.keys()]
        .flatMap((sessionId) => {
          const { lease = null } = sessions.get(sessionId) ?? {};
          const isHeld = lease?.owner.startsWith(ownedBy) === true && isOwned(sessions.get(sessionId), now);
          return isHeld ? [{ sessionId, owner: lease.owner }] : [];
        })
        .slice(0, limit);
    },
    async dropCall(sessionId) {
      assertOpen();
      calls.delete(sessionId);
    },
    async commit(commit) {
      assertOpen();
      const texts = commitTexts(commit);
      const { lease, baseSeq, stateVersion, graphHash } = commit;
      const session = sessionOf(lease.sessionId);
      if (session.lease?.token !== lease.token) throw leaseLost(lease.sessionId);
      const seq = session.log.length;
      if (baseSeq !== seq) throw conflict(lease.sessionId, `starts from ${baseSeq}, but it stands at ${seq}`);
      if (texts.inputKeys.some((key) => consumed.has(key)))
        throw conflict(lease.sessionId, 'has an input that was consumed before');
      keepEvents(session, commit.events, seq + texts.signals.length);
      session.log.push(...texts.signals);
      for (const row of texts.effects) {
        session.effects.set(row.key, row.text);
        if (!isShared(row.kind)) continue;
        const { notBefore, failed } = session.open.get(row.key) ?? { notBefore: 0, failed: null };
        if (row.state === 'intended' || row.state === 'started')
          session.open.set(row.key, { ...row, notBefore, failed });
        else session.open.delete(row.key);
      }
      session.kept = { state: texts.state, stateVersion, graphHash, updatedAt: clock.now() };
      for (const key of texts.inputKeys) consumed.set(key, clock.now());
      session.inputs.push(...texts.inputKeys);
      store.transactions += 1;
      inbox.change(texts.inputKeys, texts.inbox);
      if (texts.intends) for (const listener of listeners) listener();
    },
    async saveGraph(hash, document) {
      assertOpen();
      const text = toJsonText(document, 'the flow');
      if (!graphs.has(hash)) graphs.set(hash, text);
    },
    async loadGraph(hash) {
      assertOpen();
      const text = graphs.get(hash);
      return text === undefined ? null : (JSON.parse(text) as Json);
    },
    async deleteSession(lease) {
      assertOpen();
      const session = sessions.get(lease.sessionId);
      if (session === undefined || session.lease?.token !== lease.token) throw leaseLost(lease.sessionId);
      // The token is kept, so an older lease is never valid again.
      lastDeleted = Math.max(lastDeleted, session.token);
      sessions.delete(lease.sessionId);
      for (const key of session.inputs) consumed.delete(key);
      calls.delete(lease.sessionId);
      inbox.deleteSession(lease.sessionId);
    },
    async forgetInputs(consumedBefore) {
      assertOpen();
      const before = consumed.size;
      for (const [key, at] of consumed) if (at < consumedBefore) consumed.delete(key);
      return before - consumed.size;
    },
    watch(listener) {
      assertOpen();
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      isClosed = true;
      listeners.clear();
      inbox.close();
    },
  };
  return store;
}

function addressOf({ sessionId, row: { key } }: { readonly sessionId: string; readonly row: OpenRow }): EffectAddress {
  return { sessionId, key };
}

function byAddress(a: EffectAddress, b: EffectAddress): number {
  if (a.sessionId !== b.sessionId) return a.sessionId < b.sessionId ? -1 : 1;
  return a.key === b.key ? 0 : a.key < b.key ? -1 : 1;
}
