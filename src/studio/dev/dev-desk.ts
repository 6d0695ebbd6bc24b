import { resolve } from 'node:path';
import { FlowError } from '../../errors.ts';
import type { Event } from '../../events/event.ts';
import type { JsonObject } from '../../events/json.ts';
import type { ConversationDocument } from '../../flow/document.ts';
import { isGeneratorDocument } from '../../graph/generator-graph.ts';
import type { Graph } from '../../graph/graph.ts';
import type { StepCommit, Store } from '../../ports/store.ts';
import type { Clock, Ids } from '../../ports/time.ts';
import { against } from '../against.ts';
import type { Desk, Files, LiveDesk } from '../desk.ts';
import { compileKept } from '../fold.ts';
import { flowShown } from '../flow-shown.ts';
import { flowsOfSteps } from '../flows-of-steps.ts';
import { inboxOf } from '../inbox.ts';
import type { News } from '../news.ts';
import type { FlowShown } from '../protocol/flow-shown.ts';
import type { RequestShown } from '../protocol/turn-shown.ts';
import type { SavedTest, SessionDoor } from '../protocol/acts.ts';
import type { SessionShown, SwapOutcome } from '../protocol/session-shown.ts';
import { createSessionRecord, type SessionRecord, sessionShown } from '../session-record.ts';
import { graphOfKept } from '../steps.ts';
import { copySession } from './copy-session.ts';
import { decideWait } from './decide-wait.ts';
import type { LiveKitDoor, RoomKeys } from './livekit-door.ts';
import { createNodeTests } from './node-tests.ts';
import { isStoreMethod } from './remote-store.ts';
import type { OpenSession, StageReport, StageSettings, StudioHandlers } from './stage-calls.ts';
import { type StageProcess, startStage } from './stage-process.ts';
import type { FolderWatch, Saved } from './watch-folders.ts';

/** All sessions of a studio belong to it, whichever of its processes speaks for them. */
const owner = 'studio';
/** A process of sessions that dies more often than this within the time is left dead until something is saved. */
const mostDeaths = 3;
const deathsWithinMs = 30_000;
const mostRequests = 300;

/** What a studio on this machine is made of. */
export interface DevDeskOptions {
  readonly store: Store;
  readonly news: News;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The file that the process of the sessions runs, and with `covering` the one that plays tests. */
  readonly program: string;
  /** Where the studio was started: paths are shown from there. */
  readonly root: string;
  readonly settings: StageSettings;
  /** Of these files that flows are written in. */
  readonly files: (flowFiles: () => readonly string[]) => Files;
  /** Watches the files of the project. */
  readonly watch: (onSaved: (saved: Saved) => void) => FolderWatch;
  readonly door: (lacks: () => string | null) => LiveKitDoor;
  /** Writes a test of a conversation that began in this flow; a null file is of a flow in code. */
  readonly saveTest: (given: {
    readonly sessionId: string;
    readonly flow: { readonly name: string; readonly file: string | null };
    readonly name: string | null;
  }) => Promise<SavedTest>;
}

/** A studio on this machine. */
export interface DevDesk extends Desk {
  readonly live: LiveDesk;
  stop(): Promise<void>;
}

interface Session {
  readonly record: SessionRecord;
  readonly flow: string;
  readonly input: JsonObject;
  readonly from: SessionShown['from'];
  by: 'typed' | 'voice' | null;
  isOver: boolean;
  room: RoomKeys | null;
  /** Events that no commit has kept yet. */
  readonly untold: Event[];
}

/** Opens the project and the process of its sessions. Throws what is wrong with it. */
export async function openDevDesk(options: DevDeskOptions): Promise<DevDesk> {
  const { store, news, clock, ids, program, settings } = options;
  const sessions = new Map<string, Session>();
  const graphs = new Map<string, Promise<Graph | null>>();
  const requests = new Map<string, RequestShown>();
  /** The flow as it stands in the files, by its hash. */
  const shownFlows = new Map<string, FlowShown>();
  const deaths: number[] = [];
  const nodeTests = createNodeTests(program, options.root);
  let watch: FolderWatch | null = null;
  let stage: StageProcess;
  let report: StageReport;
  let isStopping = false;
  /** Saves, deaths and new sessions are dealt with one after the other. */
  let turn: Promise<unknown> = Promise.resolve();
  /** Until the sessions live again, whose process has ended. */
  let revived: Promise<void> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = turn.then(work);
    turn = done.catch(() => undefined);
    return done;
  };

  const graphOf = (hash: string): Promise<Graph | null> => {
    const known = graphs.get(hash);
    if (known !== undefined) return known;
    const made = store.loadGraph(hash).then(graphOfKept);
    graphs.set(hash, made);
    return made;
  };
  const listed = ({ record, from, by, isOver, flow }: Session): SessionShown =>
    sessionShown(record, {
      title: from === undefined ? flow : `${flow}, from step ${from.seq} of ${from.sessionId}`,
      live: isOver ? 'over' : (by ?? 'away'),
      ...(from === undefined ? {} : { from }),
    });
  const tellSession = (session: Session): void => news.put({ type: 'session', data: listed(session) });
  const trouble = (sessionId: string | null, code: string, message: string): void =>
    news.put({ type: 'trouble', data: { sessionId, code, message, at: clock.now() } });
  const sessionOf = (sessionId: string): Session => {
    const session = sessions.get(sessionId);
    if (session !== undefined) return session;
    throw new FlowError('session-unknown', 'there is no such session in this studio.');
  };
  const addSession = (sessionId: string, flow: string, input: JsonObject, from?: SessionShown['from']): Session => {
    const record = createSessionRecord({
      ...{ sessionId, news, clock, graphOf },
      onGrown: () => {
        const own = sessions.get(sessionId);
        if (own === undefined) return;
        const state = own.record.steps.at(-1)?.state;
        own.isOver ||= state?.['status'] === 'ended';
        tellSession(own);
      },
    });
    const session: Session = { record, flow, input, from, by: null, isOver: false, room: null, untold: [] };
    sessions.set(sessionId, session);
    return session;
  };

  const handlers: StudioHandlers = {
    store(method, args) {
      if (!isStoreMethod(store, method)) throw new FlowError('internal', 'a store has no such function.');
      return (store[method] as (...given: readonly unknown[]) => Promise<unknown>).apply(store, [...args]);
    },
    async commit(given) {
      const commit = given as Omit<StepCommit, 'events'>; // Of the same release.
      const session = sessions.get(commit.lease.sessionId);
      const events = session?.untold.splice(0) ?? [];
      await store.commit({ ...commit, events: () => events });
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
      if (reason === 'room-closed') return void inTurn(() => typeOn(session));
      session.by = null;
      session.room = null;
      if (/^(?:store|lease)-/.test(reason))
        trouble(sessionId, reason, 'The conversation could not be kept. Call back to go on.');
      // The last of its log may be on its way.
      void session.record.settled().then(() => tellSession(session));
    },
    threw: (sessionId, message) => trouble(sessionId, 'code-threw', message),
  };

  const start = async (): Promise<StageReport> => {
    const begun = startStage(program, handlers, clock);
    stage = begun;
    void begun.gone.then((why) => {
      if (!isStopping && stage === begun) revived = inTurn(() => revive(why)).catch(() => undefined);
    });
    return await begun.call('begin', settings);
  };
  /** What is read may be elsewhere than what the studio was opened on. */
  const watchRead = (): void => watch?.also({ flows: report.flowFiles, code: report.modules });
  const take = (found: StageReport): void => {
    report = found;
    watchRead();
    const { flow } = found.news;
    if (flow !== null) shownFlows.set(flow.hash, flow);
    news.put({ type: 'flow', data: found.news });
  };
  /** What a broken project is told by, with the last sound flow. */
  const takeFault = (error: unknown): void => {
    const { code, message } = error instanceof FlowError ? error : { code: 'file-broken', message: String(error) };
    const problem = {
      code,
      severity: 'error' as const,
      message,
      file: settings.config ?? settings.flow ?? '',
      line: null,
      column: null,
      path: '',
      node: null,
      fixes: [],
    };
    report = { ...report, news: { ...report.news, isSound: false, problems: [problem] } };
    news.put({ type: 'flow', data: report.news });
  };
  const openOn = async (session: Session, isExact: boolean): Promise<void> => {
    const { record, flow, input, room } = session;
    const opened: OpenSession = {
      ...{ sessionId: record.sessionId, flow, input, isExact },
      room: room === null ? null : { url: room.url, token: room.agentToken, caller: room.caller },
    };
    await stage.call('open', opened);
    session.by = room === null ? 'typed' : 'voice';
    tellSession(session);
  };
  /** A session whose room is gone goes on typed, where it stands. */
  const typeOn = async (session: Session): Promise<void> => {
    // Others may have heard of it first.
    if (session.room === null || session.isOver) return;
    session.room = null;
    const { sessionId } = session.record;
    trouble(sessionId, 'voice-lost', 'The call by voice has broken off: its room is gone. You can go on by typing.');
    await stage.call('leave', sessionId).catch(() => undefined);
    await openOn(session, false).catch((error: unknown) => fail(session, error));
  };
  const fail = (session: Session, error: unknown): void => {
    session.by = null;
    tellSession(session);
    const why = `The session could not go on: ${textOf(error)} Call back to try again.`;
    trouble(session.record.sessionId, codeOf(error), why);
  };
  /** The rooms of a server that has ended are gone with it. */
  const typeAllOn = async (): Promise<void> => {
    for (const session of connectedNow()) await typeOn(session);
  };
  /** Sessions that somebody is connected to go on in a new process. */
  const reopen = async (connected: readonly Session[], isExact: boolean): Promise<void> => {
    for (const session of connected) {
      if (session.isOver) continue;
      try {
        await openOn(session, isExact);
      } catch (error) {
        if (isRoomFault(error)) await typeOn(session);
        else fail(session, error);
      }
    }
  };
  const connectedNow = (): Session[] => [...sessions.values()].filter(({ by, isOver }) => by !== null && !isOver);
  const revive = async (why: string): Promise<void> => {
    const now = clock.now();
    deaths.push(now);
    const connected = connectedNow();
    const hangUpAll = (): void => {
      for (const session of connected) {
        session.by = null;
        tellSession(session);
      }
    };
    if (deaths.filter((at) => now - at < deathsWithinMs).length > mostDeaths) {
      hangUpAll();
      trouble(
        null,
        'worker-gone',
        `The process of the sessions has ended again and again (${why}). It is started again once a file is saved.`,
      );
      return;
    }
    trouble(
      null,
      'worker-gone',
      `The process of the sessions has ended: ${why}. It is started again, and what was kept goes on.`,
    );
    try {
      take(await start());
      await reopen(connected, false);
    } catch (error) {
      hangUpAll();
      takeFault(error);
    }
  };
  const swapOne = async ({ record }: Session): Promise<void> => {
    const { node = '', flowHash = '' } = record.steps.at(-1) ?? {};
    const outcome: SwapOutcome | null = await stage.call('swap', record.sessionId).catch((error: unknown) => {
      return { at: clock.now(), outcome: 'kept' as const, node, flowHash, why: textOf(error) };
    });
    if (outcome !== null) record.swap(outcome);
  };
  const swapAll = async (): Promise<void> => {
    for (const session of connectedNow()) await swapOne(session);
  };
  const reload = async (): Promise<void> => {
    const connected = connectedNow();
    const before = stage;
    for (const { record } of connected) await before.call('leave', record.sessionId).catch(() => undefined);
    for (const session of connected) session.by = null;
    try {
      // The old one goes only once the new one has been started: a death is not an end.
      const begun = start();
      // It may fail before the old one is gone, and is asked about only then.
      begun.catch(() => undefined);
      await before.stop();
      take(await begun);
    } catch (error) {
      takeFault(error);
      trouble(null, codeOf(error), `The code cannot be loaded: ${textOf(error)} Sessions go on once it can.`);
      for (const session of connected) tellSession(session);
      return;
    }
    await reopen(connected, true);
    await swapAll();
  };

  try {
    report = await start();
  } catch (error) {
    isStopping = true;
    await stage!.stop();
    throw error;
  }
  take(report);
  const door = options.door(() => report.voiceLacks);
  door.onGone(() => {
    if (!isStopping) void inTurn(typeAllOn);
  });
  const stopWatching = store.watch(() => stage.tell('changed'));
  const stopInbox = store.watchInbox((sessionId) => {
    stage.tell('posted', sessionId);
    // Pages look at the inbox again.
    const session = sessionId === null ? undefined : sessions.get(sessionId);
    if (session !== undefined) tellSession(session);
  });

  const doorOf = async (
    session: Session,
    by: 'typed' | 'voice' | undefined,
    isExact: boolean,
  ): Promise<SessionDoor> => {
    const { sessionId } = session.record;
    const was = session.by;
    const room = by === 'voice' ? await door.open(sessionId) : null;
    if (was !== null) await leave(session);
    session.room = room;
    try {
      await openOn(session, isExact);
    } catch (error) {
      // Where no room can be entered, whoever was typing goes on so.
      if (room === null || was === null) throw error;
      session.room = null;
      await openOn(session, isExact);
      throw error;
    }
    return { sessionId, voice: room === null ? null : { url: room.url, token: room.callerToken, room: room.room } };
  };
  const leave = async (session: Session): Promise<void> => {
    await stage.call('leave', session.record.sessionId);
    session.by = null;
    session.room = null;
    tellSession(session);
  };
  const send = async (sessionId: string, text: string, via: 'text' | 'dtmf', eventId: string | undefined) => {
    const { record } = sessionOf(sessionId);
    await revived;
    const outcome = await stage.call('send', sessionId, text, via, eventId ?? ids.create('turn'));
    await record.settled();
    return { outcome };
  };
  const files = options.files(() => report.flowFiles);
  const live: LiveDesk = {
    files: {
      ...files,
      save(path, text, etag) {
        const outcome = files.save(path, text, etag);
        if ('saved' in outcome) watch?.saved(resolve(options.root, path), text);
        return outcome;
      },
    },
    begin: ({ flow = report.names[0] ?? '', input = {}, by }) =>
      inTurn(async () => {
        if (!report.names.includes(flow)) throw new FlowError('flow-unknown', 'there is no flow of this name here.');
        const session = addSession(ids.create('session'), flow, input);
        try {
          return await doorOf(session, by, false);
        } catch (error) {
          sessions.delete(session.record.sessionId);
          throw error;
        }
      }),
    words: (sessionId, { text, eventId }) => send(sessionId, text, 'text', eventId),
    keys: (sessionId, { digits, eventId }) => send(sessionId, digits, 'dtmf', eventId),
    async interrupt(sessionId) {
      sessionOf(sessionId);
      await stage.call('hush', sessionId);
    },
    async hangUp(sessionId) {
      await revived;
      await leave(sessionOf(sessionId));
    },
    callBack: (sessionId, { by }) =>
      inTurn(async () => {
        const session = sessionOf(sessionId);
        const was = session.by;
        if (session.isOver)
          throw new FlowError('session-over', 'the conversation has ended. Fork it from a step, or begin another one.');
        if (was === 'typed' && by !== 'voice') return { sessionId, voice: null };
        // Whoever only takes up the microphone was not cut off.
        return await doorOf(session, by, was !== null);
      }),
    async decide(sessionId, given) {
      const session = sessionOf(sessionId);
      await decideWait({ store, clock }, given);
      tellSession(session);
    },
    fork: (sessionId, { seq, by, withTodaysFile = false }) =>
      inTurn(async () => {
        const { record, flow, input } = sessionOf(sessionId);
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
        });
        const session = addSession(id, flow, input, { sessionId, seq: copied.seq });
        session.record.grow(await store.readLog(id), (await store.loadSnapshot(id))?.state ?? null);
        await session.record.settled();
        const opened = await doorOf(session, by, true);
        if (withTodaysFile) await swapOne(session);
        return {
          ...opened,
          seq: copied.seq,
          ...(copied.isLater ? { why: 'A call was under way at that step: the copy goes on where it had ended.' } : {}),
        };
      }),
    async saveTest(sessionId, given) {
      const { record, flow } = sessionOf(sessionId);
      await record.settled();
      const file = report.fileOf[flow] ?? null;
      return await options.saveTest({ sessionId, flow: { name: flow, file }, name: given.name ?? null });
    },
    timing(sessionId, timing) {
      sessionOf(sessionId).record.heardInPage(timing);
    },
    request: (id) => requests.get(id) ?? null,
    check: ({ path, text }) => stage.call('check', path, text),
    complete: ({ path, text, offset }) => stage.call('complete', path, text, offset),
    hover: ({ path, text, offset }) => stage.call('hover', path, text, offset),
    nodeTests() {
      const { file } = report.news;
      if (file === null)
        return Promise.resolve({ nodes: {}, why: 'A flow in code has no tests that are played here.' });
      return nodeTests.of(resolve(options.root, file), live.files);
    },
  };
  const takeSaved = (saved: Saved): Promise<void> =>
    inTurn(async () => {
      const isDead = connectedNow().length === 0 && deaths.length > mostDeaths;
      if (saved === 'code' || isDead) {
        deaths.length = 0;
        return await reload();
      }
      try {
        take(await stage.call('read'));
      } catch (error) {
        return takeFault(error);
      }
      if (report.news.isSound) await swapAll();
    });
  watch = options.watch((saved) => void takeSaved(saved));
  watchRead();
  const flowOf = async (hash: string): Promise<FlowShown | null> => {
    const known = shownFlows.get(hash);
    if (known !== undefined) return known;
    const graph = await graphOf(hash);
    if (graph === null) return null;
    const shown = flowShown(graph, null, graph.generator === null);
    shownFlows.set(hash, shown);
    return shown;
  };
  return {
    live,
    flow: flowOf,
    connects: door.connects,
    async about() {
      const { news: flow, names, model, pretended, notes } = report;
      return {
        ...{ mode: 'dev', flow, flows: names, model, pretended, notes, voice: door.offer },
        may: { talk: true, edit: true, fork: true, reveal: false, saveTest: true },
      };
    },
    async sessions() {
      return [...sessions.values()].map(listed).toReversed();
    },
    async detail(sessionId) {
      const session = sessions.get(sessionId);
      if (session === undefined) return null;
      const { record } = session;
      await record.settled();
      const flows = await flowsOfSteps(record.steps, flowOf);
      const isFoldable =
        record.positions.length === record.steps.length &&
        record.steps.every(({ flowHash }) => flows[flowHash]?.isFoldable === true);
      const { steps, events, lines, turns, swaps } = record;
      return {
        ...{ session: listed(session), isMasked: false, flows, folds: isFoldable ? 'page' : 'server' },
        ...{ steps: [...steps], events: [...events], lines, turns, swaps: [...swaps] },
      };
    },
    inbox: (sessionId) => inboxOf(store, sessionId),
    newsOf: () => news,
    follow: () => () => undefined,
    async against(sessionId) {
      const { record } = sessionOf(sessionId);
      await record.settled();
      const { news: flow } = report;
      if (!flow.isSound || flow.flow === null)
        throw new FlowError('flow-invalid', 'the flow on disk cannot run. Mend its problems first.');
      const document = flow.flow.document as unknown as ConversationDocument | null; // The flow's own.
      const other = document === null || isGeneratorDocument(document) ? null : await compileKept(document);
      if (other === null)
        throw new FlowError(
          'copy-impossible',
          'a flow in code, or with node types of a pack, cannot be replayed here.',
        );
      const log = await store.readLog(sessionId);
      return await against({ sessionId, log, graphOf, other, shown: flow.flow });
    },
    async stop() {
      isStopping = true;
      watch?.stop();
      stopWatching();
      stopInbox();
      nodeTests.stop();
      for (const { record } of connectedNow()) await stage.call('leave', record.sessionId).catch(() => undefined);
      await stage.stop();
      await door.stop();
    },
  };
}

/** Whether only the room of a session is out of reach, and not the session. */
function isRoomFault(error: unknown): boolean {
  return error instanceof FlowError && error.code === 'room-unreachable';
}

function codeOf(error: unknown): string {
  return error instanceof FlowError ? error.code : 'internal';
}

function textOf(error: unknown): string {
  return error instanceof FlowError ? error.message : 'something failed that should not.';
}
