import { FlowError } from '../../errors.ts';
import type { Clock } from '../../ports/time.ts';
import type { News } from '../news.ts';
import type { FlowShown } from '../../picture/flow-shown.ts';
import type { SwapOutcome } from '../protocol/session-shown.ts';
import type { DevSession, DevSessions } from './dev-sessions.ts';
import type { OpenSession, StageReport, StageSettings } from './stage-calls.ts';
import { type StageProcess, startStage } from './stage-process.ts';
import type { FolderWatch, Saved } from './watch-folders.ts';

/** A process of sessions that dies more often than this within the time is left dead until something is saved. */
const mostDeaths = 3;
const deathsWithinMs = 30_000;

/** The process of the sessions over the life of a studio: another takes its place when it dies, and when code is saved. */
export interface LiveStage {
  /** What was found on disk last. */
  readonly report: StageReport;
  /** Until the sessions live again, whose process has ended. */
  readonly revived: Promise<void>;
  /** Of the process that is there now. */
  readonly call: StageProcess['call'];
  readonly tell: StageProcess['tell'];
  /** Saves, deaths and new sessions are dealt with one after the other. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Opens a session in the room that it has, or typed. `isExact` as of `OpenSession`. */
  open(session: DevSession, isExact: boolean): Promise<void>;
  /** Lets go of a session, which the store keeps. */
  leave(session: DevSession): Promise<void>;
  /** Lets a session go on with its flow as it is on disk now. */
  swap(session: DevSession): Promise<SwapOutcome | null>;
  /** The server of the rooms has ended: whoever was in one goes on typed. */
  roomsGone(): void;
  /** This studio has saved a file with this text. */
  saved(file: string, text: string): void;
  stop(): Promise<void>;
}

export interface LiveStageOptions {
  readonly sessions: DevSessions;
  readonly news: News;
  readonly clock: Clock;
  /** The file that the process runs. */
  readonly program: string;
  readonly settings: StageSettings;
  /** Watches the files of the project. */
  readonly watch: (onSaved: (saved: Saved) => void) => FolderWatch;
  /** Called with each flow that was read from disk. */
  readonly onFlow: (flow: FlowShown) => void;
}

/** Starts the process and opens the project in it. Throws what is wrong with it. */
export async function openLiveStage(options: LiveStageOptions): Promise<LiveStage> {
  const { sessions, news, clock, program, settings, onFlow } = options;
  const deaths: number[] = [];
  let watch: FolderWatch | null = null;
  let stage: StageProcess;
  let report: StageReport;
  let isStopping = false;
  let turn: Promise<unknown> = Promise.resolve();
  let revived: Promise<void> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = turn.then(work);
    turn = done.catch(() => undefined);
    return done;
  };
  const handlers = sessions.handlers((session) => void inTurn(() => typeOn(session)));
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
    if (flow !== null) onFlow(flow);
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
  const openOn = async (session: DevSession, isExact: boolean): Promise<void> => {
    const { record, flow, input, room } = session;
    const opened: OpenSession = {
      ...{ sessionId: record.sessionId, flow, input, isExact },
      room: room === null ? null : { url: room.url, token: room.agentToken, caller: room.caller },
    };
    await stage.call('open', opened);
    session.by = room === null ? 'typed' : 'voice';
    sessions.tell(session);
  };
  const leave = async (session: DevSession): Promise<void> => {
    await stage.call('leave', session.record.sessionId);
    session.by = null;
    session.room = null;
    sessions.tell(session);
  };
  /** A session whose room is gone goes on typed, where it stands. */
  const typeOn = async (session: DevSession): Promise<void> => {
    // Others may have heard of it first.
    if (session.room === null || session.isOver) return;
    session.room = null;
    const { sessionId } = session.record;
    sessions.trouble(
      sessionId,
      'voice-lost',
      'The call by voice has broken off: its room is gone. You can go on by typing.',
    );
    await stage.call('leave', sessionId).catch(() => undefined);
    await openOn(session, false).catch((error: unknown) => fail(session, error));
  };
  const fail = (session: DevSession, error: unknown): void => {
    session.by = null;
    sessions.tell(session);
    const why = `The session could not go on: ${textOf(error)} Call back to try again.`;
    sessions.trouble(session.record.sessionId, codeOf(error), why);
  };
  /** The rooms of a server that has ended are gone with it. */
  const typeAllOn = async (): Promise<void> => {
    for (const session of sessions.connected()) await typeOn(session);
  };
  /** Sessions that somebody is connected to go on in a new process. */
  const reopen = async (connected: readonly DevSession[], isExact: boolean): Promise<void> => {
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
  const revive = async (why: string): Promise<void> => {
    const now = clock.now();
    deaths.push(now);
    const connected = sessions.connected();
    const hangUpAll = (): void => {
      for (const session of connected) {
        session.by = null;
        sessions.tell(session);
      }
    };
    if (deaths.filter((at) => now - at < deathsWithinMs).length > mostDeaths) {
      hangUpAll();
      sessions.trouble(
        null,
        'worker-gone',
        `The process of the sessions has ended again and again (${why}). It is started again once a file is saved.`,
      );
      return;
    }
    sessions.trouble(
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
  const swapOne = async ({ record }: DevSession): Promise<SwapOutcome | null> => {
    const { node = '', flowHash = '' } = record.steps.at(-1) ?? {};
    const outcome: SwapOutcome | null = await stage.call('swap', record.sessionId).catch((error: unknown) => {
      return { at: clock.now(), outcome: 'kept' as const, node, flowHash, why: textOf(error) };
    });
    if (outcome !== null) record.swap(outcome);
    return outcome;
  };
  const swapAll = async (): Promise<void> => {
    for (const session of sessions.connected()) await swapOne(session);
  };
  const reload = async (): Promise<void> => {
    const connected = sessions.connected();
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
      sessions.trouble(null, codeOf(error), `The code cannot be loaded: ${textOf(error)} Sessions go on once it can.`);
      for (const session of connected) sessions.tell(session);
      return;
    }
    await reopen(connected, true);
    await swapAll();
  };
  const takeSaved = (saved: Saved): Promise<void> =>
    inTurn(async () => {
      const isDead = sessions.connected().length === 0 && deaths.length > mostDeaths;
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

  try {
    report = await start();
  } catch (error) {
    isStopping = true;
    await stage!.stop();
    throw error;
  }
  take(report);
  watch = options.watch((saved) => void takeSaved(saved));
  watchRead();
  return {
    get report() {
      return report;
    },
    get revived() {
      return revived;
    },
    call: (name, ...args) => stage.call(name, ...args),
    tell: (name, ...args) => stage.tell(name, ...args),
    inTurn,
    open: openOn,
    leave,
    swap: swapOne,
    roomsGone() {
      if (!isStopping) void inTurn(typeAllOn);
    },
    saved: (file, text) => watch?.saved(file, text),
    async stop() {
      isStopping = true;
      watch?.stop();
      for (const { record } of sessions.connected()) await stage.call('leave', record.sessionId).catch(() => undefined);
      await stage.stop();
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
