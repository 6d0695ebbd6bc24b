import type { Effect, EffectKey } from '../../events/effect.ts';
import type { ActorRef, EntryCorrelation, InboxEntry } from '../../events/inbox.ts';
import type { JsonObject } from '../../events/json.ts';
import type { HeardLine, SessionResumed, Signal, TurnVia } from '../../events/signal.ts';
import type { Graph } from '../../graph/graph.ts';
import { isWaiting, openOfKind } from '../../kernel/draft.ts';
import type { SessionState } from '../../kernel/state.ts';
import { step } from '../../kernel/step.ts';
import type { View } from '../../kernel/view.ts';
import type { Told } from '../../ports/hub.ts';
import type { LoggedSignal } from '../../ports/store.ts';
import type { CallOutput } from '../calls/call-output.ts';
import { createCalls } from '../calls/calls.ts';
import { createPromisedCalls } from './call-entry.ts';
import { createCommits } from './commits.ts';
import type { Completion } from '../reply/completion.ts';
import { createCurrentView } from './current-view.ts';
import type { EngineOptions } from './engine-options.ts';
import { createFlowChanges } from './flow-changes.ts';
import type { Fold } from './fold.ts';
import type { AdvanceEffect } from '../generators/generator-driver.ts';
import { createGenerators, type HandoffEffect } from '../generators/generators.ts';
import { awayName, ownerName } from './process-owner.ts';
import { forgetOldInputs } from './forget-old-inputs.ts';
import { holdSession } from './hold-session.ts';
import { keptSession } from './kept-session.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { createOutbox, isVoid, type Outbox } from './outbox.ts';
import { createStepEvents } from './publish.ts';
import { createReceiver } from './receive.ts';
import { readSignal, withSpoken } from '../words/read-signal.ts';
import { createSessionLanguage } from './session-language.ts';
import { isTransaction, settledEffects } from './transactions.ts';
import { createTurnTracer, type TurnTracer } from './turn-tracer.ts';
import { asWritten } from './written.ts';

/** Words of the caller, spoken, typed or pressed. */
export interface Inbound {
  readonly eventId: string;
  readonly text: string;
  readonly via: TurnVia;
  /** Who has posted them in the caller's stead. */
  readonly actor?: ActorRef;
  /** What they belong to besides the session. */
  readonly correlation?: EntryCorrelation;
  /** The lines that had not ended when the caller began. */
  readonly heard?: readonly HeardLine[];
}

/** The entry of the inbox that words have come by. */
export interface OfEntry {
  /** Consumed with them. */
  readonly key: string;
  /** Calls the person who is cut off before they have heard what is answered; null where nobody is called. */
  readonly call: InboxEntry | null;
}

/** Carries signals through the steps of a turn: claim, decide, step, commit, hand on. One for each session. */
export interface Engine {
  readonly sessionId: string;
  /** The conversation is written: what only bridges a silence is left out. */
  readonly isWritten: boolean;
  /** The id of the turn under way, in events. */
  readonly requestId: string;
  readonly graph: Graph;
  readonly state: SessionState;
  view(): View;
  /** What a clock on the wall shows where the session is, `at` being epoch milliseconds. */
  civil(at: number): string;
  /** The flow that has the conversation; null on the classic path. */
  activeFlow(): string | null;
  /** The effects to perform, in order. */
  readonly outbox: Outbox;
  /** The completion whose batch has not settled yet. */
  readonly completion: Completion | null;
  /** Begins the session, or goes on with the one that the store has kept. */
  start(input: JsonObject): Promise<void>;
  /** The same for a session that nobody listens to. */
  startSilently(input: JsonObject): Promise<void>;
  /** Takes a caller's turn; what is under way settles first. A duplicate changes nothing. `entry`: which it consumes. */
  receive(inbound: Inbound, entry?: OfEntry): Promise<'taken' | 'duplicate' | 'over'>;
  /** Tells whether the caller is there: while they are not, the session is left to whoever has them. */
  attend(isHere: boolean): void;
  /** Whether a caller's turn is on its way into the session. */
  readonly isReceiving: boolean;
  /** Goes on in another language from the next reply on; false where the flow lists none such. */
  changeLanguage(tag: string, by: 'hook' | 'code'): boolean;
  /** The recogniser has told in which language the words are that it hears. */
  recognise(tag: string): void;
  /** Folds what happened into the session and hands on what is to be done. The rest as in `Fold`. */
  dispatch(
    signal: Signal,
    inputKeys?: readonly string[],
    joins?: boolean,
    others?: readonly Effect[],
    call?: InboxEntry | null,
  ): void;
  /** Goes on with another graph, once the store has it. */
  swap(graph: Graph, node?: string): Promise<void>;
  /** Goes on with another version in which the node of the session is the same, once the store has it: nothing is broken off. */
  revise(graph: Graph): Promise<void>;
  openCompletion(reply: Effect): Completion;
  /** Notes what a turn takes, and tells it once nothing more of it is to come. */
  readonly tracer: TurnTracer;
  /** Runs a call that needs no completion: one that was confirmed, or found unsettled after a crash. */
  runCall(effect: Extract<Effect, { kind: 'tool' }>): Promise<void>;
  /** The author's code moves the conversation on: nobody waits for reads any more; a write ends by itself, and is kept. */
  abandonReads(): void;
  /** Lets the flow's generator run on. */
  advance(effect: AdvanceEffect): Promise<void>;
  /** Lets `beforeLLM` decide about an inference that no words have led to; false if the model is not asked. */
  mayInfer(reply: EffectKey): true | Promise<boolean>;
  /** Whether something decides about turns before the flow: then nobody may think ahead of it. */
  readonly decidesFirst: boolean;
  /** Gives the conversation back to the flow that called the one that has ended; false where that cannot be had any more. */
  giveBack(): Promise<boolean>;
  /** Hands the conversation over to another flow, or lets it begin where a reply leads there, once the store has it. */
  handOff(effect: HandoffEffect): Promise<void>;
  /** Resolves when the calls that run now have settled; null where none runs. */
  callsUnderWay(): Promise<void> | null;
  /** What became of a call, for the model to read; undefined while it is not known. */
  outputOf(callId: string): CallOutput | undefined;
  /** Takes into account what the log of a process before this one tells. */
  recall(log: readonly LoggedSignal[]): void;
  readonly limits: Limits;
  /** Resolves when all steps so far are durable; rejects where the store failed. */
  committed(): Promise<void>;
  /** Makes durable what was only heard or settled as well. */
  keep(): Promise<void>;
  /** Whether all steps so far are durable already. */
  isCommitted(): boolean;
  /**
   * Ends the session, or with null lets go of it so that another process may go on. With `finishes` writes that it intends are
   * still made first.
   */
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
  /** How many of the caller's turns are on their way into the session. */
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
  /** What is told between two steps goes with the second one, and what a step tells with that step. */
  let told: Told[] = [];
  let telling: Told[] | null = null;
  const stopRecording = hub.record(sessionId, kept.lastEvent, (one) => void (telling ?? told).push(one));
  const publish = createStepEvents(hub);
  const promised = createPromisedCalls();

  const follow = (graph: Graph): void => void (engine.graph = graph.spokenIn(engine.state.language));
  const dispatch: Fold['dispatch'] = (happened, inputKeys = [], joins = false, others = [], call = null) => {
    // A signal after the close is left to the next owner of the session.
    if (isClosed) return [];
    // A signal that joins another, or comes while a turn is taken, is part of that turn.
    if (!joins && !engine.isReceiving) options.policy?.beginReply(happened);
    const began = clock.now();
    const { graph: asked, state: before, requestId } = engine;
    const signal = readSignal({ graph: asked, state: before }, asWritten(happened, options.writesTo), civilTime);
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
    // A resumed session intends all open effects again.
    outbox.drop((effect) => signal.type === 'session:resumed' || isVoid(effect, engine.state));
    outbox.add(
      next.effects.filter(
        (effect) =>
          signal.type !== 'tool:called' &&
          effect.state === 'intended' &&
          !isWaiting(effect) &&
          effect.kind !== 'message',
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
  /** The session as its parts share it too. Plain members: of each object with a getter, V8 would make a hash table. */
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
      // What changes the world meanwhile is this owner's to end.
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
    abandonReads: () => void calls.overtake()?.catch(() => undefined), // What is under way tells its own failures.
    tracer,
    runCall: (effect) => calls.run(effect, generators.refusal(engine.graph, engine.state, effect.payload)),
    advance: (effect) =>
      calls.waitFor(effect.key, async () => {
        const outcome = await generators.advance(effect, engine.state);
        dispatch({ ...outcome, at: clock.now() });
      }),
    // The caller's words wait for it: they are for the flow that it leads to.
    handOff: (effect) => calls.waitFor(effect.key, () => flows.handOver(effect)),
    callsUnderWay: () => calls.underWay(),
    outputOf: (callId) => calls.outputOf(callId),
    committed: () => commits.settled(),
    keep: () => commits.flush(),
    isCommitted: () => commits.isSettled(),
    async close(reason, finishes = false) {
      generators.close();
      const { status } = engine.state;
      // A parked session is taken up again when a person has seen to it.
      const isOver = status === 'ended' || status === 'new' || status === 'parked';
      if (!isOver && reason !== null) dispatch({ type: 'session:ended', at: clock.now(), reason });
      const owed = finishes ? outbox.drop((effect) => effect.kind === 'tool' && effect.payload.write) : [];
      for (const effect of owed) if (effect.kind === 'tool') void engine.runCall(effect).catch(() => undefined); // It is kept as open.
      // A write under way is kept, so that nobody has to guess whether it was done.
      await calls.overtake(true);
      tracer.complete();
      options.turnSink?.close();
      stopRenewal();
      isClosed = true;
      stopRecording();
      await commits.flush(told).catch(() => undefined); // The store has failed before; its error was told to the turn it stopped.
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
