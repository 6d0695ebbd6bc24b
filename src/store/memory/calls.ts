import type { JsonObject } from '../../model/json.ts';
import type { CallStore } from '../../model/ports/store.ts';
import { toJsonText } from '../json-text.ts';
import { isOwned } from './session.ts';
import type { MemoryTables } from './tables.ts';

export function memoryCalls({ clock, calls, sessions, assertOpen }: MemoryTables): CallStore {
  return {
    async save({ sessionId, place }, { unlessKept = false } = {}) {
      assertOpen();
      const kept = calls.get(sessionId);
      if (kept !== undefined && unlessKept) return;
      const text = toJsonText(place, 'the place of a call');
      calls.set(sessionId, { place: text, notBefore: kept?.notBefore ?? 0, lostAt: null });
    },
    async list({ ownedBy, limit }) {
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
    async claimLost({ ttlMs, limit }) {
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
    async delete(sessionId) {
      assertOpen();
      calls.delete(sessionId);
    },
  };
}
