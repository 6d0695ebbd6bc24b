import { FlowError } from '../../model/errors.ts';
import type { Event } from '../../model/events/event.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Graph } from '../../flow/graph/graph.ts';
import type { StepCommit, Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { EventStream } from '../event-stream.ts';
import type { SessionShown } from '../protocol/session-shown.ts';
import type { RequestShown } from '../protocol/turn-shown.ts';
import { createSessionRecord, type SessionRecord, sessionShown } from '../sessions/session-record.ts';
import type { RoomKeys } from './livekit-door.ts';
import { storeFunction } from './remote-store.ts';
import type { StudioHandlers } from './stage-calls.ts';

/** A session of a studio on this machine. */
export interface DevSession {
  readonly record: SessionRecord;
  readonly flow: string;
  readonly input: JsonObject;
  readonly from: SessionShown['from'];
  /** How the caller is connected; null if there is no caller. */
  by: 'typed' | 'voice' | null;
  isOver: boolean;
  room: RoomKeys | null;
}

/** The sessions of a studio on this machine, and their events for pages. */
export interface DevSessions {
  /** In the order of their start. */
  all(): readonly DevSession[];
  /** The sessions with a connected caller. */
  connected(): readonly DevSession[];
  find(sessionId: string): DevSession | undefined;
  /** Throws `session-unknown`. */
  of(sessionId: string): DevSession;
  add(sessionId: string, flow: string, input: JsonObject, from?: SessionShown['from']): DevSession;
  remove(session: DevSession): void;
  shown(session: DevSession): SessionShown;
  /** Publishes the line of a session. */
  tell(session: DevSession): void;
  /** Publishes a problem of a session, or of all sessions (null). */
  trouble(sessionId: string | null, code: string, message: string): void;
  /** Returns a model request; null if it is no longer stored. */
  request(id: string): RequestShown | null;
  /**
   * Handles messages of the session process. `onRoomClosed` is called if the room of a session is closed while the
   * session continues.
   */
  handlers(onRoomClosed: (session: DevSession) => void): StudioHandlers;
}

export interface DevSessionsOptions {
  readonly store: Store;
  readonly news: EventStream;
  readonly clock: Clock;
  readonly graphOf: (hash: string) => Promise<Graph | null>;
}

interface KeptSession extends DevSession {
  /** Events that are not part of a commit yet. */
  readonly untold: Event[];
}

const mostRequests = 300;

/** Creates an empty list of sessions. */
export function createDevSessions({ store, news, clock, graphOf }: DevSessionsOptions): DevSessions {
  const sessions = new Map<string, KeptSession>();
  const requests = new Map<string, RequestShown>();
  const shown = ({ record, from, by, isOver, flow }: DevSession): SessionShown =>
    sessionShown(record, {
      title: from === undefined ? flow : `${flow}, from step ${from.seq} of ${from.sessionId}`,
      live: isOver ? 'over' : (by ?? 'away'),
      ...(from === undefined ? {} : { from }),
    });
  const tell = (session: DevSession): void => news.put({ type: 'session', data: shown(session) });
  const trouble = (sessionId: string | null, code: string, message: string): void =>
    news.put({ type: 'trouble', data: { sessionId, code, message, at: clock.now() } });
  return {
    all: () => [...sessions.values()],
    connected: () => [...sessions.values()].filter(({ by, isOver }) => by !== null && !isOver),
    find: (sessionId) => sessions.get(sessionId),
    of(sessionId) {
      const session = sessions.get(sessionId);
      if (session !== undefined) return session;
      throw new FlowError('session-unknown', 'there is no such session in this studio.');
    },
    add(sessionId, flow, input, from) {
      const record = createSessionRecord({
        ...{ sessionId, news, clock, graphOf },
        onGrown: () => {
          const own = sessions.get(sessionId);
          if (own === undefined) return;
          const state = own.record.steps.at(-1)?.state;
          own.isOver ||= state?.['status'] === 'ended';
          tell(own);
        },
      });
      const session: KeptSession = { record, flow, input, from, by: null, isOver: false, room: null, untold: [] };
      sessions.set(sessionId, session);
      return session;
    },
    remove: ({ record }) => void sessions.delete(record.sessionId),
    shown,
    tell,
    trouble,
    request: (id) => requests.get(id) ?? null,
    handlers: (onRoomClosed) => ({
      store(noun, verb, args) {
        const work = storeFunction(store, noun, verb);
        if (work === null) throw new FlowError('internal', 'a store has no such function.');
        return work(...args);
      },
      async commit(given) {
        const commit = given as Omit<StepCommit, 'events'>; // Both processes have the same release.
        const session = sessions.get(commit.lease.sessionId);
        const events = session?.untold.splice(0) ?? [];
        await store.steps.create({ ...commit, events: () => events });
        session?.record.grow(commit.signals, commit.state);
      },
      told(event) {
        const session = sessions.get(event.sessionId);
        session?.untold.push(event);
        session?.record.tell(event);
      },
      piece: (sessionId, text) => sessions.get(sessionId)?.record.hear(text),
      request(sessionId, request) {
        requests.set(request.id, { ...request, sessionId });
        if (requests.size > mostRequests) requests.delete(requests.keys().next().value ?? '');
        sessions.get(sessionId)?.record.asked(request);
      },
      over(sessionId, reason) {
        const session = sessions.get(sessionId);
        if (session === undefined) return;
        if (reason === 'room-closed') return onRoomClosed(session);
        session.by = null;
        session.room = null;
        if (/^(?:store|lease)-/.test(reason))
          trouble(sessionId, reason, 'The conversation could not be stored. Call back to continue.');
        // The end of the log may still be on its way.
        void session.record.settled().then(() => tell(session));
      },
      threw: (sessionId, message) => trouble(sessionId, 'code-threw', message),
    }),
  };
}
