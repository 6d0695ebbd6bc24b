import type { AuditRecord, InboxEntry } from '../../model/inbox.ts';
import type { AuditStore, InboxStore, NewAuditRecord, StoredEntry } from '../../model/ports/inbox.ts';
import { chained } from '../audit-chain.ts';
import { type EntryRow, entryRow, type InboxChange } from '../sql/inbox-texts.ts';
import { toJsonText } from '../json-text.ts';
import { isOwned } from './session.ts';
import type { MemoryTables } from './tables.ts';

/** The inbox of a memory store, with the effects of commits and deletions on it. */
export interface MemoryInbox {
  readonly port: InboxStore;
  readonly audit: AuditStore;
  /** Deletes the entries that a commit consumed, and applies its changes. */
  change(inputKeys: readonly string[], change: InboxChange | null): void;
  deleteSession(sessionId: string): void;
  /** Removes all listeners. */
  close(): void;
}

export function createMemoryInbox({ clock, sessions, consumed, assertOpen, sessionOf }: MemoryTables): MemoryInbox {
  const rows = new Map<string, Row>();
  /** Entry keys per session. */
  const keys = new Map<string, Set<string>>();
  /** The deadline entry of each wait. */
  const deadlines = new Map<string, string>();
  const audit: string[] = [];
  const listeners = new Set<(sessionId: string | null) => void>();
  let places = 0;
  let auditEnd: AuditRecord | null = null;

  const rowsOf = (sessionId: string): Row[] => [...(keys.get(sessionId) ?? [])].flatMap((key) => rows.get(key) ?? []);
  const put = (added: readonly EntryRow[]): ('posted' | 'duplicate')[] => {
    const told = added.map((one) => {
      const { key, sessionId, effectKey } = one;
      if (rows.has(key) || consumed.has(key)) return 'duplicate';
      places += 1;
      rows.set(key, {
        ...one,
        place: places,
        state: 'open',
        attempts: 0,
        notBefore: one.dueAt,
        claimedUntil: 0,
        claimedBy: null,
        claims: 0,
        reason: null,
      });
      keys.set(sessionId, (keys.get(sessionId) ?? new Set()).add(key));
      if (effectKey !== null) deadlines.set(effectKey, key);
      return 'posted';
    });
    notify(added.filter((_, index) => told[index] === 'posted').map(({ sessionId }) => sessionId));
    return told;
  };
  const remove = (key: string): boolean => {
    const row = rows.get(key);
    if (row === undefined) return false;
    rows.delete(key);
    const others = keys.get(row.sessionId);
    others?.delete(key);
    if (others?.size === 0) keys.delete(row.sessionId);
    if (row.effectKey !== null && deadlines.get(row.effectKey) === key) deadlines.delete(row.effectKey);
    return true;
  };
  const keepAudit = (records: readonly NewAuditRecord[]): void => {
    for (const record of chained(auditEnd, records, clock.now())) {
      audit.push(toJsonText(record, 'an audit record'));
      auditEnd = record;
    }
  };
  const notify = (sessionIds: readonly string[]): void => {
    for (const sessionId of new Set(sessionIds)) for (const listener of listeners) listener(sessionId);
  };

  return {
    change(inputKeys, change) {
      for (const key of inputKeys) remove(key);
      if (change === null) return;
      for (const key of change.withdraws) remove(key);
      for (const { effectKey, key } of change.deadlines) {
        const known = deadlines.get(effectKey);
        if (known !== undefined && known !== key) remove(known);
      }
      put(change.posts);
    },
    deleteSession(sessionId) {
      for (const { key } of rowsOf(sessionId)) remove(key);
    },
    close: () => listeners.clear(),
    port: {
      async post(entries, records = [], once = []) {
        assertOpen();
        const added = entries.map((entry) => entryRow(entry));
        toJsonText(records, 'an audit record');
        if (once.some((key) => consumed.has(key))) return entries.map(() => 'duplicate');
        for (const key of once) consumed.set(key, clock.now());
        const [first] = entries;
        if (first !== undefined) sessionOf(first.sessionId).inputs.push(...once);
        keepAudit(records);
        return put(added);
      },
      async listDue({ sessionId, dueBy, limit }) {
        assertOpen();
        return stored(
          rowsOf(sessionId).filter((row) => isDue(row, dueBy)),
          limit,
          clock.now(),
        );
      },
      async nextDue(sessionId) {
        assertOpen();
        const open = rowsOf(sessionId).filter(({ state }) => state === 'open');
        return open.length === 0 ? null : Math.min(...open.map(({ notBefore }) => notBefore));
      },
      async claim({ ttlMs, limit, owner = null }) {
        assertOpen();
        const now = clock.now();
        const first = [...keys.keys()].flatMap((sessionId) => {
          if (isOwned(sessions.get(sessionId), now)) return [];
          const due = rowsOf(sessionId)
            .filter((row) => isDue(row, now))
            .toSorted(inOrder)[0];
          return due === undefined || due.claimedUntil > now ? [] : [due];
        });
        const claimed = first.toSorted((a, b) => a.notBefore - b.notBefore || a.place - b.place).slice(0, limit);
        for (const row of claimed)
          Object.assign(row, { claimedUntil: now + ttlMs, claimedBy: owner, claims: row.claims + 1 });
        return claimed.map((row) => toStored(row, now));
      },
      async release({ owner, keys: ended, afterMs = 0, isTry = true }) {
        assertOpen();
        for (const key of ended) {
          const row = rows.get(key);
          if (row?.claimedBy !== owner) continue;
          Object.assign(row, { claimedUntil: clock.now() + afterMs, claimedBy: null });
          if (!isTry && row.claims > 0) row.claims -= 1;
        }
      },
      async defer(key, { until, reason, isTry = true }) {
        assertOpen();
        const row = rows.get(key);
        if (row === undefined) return;
        if (isTry) row.attempts += 1;
        Object.assign(row, { claimedUntil: 0, claimedBy: null, claims: 0 });
        row.reason = reason;
        if (until === null) row.state = 'dead';
        else row.notBefore = Math.max(until, row.dueAt);
      },
      async list({ state, sessionId, dueAfter, limit }) {
        assertOpen();
        const all = sessionId === undefined ? [...rows.values()] : rowsOf(sessionId);
        const chosen = all.filter((row) => state === undefined || row.state === state);
        if (dueAfter === undefined) return stored(chosen, limit, clock.now());
        const later = chosen.filter((row) => row.notBefore > dueAfter);
        return stored(later, Infinity, clock.now())
          .toSorted((a, b) => a.notBefore - b.notBefore)
          .slice(0, limit);
      },
      async repost(key, records = []) {
        assertOpen();
        const row = rows.get(key);
        if (row?.state !== 'dead') return false;
        keepAudit(records);
        Object.assign(row, { state: 'open', attempts: 0, reason: null, notBefore: clock.now() });
        notify([row.sessionId]);
        return true;
      },
      async withdraw(key) {
        assertOpen();
        return remove(key);
      },
      async isConsumed(inputKey) {
        assertOpen();
        return consumed.has(inputKey);
      },
      async forgetConsumed(consumedBefore) {
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
    },
    audit: {
      async list({ sessionId, fromSeq = 1, limit }) {
        assertOpen();
        return audit
          .slice(Math.max(fromSeq, 1) - 1)
          .map((text) => JSON.parse(text) as AuditRecord)
          .filter((record) => sessionId === undefined || record.sessionId === sessionId)
          .slice(0, limit);
      },
    },
  };
}

interface Row extends EntryRow {
  readonly place: number;
  state: StoredEntry['state'];
  attempts: number;
  notBefore: number;
  /** End of the current claim. */
  claimedUntil: number;
  claimedBy: string | null;
  claims: number;
  reason: string | null;
}

function isDue({ state, notBefore }: Row, dueBy: number): boolean {
  return state === 'open' && notBefore <= dueBy;
}

function inOrder(a: Row, b: Row): number {
  return a.dueAt - b.dueAt || a.place - b.place;
}

function stored(rows: readonly Row[], limit: number, now: number): StoredEntry[] {
  return rows
    .toSorted(inOrder)
    .slice(0, limit)
    .map((row) => toStored(row, now));
}

function toStored(row: Row, now: number): StoredEntry {
  const { text, place, state, attempts, notBefore, reason, claims } = row;
  const claimedBy = row.claimedUntil > now ? row.claimedBy : null;
  return { entry: JSON.parse(text) as InboxEntry, place, state, attempts, notBefore, reason, claims, claimedBy };
}
