import type { Effect, EffectKey } from '../../events/effect.ts';
import type { Event } from '../../events/event.ts';
import type { Json, JsonObject } from '../../events/json.ts';
import type { SettledCall, Signal } from '../../events/signal.ts';
import type { Graph } from '../../graph/graph.ts';
import { openOfKind } from '../../kernel/draft.ts';
import type { SessionState } from '../../kernel/state.ts';
import { step } from '../../kernel/step.ts';
import { viewOf, type View } from '../../kernel/view.ts';
import type { Executor } from '../../ports/executor.ts';
import type { Hub } from '../../ports/hub.ts';
import type { LoggedSignal, Store } from '../../ports/store.ts';
import type { CivilTime, Clock, Ids } from '../../ports/time.ts';
import type { CallOutput } from '../calls/call-output.ts';
import { createCalls } from '../calls/calls.ts';
import { createCommits, type Commits } from './commits.ts';
import type { Completion } from '../reply/completion.ts';
import { createFlowChanges } from './flow-changes.ts';
import type { Fold } from './fold.ts';
import type { AdvanceEffect } from '../generators/generator-driver.ts';
import { createGenerators, type GeneratorHost, type HandoffEffect } from '../generators/generators.ts';
import { ownerName } from './process-owner.ts';
import { holdSession } from './hold-session.ts';
import { keptSession } from './kept-session.ts';
import { cutText, defaultLimits, type Limits } from './limits.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import type { PolicyGate } from '../policy/policy.ts';
import { publishStep } from './publish.ts';
import { readSignal, withSpoken } from '../words/read-signal.ts';
import { createSessionLanguage } from './session-language.ts';
import type { TaskQuestions } from './task-questions.ts';
import { isTransaction, settledEffects } from './transactions.ts';
import { createTurnCount } from './turn-count.ts';

export interface EngineOptions {
  readonly graph: Graph;
  /** Compiles the flow that a kept session ran, where that is not `graph`. */
  readonly compile?: (document: Json) => Graph;
  /** Where a session goes on that was kept in an older version of a flow; null where it stays in that. */
  readonly moveOf?: (hash: string, node: string) => { readonly graph: Graph; readonly node: string } | null;
  readonly sessionId: string;
  /** Who owns the session; a new name where absent. */
  readonly owner?: string;
  readonly store: Store;
  readonly executor: Executor;
  readonly hub: Hub;
  readonly clock: Clock;
  readonly civilTime: CivilTime;
  readonly ids: Ids;
  readonly timeZone: string;
  /** How long a caller's turn waits for a write that is under way, in milliseconds. */
  readonly writeCapMs: number;
  /** The limits of a turn; the defaults where absent. */
  readonly limits?: Limits;
  /** What generators need of the world, and the flows that they may hand off to. */
  readonly generators?: GeneratorHost;
  /** Decides about a caller's turn before the flow does. */
  readonly policy?: PolicyGate;
  /** What tasks have asked the caller: an answer to that is no turn of the flow. */
  readonly questions?: TaskQuestions;
  /** The flow has left the node whose task this is, or the task has ended. */
  readonly onTaskLeft?: (key: EffectKey) => void;
  /** A call has settled that no completion of this process has made, such as one of a node's own. */
  readonly onCallWithoutReply?: (call: SettledCall) => void;
}

/** Words of the caller, spoken, typed or pressed. */
export interface Inbound {
  readonly eventId: string;
  readonly text: string;
  readonly via: 'speech' | 'text' | 'dtmf';
}

/** Carries signals through the steps of a turn: claim, decide, step, commit, hand on. One for each session. */
export interface Engine {
  readonly sessionId: string;
  /** The id of the turn under way, in events. */
  readonly requestId: string;
  readonly graph: Graph;
  readonly state: SessionState;
  readonly view: View;
  /** What a clock on the wall shows where the session is, `at` being epoch milliseconds. */
  civil(at: number): string;
  /** The flow that has the conversation; null on the classic path. */
  readonly activeFlow: string | null;
  /** The effects to perform, in order. */
  readonly outbox: Outbox;
  /** The completion whose batch has not settled yet. */
  readonly completion: Completion | null;
  /** Begins the session, or goes on with the one that the store has kept. */
  start(input: JsonObject): Promise<void>;
  /** Takes a caller's turn; what is under way settles first. A duplicate changes nothing. */
  receive(inbound: Inbound): Promise<'taken' | 'duplicate' | 'over'>;
  /** Whether a caller's turn is on its way into the session. */
  readonly isReceiving: boolean;
  /** Goes on in another language from the next reply on; false where the flow lists none such. */
  changeLanguage(tag: string, by: 'hook' | 'code'): boolean;
  /** The recogniser has told in which language the words are that it hears. */
  recognise(tag: string): void;
  /** Folds what happened into the session and hands on what is to be done. */
  dispatch(signal: Signal): void;
  /** Goes on with another graph, once the store has it; `isResumed` where the session was another process's before. */
  swap(graph: Graph, node?: string): Promise<void>;
  openCompletion(reply: Effect): Completion;
  /** The model was asked for a reply. */
  inferred(): void;
  /** Nothing more of the turn under way is to come: what it took is told, once. */
  completeTurn(): void;
  /** Runs a call that needs no completion: one that was confirmed, or found unsettled after a crash. */
  runCall(effect: Extract<Effect, { kind: 'tool' }>): Promise<void>;
  /** The author's code moves the conversation on: nobody waits for reads any more; a write ends by itself, and is kept. */
  abandonReads(): void;
  /** Lets the flow's generator run on. */
  advance(effect: AdvanceEffect): Promise<void>;
  /** Whether something decides about turns before the flow: then nobody may think ahead of it. */
  readonly decidesFirst: boolean;
  /** Gives the conversation back to the flow that called the one that has ended; false where that cannot be had any more. */
  giveBack(): Promise<boolean>;
  /** Hands the conversation over to another flow, or lets it begin where a reply leads there, once the store has it. */
  handOff(effect: HandoffEffect): Promise<void>;
  /** Resolves when the calls that run now have settled; null where none runs. */
  readonly callsUnderWay: Promise<void> | null;
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
  readonly isCommitted: boolean;
  /** Ends the session, or with null lets go of it so that another process may go on. */
  close(reason: string | null): Promise<void>;
}

/** How long an input is known that comes again: carriers and queues repeat for hours or days, not for a month. */
const inputsKeptMs = 30 * 24 * 3_600_000;

/** How long a view may go on telling the model what day it is, in milliseconds. */
const viewAgesMs = 60_000;

export async function createEngine(options: EngineOptions): Promise<Engine> {
  const { sessionId, store, hub, clock, civilTime, ids, questions, limits = defaultLimits } = options;
  const { lease, stopRenewal } = await holdSession(
    store,
    sessionId,
    options.owner ?? ownerName(ids.create('owner')),
    clock,
  );
  const kept = await keptSession(options).catch(async (error: unknown) => {
    stopRenewal();
    await store.releaseLease(lease);
    throw error;
  });
  let { graph, state } = kept;
  graph = graph.spokenIn(state.language);
  /** LiveKit reads the view several times a turn. */
  let shown: { readonly graph: Graph; readonly state: SessionState; readonly at: number; readonly view: View } | null =
    null;
  let isClosed = false;
  /** How many of the caller's turns are on their way into the session. */
  let receiving = 0;
  let requestId = ids.create('req');
  const commits: Commits = createCommits(store, lease, () => graph.hash, kept.seq);
  const outbox = createOutbox();
  const turns = createTurnCount(hub);
  /** What is told between two steps goes with the second one, and what a step tells with that step. */
  let told: (() => Event)[] = [];
  let telling: (() => Event)[] | null = null;
  const stopRecording = hub.record(sessionId, kept.lastEvent, (event) => void (telling ?? told).push(event));
  const taken = new Set<string>();

  const civil = (at: number): string => civilTime(at, state.timeZone);
  const dispatch: Fold['dispatch'] = (happened, inputKeys = [], joins = false) => {
    // A signal after the close is left to the next owner of the session.
    if (isClosed) return [];
    const signal = readSignal({ graph, state }, happened, civilTime);
    const events = told;
    const outer = telling;
    told = [];
    telling = events;
    const before = state;
    calls.hear(signal);
    const next = step(graph, state, signal);
    const effects = [...next.effects, ...settledEffects(state, next.facts)];
    state = next.state;
    graph = graph.spokenIn(state.language);
    const task = openOfKind(before, 'task');
    if (task !== undefined && isVoid(task, state)) options.onTaskLeft?.(task.key);
    commits.add({
      signal: withSpoken(signal, next),
      state,
      effects,
      inputKeys,
      events,
      durable: !joins && isTransaction(signal, next),
    });
    calls.remember(next.facts);
    turns.follow(before, state, next.facts, requestId);
    // Leaving a generator runs its `finally` blocks.
    if (before.generator !== null && before.generator.run !== state.generator?.run) generators.close();
    publishStep(hub, { graph, signal, before, state, facts: next.facts, requestId });
    telling = outer;
    // A resumed session intends all open effects again.
    outbox.drop((effect) => signal.type === 'session:resumed' || isVoid(effect, state));
    outbox.add(next.effects.filter((effect) => signal.type !== 'tool:called' && effect.state === 'intended'));
    return next.facts;
  };
  const generators = createGenerators(options, async () => {
    await commits.settled();
    return (await store.readLog(sessionId)).map(({ signal }) => signal);
  });
  const fold: Fold = {
    get graph() {
      return graph;
    },
    set graph(next) {
      graph = next.spokenIn(state.language);
    },
    get state() {
      return state;
    },
    civil,
    dispatch,
  };
  const language = createSessionLanguage(fold, hub, clock);
  const calls = createCalls({
    ...options,
    limits,
    fold,
    committed: () => commits.settled(),
    onLanguage: (tag) => void language.change(tag, 'function'),
    onCallWithoutReply: options.onCallWithoutReply ?? (() => undefined),
  });
  const flows = createFlowChanges({ ...options, fold, generators });
  /** Where a reply leads is settled before the words that come after it, which are for that flow. */
  const routed = (): readonly HandoffEffect[] =>
    outbox
      .drop((effect) => effect.kind === 'handoff' && effect.payload.routed === true)
      .flatMap((effect) => (effect.kind === 'handoff' ? [effect] : []));
  /** Questions that the caller spoke over before they were asked: they are asked again when they still matter. */
  const forgetUnsaid = (): void => {
    const unsaid = outbox.drop(
      (effect) => effect.kind === 'wait' || (effect.kind === 'say' && effect.payload.reason !== 'node'),
    );
    for (const { key } of unsaid)
      dispatch({ type: 'speech:settled', at: clock.now(), key, state: 'cancelled', text: '', heard: '' });
  };
  const take: Engine['receive'] = async (given) => {
    const inbound = { ...given, text: cutText(given.text, limits.callerCharacters) };
    const key = `${sessionId}/${inbound.eventId}`;
    if (taken.has(key)) return 'duplicate';
    // A session that is over needs no store to say so.
    if (state.status === 'ended') return 'over';
    taken.add(key);
    if (await store.wasConsumed(key)) return 'duplicate';
    // Words spoken over the last line of a flow go to the flow that comes after it.
    if (openOfKind(state, 'end')?.payload.returns != null) await flows.leave(true);
    if (state.status !== 'active') return 'over';
    options.policy?.closeTurn();
    requestId = ids.create('req');
    const isAsked = questions?.isOpen === true;
    const advancing = openOfKind(state, 'advance');
    // Commands come before answers and before what a flow is at work on, and both wait on unless they lead elsewhere.
    const command = isAsked || advancing !== undefined ? await flows.command(inbound) : null;
    const isAnswer = command === null && isAsked && (await questions.isAnswered());
    const decided = isAnswer ? await flows.answer(inbound) : command;
    if (decided?.to === 'nobody' && decided.stopsFlow !== true && decided.policy.action !== 'end') {
      flows.takeAside(inbound, [key], decided.policy);
      return 'taken';
    }
    if (isAnswer && decided === null) {
      dispatch({ type: 'user:turn', at: clock.now(), ...inbound, answersTask: true }, [key]);
      questions.take(inbound.text);
      return 'taken';
    }
    // A call that asks would be waited for; a node is left first, so that it does not fail for want of an answer.
    if (decided !== null && openOfKind(state, 'task') === undefined) questions?.takeBack();
    if (decided !== null && advancing !== undefined) calls.letGo(advancing.key);
    const overtaking = calls.overtake();
    if (overtaking !== null) await overtaking;
    for (const effect of routed()) await engine.handOff(effect);
    forgetUnsaid();
    if (inbound.via === 'speech') language.beforeTurn(inbound.text);
    await flows.take(inbound, [key], decided);
    return 'taken';
  };
  const engine: Engine = {
    sessionId,
    outbox,
    get requestId() {
      return requestId;
    },
    get graph() {
      return graph;
    },
    get state() {
      return state;
    },
    get view() {
      const at = clock.now();
      if (shown?.graph !== graph || shown.state !== state || at - shown.at > viewAgesMs)
        shown = { graph, state, at, view: viewOf(graph, state, civil(at)) };
      return shown.view;
    },
    civil,
    get activeFlow() {
      return flows.active;
    },
    get completion() {
      return calls.completion;
    },
    async start(input) {
      const { timeZone } = options;
      if (kept.movesTo !== null) return await flows.swap(graph, kept.movesTo, true);
      if (state.status !== 'new') {
        dispatch({ type: 'session:resumed', at: clock.now() });
        return;
      }
      await flows.keep(graph);
      const flow = { id: graph.name, hash: graph.hash };
      dispatch({ type: 'session:started', at: clock.now(), sessionId, flow, input, timeZone });
    },
    recall: (log) => calls.recall(log),
    limits,
    async receive(inbound) {
      receiving += 1;
      try {
        return await take(inbound);
      } finally {
        receiving -= 1;
      }
    },
    get isReceiving() {
      return receiving > 0;
    },
    decidesFirst: options.policy?.decides ?? false,
    giveBack: () => flows.leave(false),
    changeLanguage: (tag, by) => language.change(tag, by),
    recognise: (tag) => language.recognise(tag),
    dispatch: (signal) => void dispatch(signal),
    swap: (next, node) => flows.swap(next, node),
    openCompletion: (reply) => calls.openCompletion(reply),
    abandonReads: () => void calls.overtake()?.catch(() => undefined), // What is under way tells its own failures.
    inferred: () => turns.inferred(),
    completeTurn: () => turns.complete(),
    runCall: (effect) => calls.run(effect, generators.refusal(graph, state, effect.payload)),
    advance: (effect) =>
      calls.waitFor(effect.key, async () => {
        const outcome = await generators.advance(effect, state);
        dispatch({ ...outcome, at: clock.now() });
      }),
    // The caller's words wait for it: they are for the flow that it leads to.
    handOff: (effect) => calls.waitFor(effect.key, () => flows.handOver(effect)),
    get callsUnderWay() {
      return calls.underWay;
    },
    outputOf: (callId) => calls.outputOf(callId),
    committed: () => commits.settled(),
    keep: () => commits.flush(),
    get isCommitted() {
      return commits.isSettled;
    },
    async close(reason) {
      generators.close();
      // A parked session is taken up again when a person has seen to it.
      const isOver = state.status === 'ended' || state.status === 'new' || state.status === 'parked';
      if (!isOver && reason !== null) dispatch({ type: 'session:ended', at: clock.now(), reason });
      // A write under way is kept, so that nobody has to guess whether it was done.
      await calls.overtake();
      turns.complete();
      stopRenewal();
      isClosed = true;
      stopRecording();
      await commits.flush(told).catch(() => undefined); // The store has failed before; its error was told to the turn it stopped.
      // Old inputs are forgotten here; where the store fails, the next session to end forgets them.
      await store.forgetInputs(clock.now() - inputsKeptMs).catch(() => undefined);
      await store.releaseLease(lease);
    },
  };
  return engine;
}

/** Whether an effect is not open any more, so that it need not be performed. */
function isVoid(effect: Effect, state: SessionState): boolean {
  return !Object.hasOwn(state.effects, effect.key);
}
