import type { Clock } from '../../model/ports/time.ts';
import { storeClosed } from '../sql/commit-texts.ts';
import { newSession, type OpenRow, type Session } from './session.ts';

/** The call of a session: its place as text. */
interface Call {
  place: string;
  notBefore: number;
  lostAt: number | null;
}

/** The data of a memory store. Each text is parsed as the type it was written from. */
export interface MemoryTables {
  readonly clock: Clock;
  readonly sessions: Map<string, Session>;
  /** Time at which each input was consumed. */
  readonly consumed: Map<string, number>;
  readonly graphs: Map<string, string>;
  readonly calls: Map<string, Call>;
  /** Listeners to commits. */
  readonly listeners: Set<() => void>;
  /** The highest token of all deleted sessions. */
  lastDeleted: number;
  /** Number of commits so far. */
  transactions: number;
  isClosed: boolean;
  /** Throws if the store is closed. */
  readonly assertOpen: () => void;
  /** Returns the session, which is new if there is none. */
  readonly sessionOf: (sessionId: string) => Session;
  readonly openRows: (chosen: (row: OpenRow) => boolean) => { sessionId: string; row: OpenRow }[];
}

export function createTables(clock: Clock): MemoryTables {
  const tables: MemoryTables = {
    clock,
    sessions: new Map(),
    consumed: new Map(),
    graphs: new Map(),
    calls: new Map(),
    listeners: new Set(),
    lastDeleted: 0,
    transactions: 0,
    isClosed: false,
    assertOpen() {
      if (tables.isClosed) throw storeClosed();
    },
    sessionOf(sessionId) {
      const found = tables.sessions.get(sessionId);
      if (found !== undefined) return found;
      const session = newSession(tables.lastDeleted);
      tables.sessions.set(sessionId, session);
      return session;
    },
    openRows: (chosen) =>
      [...tables.sessions].flatMap(([sessionId, { open }]) =>
        [...open.values()].filter(chosen).map((row) => ({ sessionId, row })),
      ),
  };
  return tables;
}
