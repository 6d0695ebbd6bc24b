import { type Effect, effectKinds } from '../../model/effect.ts';
import type { EffectOf, EffectStore } from '../../model/ports/store.ts';
import { eventOf } from '../effect-views.ts';
import { isOwned, type OpenRow, toOpenEffect } from './session.ts';
import type { MemoryTables } from './tables.ts';

export function memoryEffects({ clock, sessions, assertOpen, openRows }: MemoryTables): EffectStore {
  return {
    async list(sessionId) {
      assertOpen();
      return [...(sessions.get(sessionId)?.effects.values() ?? [])].map((text) => JSON.parse(text) as Effect);
    },
    async listOpen({ kind, dueBy, event, after, limit }) {
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
    async claim({ kind, ttlMs, limit }) {
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
    async update(effects, { until, reason }) {
      assertOpen();
      for (const { sessionId, key } of effects) {
        const row = sessions.get(sessionId)?.open.get(key);
        if (row === undefined) continue;
        row.notBefore = until ?? Infinity;
        if (reason !== undefined) row.failed = { times: (row.failed?.times ?? 0) + 1, reason };
      }
    },
  };
}

function addressOf({ sessionId, row: { key } }: { readonly sessionId: string; readonly row: OpenRow }): EffectOf {
  return { sessionId, key };
}

function byAddress(a: EffectOf, b: EffectOf): number {
  if (a.sessionId !== b.sessionId) return a.sessionId < b.sessionId ? -1 : 1;
  return a.key === b.key ? 0 : a.key < b.key ? -1 : 1;
}
