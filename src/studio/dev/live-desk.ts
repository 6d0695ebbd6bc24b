import { resolve } from 'node:path';
import { FlowError } from '../../model/errors.ts';
import type { Graph } from '../../flow/graph/graph.ts';
import type { Store } from '../../model/ports/store.ts';
import type { Clock, Ids } from '../../model/ports/time.ts';
import type { Files, LiveActions } from '../sessions/desk.ts';
import type { SavedTest, SessionDoor } from '../protocol/acts.ts';
import { graphOfKept } from '../sessions/steps.ts';
import { copySession } from './copy-session.ts';
import { decideWait } from './decide-wait.ts';
import type { DevSession, DevSessions } from './dev-sessions.ts';
import type { LiveKitDoor } from './livekit-door.ts';
import type { LiveStage } from './live-stage.ts';
import type { NodeTestsOf } from './node-tests.ts';

/** The owner of all sessions of a studio, whichever of its processes runs them. */
const owner = 'studio';

export interface LiveDeskOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Paths are shown relative to this folder. */
  readonly root: string;
  readonly sessions: DevSessions;
  readonly stage: LiveStage;
  readonly door: LiveKitDoor;
  readonly files: Files;
  readonly nodeTests: NodeTestsOf;
  readonly graphOf: (hash: string) => Promise<Graph | null>;
  /** Writes a test of a conversation of this flow; the file is null for a flow in code. */
  readonly saveTest: (given: {
    readonly sessionId: string;
    readonly flow: { readonly name: string; readonly file: string | null };
    readonly name: string | null;
  }) => Promise<SavedTest>;
}

/** Creates the operations of the page on the sessions of this machine. */
export function createLiveDesk(options: LiveDeskOptions): LiveActions {
  const { store, clock, ids, root, sessions, stage, door, files, nodeTests, graphOf } = options;
  const doorOf = async (
    session: DevSession,
    by: 'typed' | 'voice' | undefined,
    isExact: boolean,
  ): Promise<SessionDoor> => {
    const { sessionId } = session.record;
    const was = session.by;
    const room = by === 'voice' ? await door.open(sessionId) : null;
    if (was !== null) await stage.leave(session);
    session.room = room;
    try {
      await stage.open(session, isExact);
    } catch (error) {
      // If the room cannot be joined, a typed session continues.
      if (room === null || was === null) throw error;
      session.room = null;
      await stage.open(session, isExact);
      throw error;
    }
    return { sessionId, voice: room === null ? null : { url: room.url, token: room.callerToken, room: room.room } };
  };
  /** Returns the flow on disk; null if it cannot run or is code. */
  const todaysFlow = async (): Promise<Graph | null> => {
    const { isSound, flow } = stage.report.news;
    const graph = isSound && flow !== null ? await graphOfKept(flow.document) : null;
    return graph !== null && graph.hash === flow?.hash ? graph : null;
  };
  const send = async (sessionId: string, text: string, via: 'text' | 'dtmf', eventId: string | undefined) => {
    const { record } = sessions.of(sessionId);
    await stage.revived;
    const outcome = await stage.call('send', sessionId, text, via, eventId ?? ids.create('turn'));
    await record.settled();
    return { outcome };
  };
  return {
    files,
    show: ({ flow }) => stage.show(flow),
    begin: ({ flow = stage.report.names[0] ?? '', input = {}, by }) =>
      stage.inTurn(async () => {
        if (!stage.report.names.includes(flow)) throw new FlowError('flow-unknown', 'there is no flow with this name.');
        const session = sessions.add(ids.create('session'), flow, input);
        try {
          return await doorOf(session, by, false);
        } catch (error) {
          sessions.remove(session);
          throw error;
        }
      }),
    words: (sessionId, { text, eventId }) => send(sessionId, text, 'text', eventId),
    keys: (sessionId, { digits, eventId }) => send(sessionId, digits, 'dtmf', eventId),
    async interrupt(sessionId) {
      sessions.of(sessionId);
      await stage.call('hush', sessionId);
    },
    async hangUp(sessionId) {
      await stage.revived;
      await stage.leave(sessions.of(sessionId));
    },
    callBack: (sessionId, { by }) =>
      stage.inTurn(async () => {
        const session = sessions.of(sessionId);
        const was = session.by;
        if (session.isOver)
          throw new FlowError('session-over', 'the conversation has ended. Fork it from a step, or start another one.');
        if (was === 'typed' && by !== 'voice') return { sessionId, voice: null };
        // A switch to the microphone is not an interruption.
        return await doorOf(session, by, was !== null);
      }),
    async decide(sessionId, given) {
      const session = sessions.of(sessionId);
      await decideWait({ store, clock }, given);
      sessions.tell(session);
    },
    fork: (sessionId, { seq, by, withTodaysFile = false }) =>
      stage.inTurn(async () => {
        const { record, flow, input } = sessions.of(sessionId);
        await record.settled();
        const id = ids.create('session');
        const copied = await copySession({
          store,
          from: sessionId,
          to: id,
          owner,
          positions: record.positions,
          seq,
          graphOf,
          version: withTodaysFile ? await todaysFlow() : null,
          now: clock.now(),
        });
        const session = sessions.add(id, flow, input, { sessionId, seq: copied.seq });
        session.record.grow(await store.steps.list(id), (await store.sessions.get(id))?.state ?? null);
        await session.record.settled();
        const opened = await doorOf(session, by, true);
        const swapped = withTodaysFile ? await stage.swap(session) : null;
        const why = [
          ...(copied.isLater
            ? ['A call was running at that step. The copy continues from the step where it had ended.']
            : []),
          ...(swapped?.outcome === 'kept' ? [`Today's file cannot be used: ${swapped.why}`] : []),
        ];
        return { ...opened, seq: copied.seq, ...(why.length > 0 ? { why: why.join(' ') } : {}) };
      }),
    async saveTest(sessionId, given) {
      const { record, flow } = sessions.of(sessionId);
      await record.settled();
      const file = stage.report.fileOf[flow] ?? null;
      return await options.saveTest({ sessionId, flow: { name: flow, file }, name: given.name ?? null });
    },
    timing(sessionId, timing) {
      sessions.of(sessionId).record.heardInPage(timing);
    },
    request: (id) => sessions.request(id),
    check: ({ path, text }) => stage.call('check', path, text),
    complete: ({ path, text, offset }) => stage.call('complete', path, text, offset),
    hover: ({ path, text, offset }) => stage.call('hover', path, text, offset),
    nodeTests() {
      const { file } = stage.report.news;
      if (file === null) return Promise.resolve({ nodes: {}, why: 'Tests of a flow in code are not played here.' });
      return nodeTests.of(resolve(root, file), files);
    },
  };
}
