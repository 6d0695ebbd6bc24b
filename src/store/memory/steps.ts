import { isShared } from '../../model/effect.ts';
import type { Event } from '../../model/events/event.ts';
import type { LoggedSignal, StepStore } from '../../model/ports/store.ts';
import { commitTexts, conflict, leaseLost } from '../sql/commit-texts.ts';
import type { MemoryInbox } from './inbox.ts';
import { eventTextsFrom, keepEvents } from './session.ts';
import type { MemoryTables } from './tables.ts';

export function memorySteps(tables: MemoryTables, inbox: Pick<MemoryInbox, 'change'>): StepStore {
  const { clock, sessions, consumed, assertOpen, sessionOf } = tables;
  return {
    async create(commit) {
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
      tables.transactions += 1;
      inbox.change(texts.inputKeys, texts.inbox);
      if (texts.intends) for (const listener of tables.listeners) listener();
    },
    async list(sessionId, fromSeq = 1) {
      assertOpen();
      const log = sessions.get(sessionId)?.log ?? [];
      return log.slice(Math.max(fromSeq, 1) - 1).map((text) => JSON.parse(text) as LoggedSignal);
    },
    async listEvents(sessionId, fromSeq = 0) {
      assertOpen();
      const session = sessions.get(sessionId);
      if (session === undefined) return [];
      return eventTextsFrom(session, fromSeq).map((text) => JSON.parse(text) as Event);
    },
  };
}
