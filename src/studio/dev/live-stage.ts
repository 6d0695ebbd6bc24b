import { FlowError } from '../../model/errors.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { EventStream } from '../event-stream.ts';
import type { FlowShown } from '../../flow/picture/flow-shown.ts';
import type { SwapOutcome } from '../protocol/session-shown.ts';
import type { DevSession, DevSessions } from './dev-sessions.ts';
import type { OpenSession, StageReport, StageSettings } from './stage-calls.ts';
import { type StageProcess, startStage } from './stage-process.ts';
import type { FolderWatch, Saved } from './watch-folders.ts';

/** If the session process dies more often within this time, it is not restarted until a file is saved. */
const mostDeaths = 3;
const deathsWithinMs = 30_000;

/** The session process of a studio. It is replaced when it dies and when code is saved. */
export interface LiveStage {
  /** The last state of the files on disk. */
  readonly report: StageReport;
  /** Resolves when the sessions of a dead process are running again. */
  readonly revived: Promise<void>;
  /** Calls to the current process. */
  readonly call: StageProcess['call'];
  readonly tell: StageProcess['tell'];
  /** Runs work in sequence: saves, deaths and new sessions do not overlap. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Opens a session in its room, or typed. `isExact`: see `OpenSession`. */
  open(session: DevSession, isExact: boolean): Promise<void>;
  /** Releases a session; it stays in the store. */
  leave(session: DevSession): Promise<void>;
  /** Moves a session to the flow on disk. */
  swap(session: DevSession): Promise<SwapOutcome | null>;
  /** Shows another flow of the project: its graph, problems and tests. Throws `flow-unknown` and faults of the project. */
  show(flow: string): Promise<void>;
  /** Reports that the voice server has ended. Its sessions continue by typing. */
  roomsGone(): void;
  /** Reports a file that this studio has saved. */
  saved(file: string, text: string): void;
  stop(): Promise<void>;
}

export interface LiveStageOptions {
  readonly sessions: DevSessions;
  readonly news: EventStream;
  readonly clock: Clock;
  /** The program of the process. */
  readonly program: string;
  readonly settings: StageSettings;
  /** Watches the files of the project. */
  readonly watch: (onSaved: (saved: Saved) => void) => FolderWatch;
  /** Receives each flow that is read from disk. */
  readonly onFlow: (flow: FlowShown) => void;
}

/** Starts the process and opens the project in it. Throws the faults of the project. */
export async function openLiveStage(options: LiveStageOptions): Promise<LiveStage> {
  const { sessions, news, clock, program, settings, onFlow } = options;
  const deaths: number[] = [];
  let watch: FolderWatch | null = null;
  let stage: StageProcess;
  let report: StageReport;
  let shown: { readonly shown?: string } = {};
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
    return await begun.call('begin', { ...settings, ...shown });
  };
  /** Also watches files that were read from other folders. */
  const watchRead = (): void => watch?.also({ flows: report.flowFiles, code: report.modules });
  const take = (found: StageReport): void => {
    report = found;
    watchRead();
    const { flow } = found.news;
    if (flow !== null) onFlow(flow);
    news.put({ type: 'flow', data: found.news });
  };
  /** Publishes a broken project together with the last valid flow. */
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
  /** Continues a session without its room by typing. */
  const typeOn = async (session: DevSession): Promise<void> => {
    // The closed room may have been handled already.
    if (session.room === null || session.isOver) return;
    session.room = null;
    const { sessionId } = session.record;
    sessions.trouble(
      sessionId,
      'voice-lost',
      'The voice call was interrupted because its room was closed. You can continue by typing.',
    );
    await stage.call('leave', sessionId).catch(() => undefined);
    await openOn(session, false).catch((error: unknown) => fail(session, error));
  };
  const fail = (session: DevSession, error: unknown): void => {
    session.by = null;
    sessions.tell(session);
    const why = `The session could not continue: ${textOf(error)} Call back to try again.`;
    sessions.trouble(session.record.sessionId, codeOf(error), why);
  };
  /** All rooms end with their server. */
  const typeAllOn = async (): Promise<void> => {
    for (const session of sessions.connected()) await typeOn(session);
  };
  /** Opens the connected sessions in a new process. */
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
        `The session process keeps ending (${why}). It is restarted when a file is saved.`,
      );
      return;
    }
    sessions.trouble(
      null,
      'worker-gone',
      `The session process ended: ${why}. It is restarted, and stored sessions continue.`,
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
      // The old process is stopped after the new one is started, so that its end is not taken for a death.
      const begun = start();
      // The rejection is awaited below; it may come earlier.
      begun.catch(() => undefined);
      await before.stop();
      take(await begun);
    } catch (error) {
      takeFault(error);
      sessions.trouble(
        null,
        codeOf(error),
        `The code cannot be loaded: ${textOf(error)} Sessions continue when it can.`,
      );
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
    show: (flow) =>
      inTurn(async () => {
        if (!report.names.includes(flow)) throw new FlowError('flow-unknown', 'there is no flow with this name.');
        take(await stage.call('begin', { ...settings, shown: flow }));
        shown = { shown: flow };
      }),
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

/** Checks whether only the room of a session cannot be reached. */
function isRoomFault(error: unknown): boolean {
  return error instanceof FlowError && error.code === 'room-unreachable';
}

function codeOf(error: unknown): string {
  return error instanceof FlowError ? error.code : 'internal';
}

function textOf(error: unknown): string {
  return error instanceof FlowError ? error.message : 'an internal error occurred.';
}
