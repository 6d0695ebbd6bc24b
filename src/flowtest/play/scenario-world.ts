import { outcomeFields, reportingFlow } from '../../kernel/outcome.ts';
import type { JsonObject } from '../../model/json.ts';
import type { SessionState } from '../../kernel/state/state.ts';
import { changeSchedule } from '../../people/schedules/keep-schedules.ts';
import type { Schedule } from '../../people/schedules/schedule.ts';
import type { Store } from '../../model/ports/store.ts';
import { systemCivilTime } from '../../system.ts';
import type { VirtualClock } from '../../testing/virtual-clock.ts';
import type { ModelReply, ToolStandIn } from '../document/document.ts';
import type { Writes } from './crash-point.ts';
import { patienceMs } from './pass-time.ts';
import { createRecord, type ScenarioRecord } from '../record/record.ts';
import type { ScriptedReplies } from './scripted-replies.ts';
import { createToolLedger, type ToolLedger } from './tool-ledger.ts';
import type { WorldOptions } from './world-options.ts';
import { clerkWithinMs, openProcesses } from './world-processes.ts';

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
  /** The fields that the flow would report now. */
  readonly reported: JsonObject;
  /** The same, even after the world is closed. */
  readonly lastState: SessionState;
  readonly lastEnded: string | null;
  /** Tools with effects outside, according to the flow. */
  readonly writing: ReadonlySet<string>;
  readonly isThere: boolean;
  readonly isCallDue: boolean;
  /** Whether the process has died at its crash point. */
  readonly hasDied: boolean;
  /** Writes to the store so far. */
  readonly writes: Writes;
  /** The key of the wait that was decided last. */
  decidedKey: string | null;
  begin(turn: number, replies: readonly ModelReply[], tools: Readonly<Record<string, ToolStandIn>>): void;
  start(): Promise<void>;
  /** Waits until the agent is done and was heard. Resolves to the reason if it is not. */
  rest(): Promise<string | null>;
  /** Waits for the first word, or until there will be none. */
  beginSpeaking(): Promise<string | null>;
  /** Lets the agent speak until the interruption. Resolves to false if it finished before that. */
  listen(afterMs: number | null, afterWords: number): Promise<boolean>;
  hush(): Promise<void>;
  /** Lets the caller say something, of which `heard` is understood. Returns the reason if it is not possible. */
  say(words: string, heard: string, id: string, via: 'text' | 'dtmf'): string | null;
  sayOther(who: string, words: string): void;
  tell(who: string, words: string): void;
  pass(ms: number): Promise<void>;
  hangUp(): Promise<string | null>;
  callBack(): Promise<string | null>;
  crash(): void;
  /** Does something that takes real time, in parallel to the conversation. */
  outside<Result>(work: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export async function openWorld(options: WorldOptions): Promise<ScenarioWorld> {
  const { sessionId, replies, graceMs, code } = options;
  const record = createRecord();
  const ledger = createToolLedger();
  ledger.standIn(options.standIns);
  const processes = await openProcesses(options, record, ledger);
  const { clock, store, outside, ids, standing, running, begin, follow, passes, settleDeath, openClerk, lookAtKept } =
    processes;
  let closedAs: { readonly state: SessionState; readonly ended: string | null } | null = null;

  const unheardBy = (): string | null =>
    standing.endedBefore === null ? null : `the conversation has ended before (${standing.endedBefore})`;
  const unheard = (): string | null => {
    const reason = world.ended;
    if (reason !== null) return `the conversation has ended before (${reason})`;
    return standing.isAway ? 'the caller is not on the line: call_back first' : null;
  };
  const stopped = (): void => {
    const { runner, session } = running();
    standing.lastState = runner.state;
    if (runner.state.status !== 'active') return void session.close().catch(() => undefined);
    standing.isLeft = true;
    openClerk();
    void session.close().catch(() => undefined);
  };

  const isAtWork = (): boolean => running().ended === null && !running().isDead;
  // The timer of schedules continues while a caller is connected.
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
      return (standing.endedBefore !== null || standing.isLeft) && standing.lastState !== null
        ? standing.lastState
        : running().runner.state;
    },
    get ended() {
      if (standing.endedBefore !== null) return standing.endedBefore;
      if (standing.isLeft) return null;
      const { ended, runner } = running();
      // A caller who hung up during a wait has left a conversation that continues.
      return ended !== null && runner.state.status === 'active' ? null : ended;
    },
    get reported() {
      const graph = reportingFlow(world.state).hash === code.graph?.hash ? code.graph : null;
      return outcomeFields(graph, world.state).fields;
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
      return !standing.isAway;
    },
    get isCallDue() {
      return standing.isCallDue;
    },
    get hasDied() {
      return standing.hasDied;
    },
    get writes() {
      return processes.writes;
    },
    begin(next, own, tools) {
      standing.turn = next;
      record.turnsAt[next] = clock.now();
      replies.begin(next, own);
      ledger.setTurn(next);
      ledger.standIn(tools);
    },
    async start() {
      record.turnsAt[standing.turn] ??= clock.now();
      await begin();
      await settleDeath();
      if (keepsTime) openClerk();
      for (const schedule of options.schedules) await passes(putSchedule(schedule));
    },
    rest: () => processes.rest(),
    async beginSpeaking() {
      const { speech } = running();
      try {
        await clock.runUntil(() => !processes.isBusy || speech.words > 0 || running().isDead, patienceMs);
      } catch {
        return 'the agent did not begin to speak';
      }
      return null;
    },
    async listen(afterMs, afterWords) {
      const { speech } = running();
      const hasCome = (): boolean => (afterMs === null ? speech.words >= afterWords : speech.beganAt !== null);
      await clock.runUntil(() => !processes.isBusy || hasCome() || running().isDead, patienceMs);
      if (afterMs !== null && speech.beganAt !== null)
        await clock.advance(Math.max(0, speech.beganAt + afterMs - clock.now()));
      return processes.isBusy;
    },
    async hush() {
      // LiveKit has received it. The current word is not waited for.
      await clock.advance(0);
      running().speech.cut();
    },
    say(words, heard, id, via) {
      const fault = unheard();
      if (fault !== null) return fault;
      world.tell('caller', words === heard ? words : `${words} (heard as: ${heard})`);
      standing.last = { heard, id, via };
      follow(running().runner.send(heard, { eventId: id, via }));
      return null;
    },
    // The agent only listens to the caller.
    sayOther: (who, words) => world.tell(who, words),
    tell: (who, words) => processes.tell(who, words),
    async pass(ms) {
      const { runner } = running();
      await clock.advance(ms);
      // Events of the last moment are processed a moment later.
      if (keepsTime) await clock.advance(takenWithinMs);
      await settleDeath();
      await lookAtKept();
      if (world.ended === null && isAtWork()) follow(runner.idle());
    },
    async hangUp() {
      const fault = unheard();
      if (fault !== null) return fault;
      const { runner } = running();
      standing.isAway = true;
      runner.holdNoInput();
      runner.holdInbox();
      follow(runner.interrupt());
      standing.cancelGrace = clock.schedule(
        graceMs,
        () => void runner.stop('caller-left').then(stopped, () => undefined),
      );
      return null;
    },
    async callBack() {
      if (!standing.isAway) return 'the caller has not hung up';
      if (world.ended !== null) return `the conversation has ended before (${world.ended})`;
      standing.cancelGrace();
      await lookAtKept();
      const over = unheardBy();
      if (over !== null) return over;
      if (!keepsTime) await processes.closeClerk();
      standing.isLeft = false;
      standing.isAway = false;
      standing.isCallDue = false;
      if (isAtWork()) follow(running().runner.resume());
      else {
        standing.last = null;
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
      // The session processes it between two turns, or the clerk if no caller is connected.
      await clock.advance(standing.isLeft ? clerkWithinMs : takenWithinMs);
      await settleDeath();
      await lookAtKept();
      if (isAtWork() && standing.endedBefore === null) follow(running().runner.idle());
      return done;
    },
    async close() {
      if (closedAs !== null) return;
      standing.cancelGrace();
      await processes.closeClerk();
      if (standing.process === null) return await store.close();
      closedAs = { state: world.state, ended: world.ended };
      const open = standing.process;
      if (open !== null && !open.isDead) {
        open.speech.cut();
        const stopping = open.runner.stop('simulation-over');
        await passes(stopping);
        await stopping;
        // LiveKit waits half a second for the last words of a caller. A text session has no sound to wait for.
        void open.session.close().catch(() => undefined);
      }
      await store.close();
    },
  };
  return world;
}

/** How soon a session processes what was posted, in milliseconds of virtual time. */
const takenWithinMs = 200;
