import type { Effect, EffectKey, ToolPayload } from '../events/effect.ts';
import type { Event, FlowFact } from '../events/event.ts';
import { isJsonObject, type Json, type JsonObject } from '../events/json.ts';
import type { BatchSettled, Signal } from '../events/signal.ts';
import { FlowError } from '../errors.ts';
import { isClassicFlow } from '../flow/classic.ts';
import type { Graph } from '../graph/graph.ts';
import { openEffect } from '../kernel/draft.ts';
import { functionIn, nodeOf } from '../kernel/offers.ts';
import { recordOutcome } from '../kernel/slots.ts';
import { callingFlow } from '../kernel/stack.ts';
import type { SessionState } from '../kernel/state.ts';
import { step } from '../kernel/step.ts';
import { viewOf, type View } from '../kernel/view.ts';
import type { ExecutionOutcome, Executor } from '../ports/executor.ts';
import type { Hub } from '../ports/hub.ts';
import type { Store } from '../ports/store.ts';
import type { Clock, Ids } from '../ports/time.ts';
import { type CallOutput, callOutput } from './call-output.ts';
import { createCommits, type Commits } from './commits.ts';
import { type Completion, createCompletion, outcomeOf } from './completion.ts';
import { droppedMoves } from './dropped-moves.ts';
import { createGenerators, type GeneratorHost, type HandoffEffect } from './generators.ts';
import type { AdvanceEffect } from './generator-driver.ts';
import { keptSession } from './kept-session.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import type { PolicyGate, TurnChoice } from './policy.ts';
import { publishStep } from './publish.ts';
import { isTransaction, settledEffects } from './transactions.ts';

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
  readonly ids: Ids;
  readonly timeZone: string;
  /** How long a caller's turn waits for a write that is under way, in milliseconds. */
  readonly writeCapMs: number;
  /** What generators need of the world, and the flows that they may hand off to. */
  readonly generators?: GeneratorHost;
  /** Decides about a caller's turn before the flow does. */
  readonly policy?: PolicyGate;
}

/** What a caller said, however it came in. */
export interface Inbound {
  readonly eventId: string;
  readonly text: string;
  readonly via: 'speech' | 'text' | 'dtmf';
}

/** Carries signals through the steps of a turn: claim, decide, step, commit, hand on. One for each session. */
export interface Engine {
  readonly sessionId: string;
  /** What the turn under way is told by. */
  readonly requestId: string;
  readonly graph: Graph;
  readonly state: SessionState;
  readonly view: View;
  /** The flow that has the conversation; null on the classic path. */
  readonly activeFlow: string | null;
  /** What is to be performed, in order. */
  readonly outbox: Outbox;
  /** The completion whose batch has not settled yet. */
  readonly completion: Completion | null;
  /** Begins the session, or goes on with the one that the store has kept. */
  start(input: JsonObject): Promise<void>;
  /** Takes a caller's turn; what is under way settles first. A duplicate changes nothing. */
  receive(inbound: Inbound): Promise<'taken' | 'duplicate' | 'over'>;
  /** Folds what happened into the session and hands on what is to be done. */
  dispatch(signal: Signal): void;
  /** Goes on with another graph, once the store has it; `isResumed` where the session was another process's before. */
  swap(graph: Graph, node?: string, isResumed?: boolean): Promise<void>;
  openCompletion(reply: Effect): Completion;
  /** Runs a call that needs no completion: one that was confirmed, or found unsettled after a crash. */
  runCall(effect: Extract<Effect, { kind: 'tool' }>): Promise<void>;
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
  /** Resolves when all steps so far are durable; rejects where the store failed. */
  committed(): Promise<void>;
  /** Makes durable what was only heard or settled as well. */
  keep(): Promise<void>;
  /** Whether all steps so far are durable already. */
  readonly isCommitted: boolean;
  /** Ends the session, or with null lets go of it so that another process may go on. */
  close(reason: string | null): Promise<void>;
}

/** How long a session stays owned without a sign of life of its owner, and how often that sign is given. */
export const leaseMs = 15_000;
const renewEveryMs = 3_000;

/** How long an input is known that comes again: carriers and queues repeat for hours or days, not for a month. */
const inputsKeptMs = 30 * 24 * 3_600_000;

/** How long a view may go on telling the model what day it is, in milliseconds. */
const viewAgesMs = 60_000;

export async function createEngine(options: EngineOptions): Promise<Engine> {
  const { sessionId, store, executor, hub, clock, ids } = options;
  const lease = await store.acquireLease(sessionId, options.owner ?? ids.create('owner'), leaseMs);
  if (lease === null)
    throw new FlowError(
      'session-taken',
      `session "${sessionId}" is owned by another process. Wait for its lease to end.`,
    );
  const kept = await keptSession(options).catch(async (error: unknown) => {
    await store.releaseLease(lease);
    throw error;
  });
  let { graph, state } = kept;
  let completion: Completion | null = null;
  const completions = new Set<Completion>();
  /** LiveKit reads the view several times a turn. */
  let shown: { readonly graph: Graph; readonly state: SessionState; readonly at: number; readonly view: View } | null =
    null;
  let isClosed = false;
  let requestId = ids.create('req');
  const commits: Commits = createCommits(store, lease, () => graph.hash, kept.seq);
  const owner = lease.owner;
  let cancelRenewal = (): void => undefined;
  const renew = (): void => {
    cancelRenewal = clock.schedule(renewEveryMs, () => {
      // A lease that cannot be renewed is told by the next commit, which the store then refuses.
      void store
        .acquireLease(sessionId, owner, leaseMs)
        // Whoever was declared dead meanwhile does not stand in the way of the one who goes on.
        .then((again) => (again === null || again.token === lease.token ? undefined : store.releaseLease(again)))
        .catch(() => undefined);
      renew();
    });
  };
  renew();
  const outbox = createOutbox();
  /** What is told between two steps goes with the second one, and what a step tells with that step. */
  let told: (() => Event)[] = [];
  let telling: (() => Event)[] | null = null;
  const stopRecording = hub.record(sessionId, kept.lastEvent, (event) => void (telling ?? told).push(event));
  const outputs = new Map<string, CallOutput>();
  const taken = new Set<string>();
  /** Calls that run without a completion. */
  const running = new Map<EffectKey, { readonly write: boolean; abort(): void; readonly settled: Promise<void> }>();

  /** `joins`: part of the transaction of the signal after it. */
  const dispatch = (signal: Signal, inputKeys: readonly string[] = [], joins = false): readonly FlowFact[] => {
    // What comes now is for whoever owns the session next.
    if (isClosed) return [];
    const events = told;
    const outer = telling;
    told = [];
    telling = events;
    const before = state;
    const next = step(graph, state, signal);
    const effects = [...next.effects, ...settledEffects(state, next.facts)];
    state = next.state;
    commits.add({ signal, state, effects, inputKeys, events, durable: !joins && isTransaction(signal, next) });
    for (const fact of next.facts) rememberCancelled(fact);
    publishStep(hub, { graph, signal, before, state, facts: next.facts, requestId });
    telling = outer;
    // Whoever resumes asks for everything again that is still to be done.
    outbox.drop((effect) => signal.type === 'session:resumed' || isVoid(effect, state));
    outbox.add(next.effects.filter((effect) => signal.type !== 'tool:called' && effect.state === 'intended'));
    return next.facts;
  };
  /** More than one where the flow was moved from outside while a call ran. */
  const openCompletions = (): readonly Completion[] => {
    for (const one of completions) if (one.isSettled) completions.delete(one);
    return [...completions];
  };
  const callsUnderWay = (): Promise<void> | null => {
    const open = [...openCompletions(), ...running.values()];
    return open.length === 0 ? null : Promise.all(open.map(({ settled }) => settled)).then(() => undefined);
  };
  /** Nobody waits for reads any more: they are aborted. Writes are waited for, up to the cap. */
  const overtakeCalls = async (): Promise<void> => {
    const settled = callsUnderWay();
    if (settled === null) return;
    let cancelCap = (): void => undefined;
    const cap = new Promise<void>((resolve) => (cancelCap = clock.schedule(options.writeCapMs, resolve)));
    for (const call of running.values()) if (!call.write) call.abort();
    await Promise.all([...openCompletions().map((one) => one.supersede(cap)), Promise.race([settled, cap])]);
    cancelCap();
  };
  const generators = createGenerators(options, async () => {
    await commits.settled();
    return (await store.readLog(sessionId)).map(({ signal }) => signal);
  });
  /** Folds the calls of a batch in, and keeps what the model is to read of them. */
  const settleCalls = (batch: Omit<BatchSettled, 'type' | 'at'>): void => {
    for (const call of batch.calls) outputs.set(call.callId, callOutput(call));
    const asked = graph;
    const facts = dispatch({ type: 'batch:settled', at: clock.now(), ...batch });
    for (const [callId, note] of droppedMoves(asked, state, batch.calls, facts)) {
      const { output = '', isError = false } = outputs.get(callId) ?? {};
      outputs.set(callId, { output: `${output}\n${note}`, isError });
    }
  };
  /** Questions that the caller spoke over before they were asked: they are asked again when they still matter. */
  const forgetUnsaid = (): void => {
    const unsaid = outbox.drop(
      (effect) => effect.kind === 'wait' || (effect.kind === 'say' && effect.payload.reason !== 'node'),
    );
    for (const { key } of unsaid)
      dispatch({ type: 'speech:settled', at: clock.now(), key, state: 'cancelled', text: '', heard: '' });
  };
  const rememberCancelled = (fact: FlowFact): void => {
    // A call that waits for a yes is told under its call id, which is what the model was told it is waiting under.
    if (fact.type === 'tool:settled' && fact.data.state === 'cancelled' && outputs.has(fact.data.key))
      outputs.set(fact.data.key, { output: 'Not done: the caller has not agreed.', isError: false });
  };
  const execute = async (key: EffectKey, call: ToolPayload, signal: AbortSignal): Promise<ExecutionOutcome> => {
    // A call that the session intends already was committed by the step that intends it.
    if (call.write && openEffect(state, key) === undefined) {
      const { callId, name, node, visit } = call;
      dispatch({ type: 'tool:called', at: clock.now(), key, callId, name, node, visit, arguments: call.arguments });
      // What the session does not intend is not done: the node was left in the meantime.
      if (openEffect(state, key) === undefined)
        return { ok: false, cancelled: true, error: `The step that offered ${name} is over.` };
    }
    try {
      if (call.write) await commits.settled();
    } catch {
      return { ok: false, cancelled: false, error: 'It could not be kept, so it was not done.' };
    }
    return await executor.execute(key, call, signal);
  };

  /** A session that is resumed finds the graph that it ran, whatever the files say by then. */
  const keepGraph = async ({ hash, document }: Graph): Promise<void> => {
    await store.saveGraph(hash, document as unknown as Json); // A document is JSON by the loader's contract.
  };

  /** The graph of the flow that called this one, as the store has kept it; null where none did. */
  const callingGraph = async (): Promise<Graph | null> => {
    const calling = callingFlow(state);
    if (calling === null) return null;
    if (calling.hash === options.graph.hash) return options.graph;
    const document = await store.loadGraph(calling.hash);
    return (document === null ? undefined : options.compile?.(document)) ?? null;
  };
  const activeFlow = (): string | null =>
    callingFlow(state) === null && isClassicFlow(graph.document) ? null : state.flow.id;
  const choose = ({ eventId, text, via }: Inbound): Promise<TurnChoice> =>
    options.policy?.choose({ eventId, text, via, activeFlow: activeFlow() }) ?? Promise.resolve({ to: 'current' });
  /** Carries out what was decided about a turn, as one transaction. */
  const follow = async (inbound: Inbound, choice: TurnChoice, keys: readonly string[]): Promise<void> => {
    const turn = { type: 'user:turn', at: clock.now(), ...inbound } as const;
    if (choice.to === 'nobody') {
      if (choice.stopsFlow === true) await leaveFlow(true);
      dispatch({ ...turn, policy: choice.policy }, keys);
      return;
    }
    const next = choice.to === 'flow' ? await generators.resolve(choice.flow, choice.input) : null;
    if (choice.to === 'current' || next === null) {
      if (choice.to === 'flow') options.policy?.tellFallback();
      dispatch(turn, keys);
      return;
    }
    await keepGraph(next);
    await leaveFlow(true);
    dispatch({ ...turn, policy: { action: 'hold', by: choice.by } }, [], true);
    beginFlow(next, isJsonObject(choice.input) ? choice.input : {}, keys);
  };
  /** Begins a flow that the caller is routed to and the store has. */
  const beginFlow = (next: Graph, input: JsonObject, keys: readonly string[]): void => {
    graph = next;
    const flow = { id: next.name, hash: next.hash };
    dispatch({ type: 'flow:called', at: clock.now(), flow, input, routed: true }, keys);
  };
  /** Where a reply leads is settled before the words that come after it, which are for that flow. */
  const takeRoute = async (): Promise<void> => {
    const routed = outbox.drop((effect) => effect.kind === 'handoff' && effect.payload.routed === true);
    for (const effect of routed) if (effect.kind === 'handoff') await engine.handOff(effect);
  };
  /** Carries out a handoff, once the store has the flow that it leads to. */
  const handOver = async ({ key, payload: { to, input, routed } }: HandoffEffect): Promise<void> => {
    const settled = { type: 'effect:settled', at: clock.now(), key } as const;
    const next = await generators.resolve(to, input);
    if (next === null) {
      if (routed === true) options.policy?.tellFallback();
      dispatch({ ...settled, state: 'failed', error: 'flow-unknown' });
      return;
    }
    await keepGraph(next);
    if (routed === true) {
      dispatch({ ...settled, state: 'done' }, [], true);
      beginFlow(next, {}, []);
      return;
    }
    graph = next;
    dispatch({ type: 'flow:handed-off', at: clock.now(), key, flow: { id: next.name, hash: next.hash }, input });
  };
  /** Goes back to the flow that called this one; false where there is none. */
  const leaveFlow = async (joins: boolean): Promise<boolean> => {
    const calling = await callingGraph();
    if (calling === null) return false;
    graph = calling;
    dispatch({ type: 'flow:returned', at: clock.now() }, [], joins);
    return true;
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
        shown = { graph, state, at, view: viewOf(graph, state, at) };
      return shown.view;
    },
    get activeFlow() {
      return activeFlow();
    },
    get completion() {
      return completion;
    },
    async start(input) {
      const { timeZone } = options;
      if (kept.movesTo !== null) return await engine.swap(graph, kept.movesTo, true);
      if (state.status !== 'new') {
        dispatch({ type: 'session:resumed', at: clock.now() });
        return;
      }
      await keepGraph(graph);
      const flow = { id: graph.name, hash: graph.hash };
      dispatch({ type: 'session:started', at: clock.now(), sessionId, flow, input, timeZone });
    },
    async receive(inbound) {
      const key = `${sessionId}/${inbound.eventId}`;
      if (taken.has(key)) return 'duplicate';
      taken.add(key);
      if (await store.wasConsumed(key)) return 'duplicate';
      if (state.status !== 'active') return 'over';
      requestId = ids.create('req');
      await overtakeCalls();
      await takeRoute();
      forgetUnsaid();
      await follow(inbound, await choose(inbound), [key]);
      return 'taken';
    },
    decidesFirst: options.policy?.decides ?? false,
    giveBack: () => leaveFlow(false),
    dispatch: (signal) => void dispatch(signal),
    async swap(next, node, isResumed = false) {
      await keepGraph(next);
      graph = next;
      const flow = { id: next.name, hash: next.hash };
      const where = { ...(node === undefined ? {} : { node }), ...(isResumed ? { resumed: true as const } : {}) };
      dispatch({ type: 'flow:swapped', at: clock.now(), flow, ...where });
    },
    openCompletion(reply) {
      const { visit } = state;
      let made = 0;
      const asked = graph;
      const node = nodeOf(asked, state, state.node);
      if (node === null) throw new FlowError('node-unknown', `node "${state.node}" is not in the flow that runs.`);
      completion = createCompletion({
        node,
        visit,
        offered: (name) => functionIn(asked, node, name),
        isOver: () => state.visit !== visit || graph !== asked,
        nextKey: () => `${reply.key}.${(made += 1)}`,
        recordOutcome: (given) => recordOutcome(asked, state, given, clock.now()),
        execute,
        settle: (text, calls, superseded) =>
          settleCalls({ reply: reply.key, text, calls, ...(superseded ? { superseded } : {}) }),
      });
      completions.add(completion);
      return completion;
    },
    async runCall(effect) {
      const { key, payload: call } = effect;
      const abort = new AbortController();
      const run = async (): Promise<void> => {
        const refused = generators.refusal(graph, state, call);
        const outcome = outcomeOf(refused ?? (await execute(key, call, abort.signal)));
        running.delete(key);
        const { callId, name, node, visit } = call;
        settleCalls({
          reply: null,
          text: '',
          calls: [{ key, callId, name, node, visit, arguments: call.arguments, ...outcome }],
        });
      };
      const settled = run();
      // What a generator waits for is not overtaken: the caller's words lead it nowhere else.
      const write = call.write || graph.generator !== null;
      running.set(key, { write, abort: () => abort.abort(), settled });
      await settled;
    },
    async advance(effect) {
      const run = async (): Promise<void> => {
        const outcome = await generators.advance(effect, state);
        running.delete(effect.key);
        dispatch({ ...outcome, at: clock.now() });
      };
      const settled = run();
      running.set(effect.key, { write: true, abort: () => undefined, settled });
      await settled;
    },
    async handOff(effect) {
      const settled = handOver(effect).finally(() => running.delete(effect.key));
      // The caller's words wait for it, as for a write: they are for the flow that it leads to.
      const waited = settled.catch(() => undefined);
      running.set(effect.key, { write: true, abort: () => undefined, settled: waited });
      await settled;
    },
    get callsUnderWay() {
      return callsUnderWay();
    },
    outputOf: (callId) => outputs.get(callId),
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
      await overtakeCalls();
      cancelRenewal();
      isClosed = true;
      stopRecording();
      await commits.flush(told).catch(() => undefined); // The store has failed before; its error was told to the turn it stopped.
      // Whoever is done with a session tidies up; a store that fails now is tidied up by the next one.
      await store.forgetInputs(clock.now() - inputsKeptMs).catch(() => undefined);
      await store.releaseLease(lease);
    },
  };
  return engine;
}

/** What was intended and is not open any more needs no performing. */
function isVoid(effect: Effect, state: SessionState): boolean {
  return !Object.hasOwn(state.effects, effect.key);
}
