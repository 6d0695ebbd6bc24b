import { type Effect, effectKinds, type EffectKey } from '../model/effect.ts';
import type { ActorRef, EntryCorrelation, InboxEntry } from '../model/inbox.ts';
import type { JsonObject } from '../model/json.ts';
import type { HeardLine, SessionResumed, Signal, TurnVia } from '../model/signals/signal.ts';
import type { Graph } from '../flow/graph/graph.ts';
import { isWaiting, openOfKind } from '../kernel/state/draft.ts';
import type { SessionState } from '../kernel/state/state.ts';
import { step } from '../kernel/step.ts';
import type { View } from '../kernel/state/view.ts';
import type { PublishedEvent } from '../model/ports/hub.ts';
import type { LoggedSignal } from '../model/ports/store.ts';
import type { CallOutput } from './calls/call-output.ts';
import { createCalls } from './calls/calls.ts';
import { createPromisedCalls } from './session/call-entry.ts';
import { createCommits } from './commit/commits.ts';
import type { Completion } from './reply/completion.ts';
import { createCurrentView } from './current-view.ts';
import type { EngineOptions } from './engine-options.ts';
import { createFlowChanges } from './flow-changes.ts';
import type { Fold } from './fold.ts';
import type { AdvanceEffect } from './generators/generator-driver.ts';
import { createGenerators, type HandoffEffect } from './generators/generators.ts';
import { awayName, ownerName } from './session/process-owner.ts';
import { forgetOldInputs } from './session/forget-old-inputs.ts';
import { holdSession } from './session/session-lease.ts';
import { keptSession } from './session/kept-session.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { createOutbox, isVoid, type Outbox } from './commit/outbox.ts';
import { createStepEvents } from './commit/publish.ts';
import { createReceiver } from './receive.ts';
import { readSignal, withSpoken } from './words/read-signal.ts';
import { createSessionLanguage } from './session/session-language.ts';
import { isTransaction, settledEffects } from './commit/transactions.ts';
import { createTurnTracer, type TurnTracer } from './commit/turn-tracer.ts';
import { withTextToSend } from './commit/text-to-send.ts';

/** Words of the caller: spoken, typed or pressed. */
export interface Inbound {
  readonly eventId: string;
  readonly text: string;
  readonly via: TurnVia;
  /** The actor who posted the words on the caller's behalf. */
  readonly actor?: ActorRef;
  /** Further ids that the turn belongs to, besides the session. */
  readonly correlation?: EntryCorrelation;
  /** The agent's lines that were still playing when the caller began. */
  readonly heard?: readonly HeardLine[];
}

/** The inbox entry that brought the words. */
export interface OfEntry {
  /** Consumed together with the words. */
  readonly key: string;
  /** The call to make if the caller is cut off before they hear the answer; null for no call. */
  readonly call: InboxEntry | null;
}

/** Carries signals through the steps of a turn: claim, decide, step, commit, hand on. One per session. */
export interface Engine {
  readonly sessionId: string;
  /** Whether the conversation is text. Lines that only bridge a silence are left out. */
  readonly isWritten: boolean;
  /** Id of the current turn in events. */
  readonly requestId: string;
  readonly graph: Graph;
  readonly state: SessionState;
  view(): View;
  /** Returns the local date and time of the session for `at`, in epoch milliseconds. */
  civil(at: number): string;
  /** Returns the active flow; null on the classic path. */
  activeFlow(): string | null;
  /** Effects to perform, in order. */
  readonly outbox: Outbox;
  /** The completion whose batch has not settled yet. */
  readonly completion: Completion | null;
  /** Starts the session, or resumes it from the store. */
  start(input: JsonObject): Promise<void>;
  /** Starts or resumes a session without a listener. */
  startSilently(input: JsonObject): Promise<void>;
  /** Takes a caller's turn after running work has settled. A duplicate changes nothing. `entry` is the inbox entry that the turn consumes. */
  receive(inbound: Inbound, entry?: OfEntry): Promise<'taken' | 'duplicate' | 'over'>;
  /** Sets whether the caller is connected. While they are not, another process with the caller may take over the session. */
  attend(isHere: boolean): void;
  /** Whether a caller's turn is being taken. */
  readonly isReceiving: boolean;
  /** Changes the language from the next reply on. Returns false if the flow does not list it. */
  changeLanguage(tag: string, by: 'hook' | 'code'): boolean;
  /** Records the language that the recogniser detected. */
  recognise(tag: string): void;
  /** Folds a signal into the session and queues its effects. For the other parameters, see `Fold`. */
  dispatch(
    signal: Signal,
    inputKeys?: readonly string[],
    joins?: boolean,
    others?: readonly Effect[],
    call?: InboxEntry | null,
  ): void;
  /** Replaces the graph, once it is stored. */
  swap(graph: Graph, node?: string): Promise<void>;
  /** Replaces the graph with a version that has the same current node, once it is stored. Nothing is interrupted. */
  revise(graph: Graph): Promise<void>;
  openCompletion(reply: Effect): Completion;
  /** Measures each turn and publishes the trace when the turn is complete. */
  readonly tracer: TurnTracer;
  /** Runs a call without a completion: after a confirmation, or one left unsettled by a crash. */
  runCall(effect: Extract<Effect, { kind: 'tool' }>): Promise<void>;
  /** Stops waiting for reads when the author's code moves the conversation. A write runs to its end and is recorded. */
  abandonReads(): void;
  /** Resumes the flow's generator. */
  advance(effect: AdvanceEffect): Promise<void>;
  /** Asks `beforeLLM` about an inference that no caller's words caused. False if the model must not run. */
  mayInfer(reply: EffectKey): true | Promise<boolean>;
  /** Whether hooks decide about turns before the flow; if so, replies are not generated ahead. */
  readonly decidesFirst: boolean;
  /** Returns to the calling flow when a called flow has ended. Returns false if the calling flow is not available. */
  giveBack(): Promise<boolean>;
  /** Starts the flow that a handoff or a reply leads to, once its graph is stored. */
  handOff(effect: HandoffEffect): Promise<void>;
  /** Resolves when all running calls have settled; null if none runs. */
  callsUnderWay(): Promise<void> | null;
  /** Returns the output of a call for the model; undefined until it is known. */
  outputOf(callId: string): CallOutput | undefined;
  /** Restores call outputs from the log of an earlier process. */
  recall(log: readonly LoggedSignal[]): void;
  readonly limits: Limits;
  /** Resolves when all steps so far are durable; rejects if the store failed. */
  committed(): Promise<void>;
  /** Commits steps that still wait for a later transaction. */
  keep(): Promise<void>;
  /** Whether all steps so far are durable. */
  isCommitted(): boolean;
  /** Ends the session with `reason`, or releases it with null so that another process can resume it. `finishes` runs intended writes first. */
  close(reason: string | null, finishes?: boolean): Promise<void>;
}

export async function createEngine(options: EngineOptions): Promise<Engine> {
  const { sessionId, store, hub, clock, civilTime, ids, limits = defaultLimits } = options;
  const owner = options.owner ?? ownerName(ids.create('owner'));
  const { lease, rename, stopRenewal } = await holdSession(store, sessionId, owner, clock, awayName(owner));
  const kept = await keptSession(options).catch(async (error: unknown) => {
    stopRenewal();
    await store.releaseLease(lease);
    throw error;
  });
  const resumesExactly = options.writesTo !== undefined || options.resumesExactly === true;
  let isClosed = false;
  let isCallerHere = true;
  /** Number of caller turns being taken. */
  let receiving = 0;
  const tracer = createTurnTracer(options);
  const commits = createCommits(
    store,
    lease,
    () => engine.graph.hash,
    kept.seq,
    tracer,
    (error) => {
      if (!isClosed) options.onBroken?.(error);
    },
  );
  const outbox = createOutbox();
  /** Events published between two steps belong to the later step; events published during a step belong to that step. */
  let told: PublishedEvent[] = [];
  let telling: PublishedEvent[] | null = null;
  const stopRecording = hub.record(sessionId, kept.lastEvent, (one) => void (telling ?? told).push(one));
  const publish = createStepEvents(hub);
  const promised = createPromisedCalls();

  const follow = (graph: Graph): void => void (engine.graph = graph.spokenIn(engine.state.language));
  const dispatch: Fold['dispatch'] = (happened, inputKeys = [], joins = false, others = [], call = null) => {
    // After the close, signals are left to the next owner of the session.
    if (isClosed) return [];
    // A signal that joins another, or arrives while a turn is taken, is part of that turn.
    if (!joins && !engine.isReceiving) options.policy?.beginReply(happened);
    const began = clock.now();
    const { graph: asked, state: before, requestId } = engine;
    const signal = readSignal({ graph: asked, state: before }, withTextToSend(happened, options.writesTo), civilTime);
    const events = told;
    const outer = telling;
    told = [];
    telling = events;
    calls.hear(signal);
    const next = step(asked, before, signal);
    const effects = [...next.effects, ...settledEffects(before, next.facts, signal), ...others];
    engine.state = next.state;
    follow(asked);
    const task = openOfKind(before, 'task');
    if (task !== undefined && isVoid(task, engine.state)) options.onTaskLeft?.(task.key);
    tracer.follow({ signal, began, before, state: engine.state, facts: next.facts, requestId });
    commits.add({
      signal: withSpoken(signal, next),
      state: engine.state,
      effects,
      inputKeys,
      events,
      ...promised.with(call, engine.state),
      durable: !joins && isTransaction(signal, next),
    });
    calls.remember(next.facts);
    tracer.tell();
    // Leaving a generator runs its `finally` blocks.
    if (before.generator !== null && before.generator.run !== engine.state.generator?.run) generators.close();
    const { graph, state } = engine;
    publish({ graph, signal, before, state, facts: next.facts, requestId });
    telling = outer;
    // A resumed session intends all its open effects again.
    outbox.drop((effect) => signal.type === 'session:resumed' || isVoid(effect, engine.state));
    outbox.add(
      next.effects.filter(
        (effect) =>
          signal.type !== 'tool:called' &&
          effect.state === 'intended' &&
          !isWaiting(effect) &&
          effectKinds[effect.kind].performedBy !== 'dispatcher',
      ),
    );
    options.questions?.follow(signal);
    return next.facts;
  };
  const generators = createGenerators({ ...options, language: () => engine.graph.speech.language }, async () => {
    await commits.settled();
    return (await store.readLog(sessionId)).map(({ signal }) => signal);
  });
  const start = async (input: JsonObject, how: Pick<SessionResumed, 'byText' | 'silent'>): Promise<void> => {
    const { graph, state } = engine;
    if (kept.movesTo !== null) return await flows.swap(graph, kept.movesTo, true);
    if (state.status !== 'new') {
      dispatch({ type: 'session:resumed', at: clock.now(), ...how });
      return;
    }
    const { timeZone } = options;
    const keys = options.begunBy === undefined ? [] : [options.begunBy];
    const silent = how.silent === true ? ({ silent: true } as const) : {};
    const begun = options.correlation === undefined ? {} : { correlation: options.correlation };
    const { incarnation } = lease;
    const born = incarnation === undefined ? {} : { incarnation };
    await flows.start({ sessionId, input, timeZone, ...silent, ...begun, ...born }, keys);
  };
  /** Shared with the session's parts. Plain members, because V8 makes a hash table of each object with a getter. */
  const engine: Mutable<Engine & Fold> = {
    sessionId,
    isWritten: options.writesTo !== undefined,
    requestId: ids.create('req'),
    graph: kept.graph.spokenIn(kept.state.language),
    state: kept.state,
    view: () => currentView(),
    civil: (at) => civilTime(at, engine.state.timeZone),
    activeFlow: () => flows.active(),
    outbox,
    completion: null,
    isReceiving: false,
    limits,
    decidesFirst: options.policy?.decides ?? false,
    follow,
    dispatch,
    start: (input) => start(input, resumesExactly ? { byText: true } : {}),
    startSilently: (input) => start(input, { silent: true }),
    recall: (log) => calls.recall(log),
    async receive(inbound, entry) {
      receiving += 1;
      engine.isReceiving = true;
      try {
        return await receive(inbound, entry);
      } finally {
        receiving -= 1;
        engine.isReceiving = receiving > 0;
      }
    },
    attend(isHere) {
      isCallerHere = isHere;
      if (isHere) return rename(owner);
      // Running writes must be finished by this owner.
      const settled = calls.underWay()?.catch(() => undefined) ?? Promise.resolve();
      void settled.then(() => {
        if (!isCallerHere && !isClosed) rename(awayName(owner));
      });
    },
    giveBack: () => flows.leave(false),
    mayInfer: (reply) => flows.mayInfer(reply),
    changeLanguage: (tag, by) => language.change(tag, by),
    recognise: (tag) => language.recognise(tag),
    swap: (next, node) => flows.swap(next, node),
    revise: (next) => flows.revise(next),
    openCompletion(reply) {
      const opened = calls.openCompletion(reply, () => {
        if (engine.completion === opened) engine.completion = null;
      });
      engine.completion = opened;
      return opened;
    },
    abandonReads: () => void calls.overtake()?.catch(() => undefined), // Running calls report their own failures.
    tracer,
    runCall: (effect) => calls.run(effect, generators.refusal(engine.graph, engine.state, effect.payload)),
    advance: (effect) =>
      calls.waitFor(effect.key, async () => {
        const outcome = await generators.advance(effect, engine.state);
        dispatch({ ...outcome, at: clock.now() });
      }),
    // Counted as running work, because the caller's next words are for the flow that the handoff leads to.
    handOff: (effect) => calls.waitFor(effect.key, () => flows.handOver(effect)),
    callsUnderWay: () => calls.underWay(),
    outputOf: (callId) => calls.outputOf(callId),
    committed: () => commits.settled(),
    keep: () => commits.flush(),
    isCommitted: () => commits.isSettled(),
    async close(reason, finishes = false) {
      generators.close();
      const { status } = engine.state;
      // A parked session is resumed after a person has repaired it.
      const isOver = status === 'ended' || status === 'new' || status === 'parked';
      if (!isOver && reason !== null) dispatch({ type: 'session:ended', at: clock.now(), reason });
      const owed = finishes ? outbox.drop((effect) => effect.kind === 'tool' && effect.payload.write) : [];
      for (const effect of owed) if (effect.kind === 'tool') void engine.runCall(effect).catch(() => undefined); // It stays stored as open.
      // Waits for a running write, so that its outcome is stored.
      await calls.overtake(true);
      tracer.complete();
      options.turnSink?.close();
      stopRenewal();
      isClosed = true;
      stopRecording();
      await commits.flush(told).catch(() => undefined); // The store failed earlier; the turn that it stopped has already reported the error.
      for (const key of promised.told(engine.state)) await store.withdraw(key).catch(() => undefined);
      await forgetOldInputs(store, clock);
      await store.releaseLease(lease);
    },
  };
  const currentView = createCurrentView(engine, clock);
  const language = createSessionLanguage(engine, hub, clock);
  const calls = createCalls({
    ...options,
    limits,
    tracer,
    fold: engine,
    committed: () => commits.settled(),
    onLanguage: (tag) => void language.change(tag, 'function'),
    onCallWithoutReply: options.onCallWithoutReply ?? (() => undefined),
  });
  const flows = createFlowChanges({ ...options, fold: engine, generators, languageAtStart: () => language.atStart() });
  const receive = createReceiver({
    ...options,
    limits,
    tracer,
    fold: engine,
    calls,
    flows,
    language,
    outbox,
    handOff: engine.handOff,
    beginTurn: () => void (engine.requestId = ids.create('req')),
  });
  return engine;
}

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] };
