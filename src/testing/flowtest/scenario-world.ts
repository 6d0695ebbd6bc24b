import type { llm } from '@livekit/agents';
import { FlowError } from '../../errors.ts';
import type { SessionState } from '../../kernel/state.ts';
import { readState } from '../../kernel/upgrade.ts';
import type { FunctionTool } from '../../livekit/tools/function-tool.ts';
import type { Handler } from '../../livekit/tools/run-function.ts';
import type { Store } from '../../ports/store.ts';
import { changeSchedule } from '../../people/schedules/keep-schedules.ts';
import type { Schedule } from '../../people/schedules/schedule.ts';
import type { Clock } from '../../ports/time.ts';
import { systemCivilTime } from '../../system.ts';
import { createSharedFlows } from '../../runner/shared-flows.ts';
import { createCountingIds } from '../counting-ids.ts';
import { createVirtualClock, settleLiveKit, type VirtualClock } from '../virtual-clock.ts';
import type { ModelReply, ToolStandIn } from './document.ts';
import type { CrashPoint, Writes } from './crash-point.ts';
import { createMortalStore, type MortalStore, type WriteCount } from './mortal-store.ts';
import { type ConversationProcess, openProcess, type ProcessOptions } from './process.ts';
import { createPassing, patienceMs } from './pass-time.ts';
import { createRecord, type ScenarioRecord } from './record.ts';
import { openScenarioClerk, type ScenarioClerk } from './scenario-clerk.ts';
import type { ScriptedReplies } from './scripted-replies.ts';
import { createToolLedger, type ToolLedger } from './tool-ledger.ts';

export interface WorldOptions {
  readonly sessionId: string;
  readonly startAt: number;
  readonly openStore: (clock: Clock) => Promise<Store>;
  readonly runner: ProcessOptions['runner'];
  /** What the flow asks of code, and what there is of it. */
  readonly code: {
    readonly tools: readonly string[];
    readonly handlers: readonly string[];
    readonly realTools: readonly FunctionTool[];
    readonly realHandlers: Readonly<Record<string, Handler>>;
    readonly writing: ReadonlySet<string>;
  };
  /** Turns that come at a time. */
  readonly schedules: readonly Schedule[];
  /** How often a clerk looks for work that nothing tells it of, in milliseconds of virtual time. */
  readonly clerkLooksEveryMs: number | undefined;
  readonly standIns: Readonly<Record<string, ToolStandIn>>;
  readonly replies: ScriptedReplies;
  readonly modelOn: (clock: Clock, replies: ScriptedReplies) => llm.LLM;
  readonly wordMs: () => number;
  /** How long a caller who hung up is waited for, in milliseconds. */
  readonly graceMs: number;
  /** Where the process of the call, or the clerk, dies for the first time; null where none does. */
  readonly crash: CrashPoint | null;
  /** Whether what is waited for takes real time, as a model behind a network does. */
  readonly isLive: boolean;
}

/** The world of one run of a scenario: its time, its store, its tools, its caller, and one process after the other. */
export interface ScenarioWorld {
  readonly clock: VirtualClock;
  readonly store: Store;
  readonly sessionId: string;
  readonly record: ScenarioRecord;
  readonly ledger: ToolLedger;
  readonly replies: ScriptedReplies;
  readonly state: SessionState;
  readonly ended: string | null;
  readonly language: string;
  /** The same, also once the world is closed. */
  readonly lastState: SessionState;
  readonly lastEnded: string | null;
  /** Tools that change the world, as the flow says. */
  readonly writing: ReadonlySet<string>;
  readonly isThere: boolean;
  readonly isCallDue: boolean;
  /** Whether the process has died where it was to. */
  readonly hasDied: boolean;
  /** Writes into the store so far. */
  readonly writes: Writes;
  /** Of the wait that was decided last. */
  decidedKey: string | null;
  begin(turn: number, replies: readonly ModelReply[], tools: Readonly<Record<string, ToolStandIn>>): void;
  start(): Promise<void>;
  /** Waits until the agent has done what it does, and was heard. Tells why it did not, if so. */
  rest(): Promise<string | null>;
  /** Waits for the first word, or until there is none to come. */
  beginSpeaking(): Promise<string | null>;
  /** Lets the agent speak until it is to be interrupted; false where it has finished before. */
  listen(afterMs: number | null, afterWords: number): Promise<boolean>;
  hush(): Promise<void>;
  /** The caller says something, of which `heard` is understood. Tells why that cannot be, if so. */
  say(words: string, heard: string, id: string, via: 'text' | 'dtmf'): string | null;
  sayOther(who: string, words: string): void;
  tell(who: string, words: string): void;
  pass(ms: number): Promise<void>;
  hangUp(): Promise<string | null>;
  callBack(): Promise<string | null>;
  crash(): void;
  /** Does something that takes real time beside the conversation. */
  outside<Result>(work: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export async function openWorld(options: WorldOptions): Promise<ScenarioWorld> {
  const { sessionId, replies, graceMs, code } = options;
  const record = createRecord();
  const ledger = createToolLedger();
  ledger.standIn(options.standIns);
  const ids = createCountingIds();
  let turn = 0;
  let process: ConversationProcess | null = null;
  const writers = (): readonly MortalStore[] =>
    [outside, process?.stored, clerk?.stored].filter((stored) => stored !== undefined);
  /** No time passes while a store works, whoever asked it; what follows its answer happens before that is looked at again. */
  const settle = async (): Promise<void> => {
    await settleLiveKit();
    while (writers().some(({ isBusy }) => isBusy)) {
      await Promise.all(writers().map((stored) => stored.quiet()));
      await settleLiveKit();
    }
  };
  let clerk: ScenarioClerk | null = null;
  const clock = createVirtualClock(options.startAt, settle);
  const store = await options.openStore(clock);
  /** What neither the call nor the clerk does: decisions, schedules, and looks at what is kept. */
  const outside = createMortalStore(store, null, () => undefined);
  let crashAt = options.crash;
  let hasDied = false;
  const counts: Record<keyof Writes, WriteCount> = { call: { writes: 0 }, clerk: { writes: 0 } };
  let isAway = false;
  /** Nobody has the conversation but a clerk. */
  let isLeft = false;
  let isCallDue = false;
  let endedBefore: string | null = null;
  let cancelGrace = (): void => undefined;
  let underWay: Promise<unknown> = Promise.resolve();
  let isBusy = false;
  let last: { readonly heard: string; readonly id: string; readonly via: 'text' | 'dtmf' } | null = null;
  let lastState: SessionState | null = null;
  let closedAs: { readonly state: SessionState; readonly ended: string | null } | null = null;

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
    if (process === null) throw new FlowError('not-started', 'the scenario has not begun.');
    return process;
  };
  const begin = async (): Promise<void> => {
    // Whoever goes on with a conversation compiles what is kept of its flow, as another process does.
    const runner = process === null ? options.runner : { ...options.runner, shared: createSharedFlows() };
    const opened = openProcess({
      ...{ clock, store, sessionId, ids, runner, wordMs: options.wordMs, count: counts.call },
      crash: crashAt?.by === 'call' ? crashAt : null,
      toolsOn: (own) => ({
        tools: ledger.toolsFor(own, code.tools, code.realTools),
        handlers: ledger.handlersFor(own, code.handlers, code.realHandlers),
      }),
      modelOn: (own) => options.modelOn(own, replies),
      listener: {
        onSpeech: (heard, interrupted, beganAt) =>
          void record.lines.push({ who: 'agent', text: heard.trim(), at: beganAt, interrupted, turn }),
        onEvent(event) {
          record.events.push({ turn, event });
          if (event.type === 'turn:started' && event.data.via === 'scheduled') tellScheduled(event.scheduleId);
        },
        onRequest: (request) => void record.requests.push({ turn, at: clock.now(), request }),
        onError: () => undefined,
      },
    });
    process = opened;
    const starting = opened.runner.start();
    await passes(starting);
    if (opened.isDead) return;
    await starting;
    underWay = Promise.resolve();
    follow(opened.runner.idle());
  };
  const tellScheduled = (id: string | undefined): void => {
    const run = options.schedules.find((one) => one.id === id)?.run;
    world.tell('schedule', run?.type === 'turn' ? run.text : '(a follow-up)');
  };
  /** Looks at what is kept of the conversation, and why it has ended if so; null where nothing is kept yet. */
  const lookAtStore = async (): Promise<SessionState | null> => {
    const kept = await outside.store.loadSnapshot(sessionId);
    if (kept === null) return null;
    lastState = readState(kept.state);
    if (lastState.status === 'ended') {
      const events = await outside.store.readEvents(sessionId);
      const end = events.findLast((event) => event.type === 'flow:ended');
      endedBefore = end?.type === 'flow:ended' ? end.data.reason : 'ended';
    }
    return lastState;
  };
  /** A new process goes on with what the one before has kept; the caller says their last words once more. */
  const revive = async (): Promise<void> => {
    hasDied = true;
    if (crashAt?.by === 'call') crashAt = null;
    void process?.session.close().catch(() => undefined);
    const state = await lookAtStore();
    if (state?.status === 'ended') {
      underWay = Promise.resolve();
      isBusy = false;
      return;
    }
    if (isAway) {
      // Nobody is on the line for whom another process would answer: a clerk goes on with what is kept.
      cancelGrace();
      if (state === null) throw new FlowError('not-started', 'the scenario has not begun.');
      isLeft = true;
      underWay = Promise.resolve();
      isBusy = false;
      if (clerk === null) openClerk();
      return;
    }
    await begin();
    const said = last;
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
    openRequests: () => process?.openRequests ?? 0,
  });
  /** Lets time pass until something is done, or its process has died; false where it never is. */
  const passes = (work: Promise<unknown>, isBrokenOff = (): boolean => false): Promise<boolean> =>
    passTime(work, () => (process?.isDead === true && !isLeft) || isBrokenOff());
  /** Its process has died, and another one is to go on with the call. */
  const isDeadInCall = (): boolean => process?.isDead === true && endedBefore === null && !isLeft;
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
      if (process?.isDead !== true) await underWay;
      return null;
    }
  };
  const unheardBy = (): string | null =>
    endedBefore === null ? null : `the conversation has ended before (${endedBefore})`;
  const unheard = (): string | null => {
    const reason = world.ended;
    if (reason !== null) return `the conversation has ended before (${reason})`;
    return isAway ? 'the caller is not on the line: call_back first' : null;
  };
  const openClerk = (): void => {
    clerk = openScenarioClerk({
      ...{ clock, store, ids, ledger, code, runner: options.runner, lookEveryMs: options.clerkLooksEveryMs },
      crash: crashAt?.by === 'clerk' ? crashAt : null,
      count: counts.clerk,
      onCallDue: () => (isCallDue = true),
    });
  };
  /** The next clerk comes once what the dead one has claimed and owned is free: nothing would tell it of that. */
  const replaceClerk = async (): Promise<void> => {
    hasDied = true;
    crashAt = null;
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
    if (isLeft) await lookAtStore();
  };
  const stopped = (): void => {
    const { runner, session } = running();
    lastState = runner.state;
    if (runner.state.status !== 'active') return void session.close().catch(() => undefined);
    isLeft = true;
    if (clerk === null) openClerk();
    void session.close().catch(() => undefined);
  };

  const isAtWork = (): boolean => running().ended === null && !running().isDead;
  // What keeps the time of schedules goes on while somebody is on the line.
  const keepsTime = options.schedules.length > 0 || options.runner.followUps !== undefined;
  const putSchedule = (schedule: Schedule): Promise<unknown> =>
    changeSchedule({ store: outside.store, clock, ids, civil: systemCivilTime }, schedule.id, {
      type: 'put',
      schedule,
      origin: 'config',
    });

  const world: ScenarioWorld = {
    clock,
    store: outside.store,
    sessionId,
    record,
    ledger,
    replies,
    decidedKey: null,
    get state() {
      return (endedBefore !== null || isLeft) && lastState !== null ? lastState : running().runner.state;
    },
    get ended() {
      if (endedBefore !== null) return endedBefore;
      if (isLeft) return null;
      const { ended, runner } = running();
      // Whoever hung up while something is waited for has left a conversation that goes on.
      return ended !== null && runner.state.status === 'active' ? null : ended;
    },
    get language() {
      return running().runner.language;
    },
    get lastState() {
      return closedAs?.state ?? world.state;
    },
    get lastEnded() {
      return closedAs === null ? world.ended : closedAs.ended;
    },
    writing: code.writing,
    get isThere() {
      return !isAway;
    },
    get isCallDue() {
      return isCallDue;
    },
    get hasDied() {
      return hasDied;
    },
    get writes() {
      return { call: counts.call.writes, clerk: counts.clerk.writes };
    },
    begin(next, own, tools) {
      turn = next;
      record.turnsAt[next] = clock.now();
      replies.begin(next, own);
      ledger.setTurn(next);
      ledger.standIn(tools);
    },
    async start() {
      record.turnsAt[turn] ??= clock.now();
      await begin();
      await settleDeath();
      if (keepsTime) openClerk();
      for (const schedule of options.schedules) await passes(putSchedule(schedule));
    },
    rest,
    async beginSpeaking() {
      const { speech } = running();
      try {
        await clock.runUntil(() => !isBusy || speech.words > 0 || running().isDead, patienceMs);
      } catch {
        return 'the agent did not begin to speak';
      }
      return null;
    },
    async listen(afterMs, afterWords) {
      const { speech } = running();
      const hasCome = (): boolean => (afterMs === null ? speech.words >= afterWords : speech.beganAt !== null);
      await clock.runUntil(() => !isBusy || hasCome() || running().isDead, patienceMs);
      if (afterMs !== null && speech.beganAt !== null)
        await clock.advance(Math.max(0, speech.beganAt + afterMs - clock.now()));
      return isBusy;
    },
    async hush() {
      // LiveKit has taken note by now; the word that is being spoken is not waited for.
      await clock.advance(0);
      running().speech.cut();
    },
    say(words, heard, id, via) {
      const fault = unheard();
      if (fault !== null) return fault;
      world.tell('caller', words === heard ? words : `${words} (heard as: ${heard})`);
      last = { heard, id, via };
      follow(running().runner.send(heard, { eventId: id, via }));
      return null;
    },
    // Only the caller is listened to.
    sayOther: (who, words) => world.tell(who, words),
    tell: (who, words) => void record.lines.push({ who, text: words, at: clock.now(), interrupted: false, turn }),
    async pass(ms) {
      const { runner } = running();
      await clock.advance(ms);
      // What came in the last moment is taken a moment later.
      if (keepsTime) await clock.advance(takenWithinMs);
      await settleDeath();
      await lookAtKept();
      if (world.ended === null && isAtWork()) follow(runner.idle());
    },
    async hangUp() {
      const fault = unheard();
      if (fault !== null) return fault;
      const { runner } = running();
      isAway = true;
      runner.holdNoInput();
      runner.holdInbox();
      follow(runner.hush());
      cancelGrace = clock.schedule(graceMs, () => void runner.stop('caller-left').then(stopped, () => undefined));
      return null;
    },
    async callBack() {
      if (!isAway) return 'the caller has not hung up';
      if (world.ended !== null) return `the conversation has ended before (${world.ended})`;
      cancelGrace();
      await lookAtKept();
      const over = unheardBy();
      if (over !== null) return over;
      if (!keepsTime) await closeClerk();
      isLeft = false;
      isAway = false;
      isCallDue = false;
      if (isAtWork()) follow(running().runner.recap());
      else {
        last = null;
        await begin();
        await settleDeath();
      }
      return null;
    },
    crash() {
      running().kill();
      follow(Promise.resolve());
    },
    async outside(work) {
      const doing = work();
      await passes(doing);
      const done = await doing;
      // The session takes it between two turns, or the clerk where nobody is on the line.
      await clock.advance(isLeft ? clerkWithinMs : takenWithinMs);
      await settleDeath();
      await lookAtKept();
      if (isAtWork() && endedBefore === null) follow(running().runner.idle());
      return done;
    },
    async close() {
      if (closedAs !== null) return;
      cancelGrace();
      await closeClerk();
      if (process === null) return await store.close();
      closedAs = { state: world.state, ended: world.ended };
      const open = process;
      if (open !== null && !open.isDead) {
        open.speech.cut();
        const stopping = open.runner.stop('simulation-over');
        await passes(stopping);
        await stopping;
        // LiveKit waits half a second for the last words of a caller, which a session in text has no sound for.
        void open.session.close().catch(() => undefined);
      }
      await store.close();
    },
  };
  return world;
}

/** How soon a clerk has carried out what was posted, and calls the person, in milliseconds of virtual time. */
const clerkWithinMs = 5_000;
/** When what a dead clerk has claimed and owned is free again, in milliseconds of virtual time. */
const freeAgainMs = 40_000;
/** How soon a session takes what was posted, in milliseconds of virtual time. */
const takenWithinMs = 200;
