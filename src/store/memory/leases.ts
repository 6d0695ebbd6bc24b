import type { LeaseStore } from '../../model/ports/store.ts';
import { isOwned } from './session.ts';
import type { MemoryTables } from './tables.ts';

export function memoryLeases({ clock, sessions, assertOpen, sessionOf }: MemoryTables): LeaseStore {
  return {
    async acquire({ sessionId, owner, ttlMs, from = owner }) {
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
    async renew(lease, ttlMs) {
      assertOpen();
      const session = sessions.get(lease.sessionId);
      if (session?.lease?.token !== lease.token) return null;
      session.leaseMs = ttlMs;
      session.lease = Object.freeze({ ...session.lease, owner: lease.owner, expiresAt: clock.now() + ttlMs });
      return session.lease;
    },
    async release(lease) {
      assertOpen();
      const session = sessions.get(lease.sessionId);
      if (session?.lease?.token === lease.token) session.lease = null;
    },
  };
}
