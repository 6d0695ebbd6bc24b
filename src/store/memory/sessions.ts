import type { Json } from '../../model/json.ts';
import type { SessionStore } from '../../model/ports/store.ts';
import { leaseLost } from '../sql/commit-texts.ts';
import type { MemoryInbox } from './inbox.ts';
import type { MemoryTables } from './tables.ts';

export function memorySessions(tables: MemoryTables, inbox: Pick<MemoryInbox, 'deleteSession'>): SessionStore {
  const { sessions, consumed, calls, assertOpen } = tables;
  return {
    async get(sessionId) {
      assertOpen();
      const session = sessions.get(sessionId);
      if (session === undefined || session.kept === null) return null;
      const { state, stateVersion, graphHash } = session.kept;
      return { sessionId, seq: session.log.length, stateVersion, graphHash, state: JSON.parse(state) as Json };
    },
    async list({ limit, ...of }) {
      assertOpen();
      const isOf = (id: string, updatedAt: number): boolean => {
        if (of.before !== undefined) return updatedAt < of.before;
        return of.id === undefined ? id.startsWith(of.prefix ?? '') : id === of.id;
      };
      return [...sessions]
        .filter(([sessionId, { kept: committed }]) => isOf(sessionId, committed?.updatedAt ?? 0))
        .flatMap(([sessionId, { kept: committed, lease, log }]) => {
          // Ownership is listed even before the first commit.
          const kept = committed ?? (of.id !== undefined && lease !== null ? { graphHash: '', updatedAt: 0 } : null);
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
    async delete(lease) {
      assertOpen();
      const session = sessions.get(lease.sessionId);
      if (session === undefined || session.lease?.token !== lease.token) throw leaseLost(lease.sessionId);
      // The token is kept, so an older lease is never valid again.
      tables.lastDeleted = Math.max(tables.lastDeleted, session.token);
      sessions.delete(lease.sessionId);
      for (const key of session.inputs) consumed.delete(key);
      calls.delete(lease.sessionId);
      inbox.deleteSession(lease.sessionId);
    },
  };
}
