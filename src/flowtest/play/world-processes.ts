import { FlowError } from '../../model/errors.ts';
import type { SessionState } from '../../kernel/state/state.ts';
import { readState } from '../../kernel/state/upgrade.ts';
import type { Store } from '../../model/ports/store.ts';
import { createSharedFlows } from '../../runner/shared-flows.ts';
import { createCountingIds } from '../../testing/counting-ids.ts';
import { createVirtualClock, settleLiveKit, type VirtualClock } from '../../testing/virtual-clock.ts';
import type { Writes } from './crash-point.ts';
import { createMortalStore, type MortalStore, type WriteCount } from './mortal-store.ts';
import { createPassing, patienceMs } from './pass-time.ts';
import { type ConversationProcess, openProcess } from './process.ts';
import type { ScenarioRecord } from '../record/record.ts';
import { openScenarioClerk, type ScenarioClerk } from './scenario-clerk.ts';
import type { ToolLedger } from './tool-ledger.ts';
import type { WorldOptions } from './world-options.ts';

/** How a conversation stands between its processes. */
export interface Standing {
  /** The turn of the scenario. */
  turn: number;
  process: ConversationProcess | null;
  /** The point at which a process dies next; null if there is none. */
  crashAt: WorldOptions['crash'];
  hasDied: boolean;
  isAway: boolean;
  /** Only a clerk has the conversation. */
  isLeft: boolean;
  isCallDue: boolean;
  endedBefore: string | null;
  /** The last words of the caller. */
  last: { readonly heard: string; readonly id: string; readonly via: 'text' | 'dtmf' } | null;
  lastState: SessionState | null;
  cancelGrace: () => void;
}

/** The processes of a conversation, one after the other, its clerk, and the time that passes while they work. */
export interface WorldProcesses {
  readonly clock: VirtualClock;
  /** The store itself, and as what neither the call nor the clerk does uses it. */
  readonly store: Store;
  readonly outside: MortalStore;
  readonly ids: ReturnType<typeof createCountingIds>;
  readonly standing: Standing;
  readonly isBusy: boolean;
  readonly writes: Writes;
  /** Throws `not-started`. */
  readonly running: () => ConversationProcess;
  readonly begin: () => Promise<void>;
  /** Waits for this as well before the agent is at rest. */
  readonly follow: (work: Promise<unknown>) => void;
  /** Lets time pass until something is done, or its process has died; false where it never is. */
  readonly passes: (work: Promise<unknown>) => Promise<boolean>;
  /** Begins another process, and another clerk, to replace those that have died. */
  readonly settleDeath: () => Promise<void>;
  /** Waits until the agent is done and was heard; else resolves to the reason. */
  readonly rest: () => Promise<string | null>;
  readonly openClerk: () => void;
  readonly closeClerk: () => Promise<void>;
  /** Looks at what a clerk has made of the conversation. */
  readonly lookAtKept: () => Promise<void>;
  readonly tell: (who: string, words: string) => void;
}

export async function openProcesses(
  options: WorldOptions,
  record: ScenarioRecord,
  ledger: ToolLedger,
): Promise<WorldProcesses> {
  const { sessionId, replies, code } = options;
  const ids = createCountingIds();
  const standing: Standing = {
    ...{ turn: 0, process: null, crashAt: options.crash, hasDied: false, isAway: false, isLeft: false },
    ...{ isCallDue: false, endedBefore: null, last: null, lastState: null, cancelGrace: () => undefined },
  };
  let clerk: ScenarioClerk | null = null;
  let underWay: Promise<unknown> = Promise.resolve();
  let isBusy = false;
  const counts: Record<keyof Writes, WriteCount> = { call: { writes: 0 }, clerk: { writes: 0 } };
  const writers = (): readonly MortalStore[] =>
    [outside, standing.process?.stored, clerk?.stored].filter((stored) => stored !== undefined);
  /** No time passes while a store works for any process; the work behind its answer is done before the next look. */
  const settle = async (): Promise<void> => {
    await settleLiveKit();
    while (writers().some(({ isBusy }) => isBusy)) {
      await Promise.all(writers().map((stored) => stored.quiet()));
      await settleLiveKit();
    }
  };
  const clock = createVirtualClock(options.startAt, settle);
  const store = await options.openStore(clock);
  const outside = createMortalStore(store, null, () => undefined);

  const follow = (work: Promise<unknown>): void => {
    isBusy = true;
    const both = Promise.all([underWay, work]);
    const over = (): void => {
      if (underWay === both) isBusy = false;
    };
    both.then(over, over);
    underWay = both;
  };
  const running = (): ConversationProcess => {
    if (standing.process === null) throw new FlowError('not-started', 'the scenario has not begun.');
    return standing.process;
  };
  const begin = async (): Promise<void> => {
    // A process that goes on with a conversation compiles the kept flow, as another process does.
    const runner = standing.process === null ? options.runner : { ...options.runner, shared: createSharedFlows() };
    const opened = openProcess({
      ...{ clock, store, sessionId, ids, runner, wordMs: options.wordMs, count: counts.call },
      crash: standing.crashAt?.by === 'call' ? standing.crashAt : null,
      toolsOn: (own) => ({
        tools: ledger.toolsFor(own, code.tools, code.realTools),
        handlers: ledger.handlersFor(own, code.handlers, code.realHandlers),
      }),
      modelOn: (own) => options.modelOn(own, replies),
      listener: {
        onSpeech: (heard, interrupted, beganAt) =>
          void record.lines.push({ who: 'agent', text: heard.trim(), at: beganAt, interrupted, turn: standing.turn }),
        onEvent(event) {
          record.events.push({ turn: standing.turn, event });
          if (event.type === 'turn:started' && event.data.via === 'scheduled') tellScheduled(event.scheduleId);
        },
        onRequest: (request) => void record.requests.push({ turn: standing.turn, at: clock.now(), request }),
        onError: () => undefined,
      },
    });
    standing.process = opened;
    const starting = opened.runner.start();
    await passes(starting);
    if (opened.isDead) return;
    await starting;
    underWay = Promise.resolve();
    follow(opened.runner.idle());
  };
  const tell = (who: string, words: string): void =>
    void record.lines.push({ who, text: words, at: clock.now(), interrupted: false, turn: standing.turn });
  const tellScheduled = (id: string | undefined): void => {
    const run = options.schedules.find((one) => one.id === id)?.run;
    tell('schedule', run?.type === 'turn' ? run.text : '(a follow-up)');
  };
  /** Looks at what is kept of the conversation, and why it has ended if so; null where nothing is kept yet. */
  const lookAtStore = async (): Promise<SessionState | null> => {
    const kept = await outside.store.sessions.get(sessionId);
    if (kept === null) return null;
    standing.lastState = readState(kept.state);
    if (standing.lastState.status === 'ended') {
      const events = await outside.store.steps.listEvents(sessionId);
      const end = events.findLast((event) => event.type === 'flow:ended');
      standing.endedBefore = end?.type === 'flow:ended' ? end.data.reason : 'ended';
    }
    return standing.lastState;
  };
  /** A new process goes on with what the one before has kept; the caller says their last words once more. */
  const revive = async (): Promise<void> => {
    standing.hasDied = true;
    if (standing.crashAt?.by === 'call') standing.crashAt = null;
    void standing.process?.session.close().catch(() => undefined);
    const state = await lookAtStore();
    if (state?.status === 'ended') {
      underWay = Promise.resolve();
      isBusy = false;
      return;
    }
    if (standing.isAway) {
      // The line is empty, so that no other process answers: a clerk goes on with what is kept.
      standing.cancelGrace();
      if (state === null) throw new FlowError('not-started', 'the scenario has not begun.');
      standing.isLeft = true;
      underWay = Promise.resolve();
      isBusy = false;
      openClerk();
      return;
    }
    await begin();
    const said = standing.last;
    if (said === null || running().isDead) return;
    await passes(underWay);
    follow(
      running()
        .runner.send(said.heard, { eventId: said.id, via: said.via })
        .then(() => running().runner.idle()),
    );
  };
  const passTime = createPassing({
    ...{ clock, settle, isLive: options.isLive },
    openRequests: () => standing.process?.openRequests ?? 0,
  });
  /** Lets time pass until something is done, or its process has died; false where it never is. */
  const passes = (work: Promise<unknown>, isBrokenOff = (): boolean => false): Promise<boolean> =>
    passTime(work, () => (standing.process?.isDead === true && !standing.isLeft) || isBrokenOff());
  /** Its process has died, and another one is to go on with the call. */
  const isDeadInCall = (): boolean =>
    standing.process?.isDead === true && standing.endedBefore === null && !standing.isLeft;
  const settleDeath = async (): Promise<void> => {
    while (isDeadInCall()) await revive();
    while (clerk?.isDead() === true) await replaceClerk();
  };
  const rest = async (): Promise<string | null> => {
    for (;;) {
      const came = await passes(underWay);
      if (isDeadInCall()) {
        await settleDeath();
        continue;
      }
      if (!came) {
        underWay = Promise.resolve();
        return `the agent did not come to rest within ${patienceMs / 1_000} seconds`;
      }
      if (standing.process?.isDead !== true) await underWay;
      return null;
    }
  };
  const openClerk = (): void => {
    if (clerk !== null) return;
    clerk = openScenarioClerk({
      ...{ clock, store, ids, ledger, code, runner: options.runner, lookEveryMs: options.clerkLooksEveryMs },
      crash: standing.crashAt?.by === 'clerk' ? standing.crashAt : null,
      count: counts.clerk,
      onCallDue: () => (standing.isCallDue = true),
    });
  };
  /**
   * Starts the next clerk after the claims and leases of the dead clerk have expired, because there is no notification
   * of that.
   */
  const replaceClerk = async (): Promise<void> => {
    standing.hasDied = true;
    standing.crashAt = null;
    clerk = null;
    await clock.advance(freeAgainMs);
    openClerk();
    await clock.advance(clerkWithinMs);
  };
  const closeClerk = async (): Promise<void> => {
    if (clerk === null) return;
    const open = clerk;
    const stopping = open.stop();
    await passes(stopping, open.isDead);
    if (open.isDead()) {
      await settleDeath();
      return await closeClerk();
    }
    await stopping;
    clerk = null;
  };
  /** Looks at what a clerk has made of the conversation. */
  const lookAtKept = async (): Promise<void> => {
    if (standing.isLeft) await lookAtStore();
  };

  return {
    ...{
      clock,
      store,
      outside,
      ids,
      standing,
      running,
      begin,
      follow,
      settleDeath,
      rest,
      openClerk,
      closeClerk,
      lookAtKept,
      tell,
    },
    get isBusy() {
      return isBusy;
    },
    get writes() {
      return { call: counts.call.writes, clerk: counts.clerk.writes };
    },
    passes: (work) => passes(work),
  };
}

/** How soon a clerk has carried out what was posted, and calls the person, in milliseconds of virtual time. */
export const clerkWithinMs = 5_000;
/** When what a dead clerk has claimed and owned is free again, in milliseconds of virtual time. */
const freeAgainMs = 40_000;
