import { errorKind } from '../model/errors.ts';
import type { FlowRef } from '../model/flow-ref.ts';
import type { InboxEntry } from '../model/inbox.ts';
import type { EffectKey } from '../model/effect.ts';
import { isJsonObject, type Json } from '../model/json.ts';
import type { Utterance } from '../model/dialogue.ts';
import type { FlowCalled, SessionStarted, Signal, TurnPolicy } from '../model/signals/signal.ts';
import { classic, isClassicFlow } from '../flow/document/classic.ts';
import type { Graph } from '../flow/graph/graph.ts';
import { lastSaid, openEffect } from '../kernel/state/draft.ts';
import { callingFlow } from '../kernel/state/stack.ts';
import type { Store } from '../model/ports/store.ts';
import type { Clock } from '../model/ports/time.ts';
import type { Inbound } from './engine.ts';
import type { EngineOptions } from './engine-options.ts';
import type { Fold } from './fold.ts';
import type { Generators, HandoffEffect } from './generators/generators.ts';
import type { TurnChoice } from './policy/policy.ts';
import { openTaskQuestion } from '../kernel/wait/task-question.ts';
import { readChoice } from './words/read-choice.ts';
import { readUtterance } from './words/read-utterance.ts';

/** Routes turns to flows and changes the active flow. */
export interface FlowChanges {
  /** Returns the active flow; null on the classic path. */
  active(): string | null;
  /** Stores the graph of a flow, so that a resumed session finds the version it ran even if the files have changed. */
  keep(graph: Graph): Promise<void>;
  /** Runs the caller's words as a command; null if they are not a command. */
  command(inbound: Inbound): Promise<TurnChoice | null>;
  /** Asks the hooks about words that answer a task; null if the words go to the task. */
  answer(inbound: Inbound): Promise<TurnChoice | null>;
  /** Takes a caller's turn to `chosen`, or to the flow that the policy chooses. Commits it in one transaction with `beside`. */
  take(inbound: Inbound, beside: TurnCommit, chosen?: TurnChoice | null): Promise<void>;
  /** Takes words as the answer to a task's question. They do not count as a turn of the flow. */
  takeForTask(inbound: Inbound, beside: TurnCommit): void;
  /** Says a command's line while a task waits for the caller. The question stays open. */
  takeAside(inbound: Inbound, beside: TurnCommit, policy: TurnPolicy): void;
  /** Starts the session. For a run, `beforeLLM` decides about the first turn before anything is said or done. */
  start(started: Omit<SessionStarted, 'type' | 'at' | 'flow'>, keys: readonly string[]): Promise<void>;
  /** Asks `beforeLLM` about an inference that no caller's words caused. False if the model must not run. */
  mayInfer(key: EffectKey): true | Promise<boolean>;
  /** Carries out a handoff, once the target graph is stored. */
  handOver(effect: HandoffEffect): Promise<void>;
  /** Returns to the calling flow; false if there is none. */
  leave(joins: boolean): Promise<boolean>;
  /** Replaces the graph, once it is stored. */
  swap(graph: Graph, node?: string, isResumed?: boolean): Promise<void>;
  /** Replaces the graph with a version that has the same current node. Nothing is interrupted. */
  revise(graph: Graph): Promise<void>;
}

/** Stored in the transaction of a turn: the keys that it consumes, and the call to make if the turn is not heard. */
export interface TurnCommit {
  readonly keys: readonly string[];
  readonly call: InboxEntry | null;
}

export interface FlowChangesOptions extends Pick<EngineOptions, 'store' | 'graph' | 'compile' | 'policy'> {
  readonly fold: Fold;
  readonly clock: Clock;
  readonly generators: Pick<Generators, 'resolve'>;
  /** Returns the language that a hook chose for the first turn; null if none. */
  readonly languageAtStart: () => string | null;
}

/** Reason for a fallback: no flow of this name is registered. */
const unknownFlow = 'unknown-flow';

/**
 * When this process last stored each graph, so that a thousand sessions started in a minute
 * store it once. It is stored again later in case an older copy of the store was restored.
 */
const graphsKept = new WeakMap<Store, Map<string, number>>();
const keepAgainMs = 60_000;

export function createFlowChanges(options: FlowChangesOptions): FlowChanges {
  const { fold, store, clock, generators, policy } = options;
  const active = (): string | null => (isClassicFlow(fold.graph.document) ? null : fold.state.flow.id);
  const keep = async ({ hash, document }: Graph): Promise<void> => {
    const keptAt = graphsKept.get(store) ?? new Map<string, number>();
    graphsKept.set(store, keptAt);
    const now = clock.now();
    if (Math.abs(now - (keptAt.get(hash) ?? -Infinity)) < keepAgainMs) return;
    await store.saveGraph(hash, document as unknown as Json); // The loader guarantees that a document is JSON.
    keptAt.set(hash, now);
  };
  /** Returns the stored graph of the calling flow; null if none. */
  const callingGraph = async (): Promise<Graph | null> => {
    const calling = callingFlow(fold.state);
    if (calling === null) return null;
    if (calling.hash === options.graph.hash) return options.graph;
    const document = await store.loadGraph(calling.hash);
    return (document === null ? undefined : options.compile?.(document, calling.hash)) ?? null;
  };
  const read = (text: string, at: number): Utterance =>
    readUtterance({ graph: fold.graph, state: fold.state, civil: fold.civil(at) }, text);
  const leave = async (joins: boolean): Promise<boolean> => {
    const calling = await callingGraph();
    if (calling === null) return false;
    fold.follow(calling);
    fold.dispatch({ type: 'flow:returned', at: clock.now() }, [], joins);
    return true;
  };
  const dispatch = (signal: Signal, { keys, call }: TurnCommit): void =>
    void fold.dispatch(signal, keys, false, [], call);
  /** Starts a flow that the caller is routed to. Its graph is stored already. `said` contains the words for the flow. */
  const begin = (next: Graph, input: Json, beside: TurnCommit, said: Said): void => {
    fold.follow(next);
    dispatch({ type: 'flow:called', at: clock.now(), flow: refOf(next), input, routed: true, ...said }, beside);
  };
  /** Returns the flow of this name, or the reason why it cannot start. */
  const resolve = async (
    to: string,
    input: Json,
  ): Promise<{ readonly next: Graph | null; readonly reason: string }> => {
    try {
      return { next: await generators.resolve(to, input), reason: unknownFlow };
    } catch (error) {
      return { next: null, reason: errorKind(error) };
    }
  };
  /** Returns the flow that a hook, a command or the router chose. Null if it cannot start; the fallback is reported. */
  const chosenFlow = async ({ flow, input, by }: RoutedChoice): Promise<Graph | null> => {
    const { next, reason } = await resolve(flow, input);
    if (next === null) policy?.tellFallback(by, reason);
    return next;
  };
  /** Leaves the active flow for the classic path, within the next transaction. False if there is no classic path. */
  const goClassic = async (): Promise<boolean> => {
    if (active() === null || (await leave(true))) return true;
    // The conversation began with this flow, so there is no calling flow.
    const { next } = await resolve(classic, {});
    if (next === null) return false;
    await keep(next);
    fold.follow(next);
    fold.dispatch({ type: 'flow:swapped', at: clock.now(), flow: refOf(next) }, [], true);
    return true;
  };

  /** Returns the flow that a hook chose for a run; null if it cannot start. */
  const begunBy = async (choice: RoutedChoice) => {
    const next = await chosenFlow(choice);
    if (next === null) return null;
    const input = isJsonObject(choice.input) ? choice.input : {};
    return { graph: next, told: { policy: routeOf(choice, next), input } };
  };

  const inferUnless = async (deciding: Promise<TurnChoice | null>, key: EffectKey): Promise<boolean> => {
    const choice = await deciding;
    if (choice === null || choice.to === 'current') return true;
    if (openEffect(fold.state, key) === undefined) return false;
    const decided = { type: 'response:decided', at: clock.now(), key, action: 'cancel' } as const;
    if (choice.to === 'nobody') {
      fold.dispatch({ ...decided, policy: choice.policy });
      return false;
    }
    const next = await chosenFlow(choice);
    if (next === null) return true;
    await keep(next);
    fold.dispatch({ ...decided, policy: routeOf(choice, next) }, [], true);
    if (choice.flow === classic) await goClassic();
    else {
      await leave(true);
      begin(next, choice.input, nothingBeside, {});
    }
    return false;
  };

  /** Adds the active flow and the last line to the words. */
  const about = (inbound: Inbound) => ({ ...inbound, activeFlow: active(), lastSaid: lastSaid(fold.state) });

  return {
    active,
    keep,
    command: (inbound) => policy?.command(about(inbound)) ?? Promise.resolve(null),
    answer: (inbound) => policy?.answer(about(inbound)) ?? Promise.resolve(null),
    takeForTask(inbound, beside) {
      const asked = openTaskQuestion(fold.state);
      const utterance = asked === null ? {} : { utterance: readChoice(fold.graph.reader, asked, inbound.text) };
      dispatch({ type: 'user:turn', at: clock.now(), ...inbound, answersTask: true, ...utterance }, beside);
    },
    takeAside(inbound, beside, decided) {
      dispatch({ type: 'user:turn', at: clock.now(), ...inbound, policy: decided, taskAsks: true }, beside);
    },
    async take(inbound, beside, given = null) {
      const chosen = given ?? policy?.choose(about(inbound)) ?? ({ to: 'current' } as const);
      const choice = chosen instanceof Promise ? await chosen : chosen;
      const at = clock.now();
      const turn = { type: 'user:turn', at, ...inbound } as const;
      if (choice.to === 'nobody') {
        const isStopped = choice.stopsFlow !== true || active() === null || (await leave(true));
        dispatch({ ...turn, policy: isStopped ? choice.policy : endedBy(choice.policy) }, beside);
        return;
      }
      if (choice.to === 'flow' && choice.flow === classic) {
        if (!(await goClassic())) policy?.tellFallback(choice.by, unknownFlow);
        // The words may answer a question that is open on the classic path.
        dispatch({ ...turn, utterance: read(inbound.text, at) }, beside);
        return;
      }
      const next = choice.to === 'flow' ? await chosenFlow(choice) : null;
      if (choice.to === 'current' || next === null) {
        if (choice.to === 'flow' && choice.by === 'command') {
          // A command is not shown to the model; the reason is published as an event.
          const text = `Flow "${choice.flow}" cannot begin: it needs input, or it cannot be read.`;
          dispatch({ ...turn, policy: { action: 'say', text, by: 'command' } }, beside);
          return;
        }
        const utterance = read(inbound.text, at);
        dispatch({ ...turn, utterance }, beside);
        return;
      }
      await keep(next);
      await leave(true);
      const line = choice.say === undefined ? {} : { text: choice.say };
      fold.dispatch({ ...turn, policy: { ...routeOf(choice, next), ...line } }, [], true);
      // A command is not passed to the flow as words.
      const said = choice.by === 'command' ? {} : { inbound };
      begin(next, choice.input, beside, said);
    },
    async handOver({ key, payload: { to, input, routed, inbound } }) {
      // A handoff back to the calling flow returns to it instead of adding a flow on top.
      if (routed !== true && callingFlow(fold.state)?.id === to && (await leave(false))) return;
      const settled = { type: 'effect:settled', at: clock.now(), key } as const;
      const { next, reason } = await resolve(to, input);
      if (next === null) {
        if (routed === true) policy?.tellFallback('router', reason);
        fold.dispatch({ ...settled, state: 'failed', error: 'flow-unknown' });
        return;
      }
      await keep(next);
      if (routed === true) {
        fold.dispatch({ ...settled, state: 'done' }, [], true);
        begin(next, {}, nothingBeside, inbound === undefined ? {} : { inbound, answered: true });
        return;
      }
      fold.follow(next);
      fold.dispatch({ type: 'flow:handed-off', at: clock.now(), key, flow: refOf(next), input });
    },
    async start(started, keys) {
      const isRun = started.correlation?.triggerType !== undefined;
      const choice = isRun ? ((await policy?.infer(nameOf(fold.graph))) ?? null) : null;
      const begun = choice?.to === 'flow' ? await begunBy(choice) : null;
      await keep(begun?.graph ?? fold.graph);
      if (begun !== null) fold.follow(begun.graph);
      const decided = choice?.to === 'nobody' ? { policy: choice.policy } : (begun?.told ?? {});
      const language = options.languageAtStart();
      const chosen = language === null ? {} : { language };
      const signal = { type: 'session:started', at: clock.now(), ...started, ...decided, ...chosen } as const;
      fold.dispatch({ ...signal, flow: refOf(fold.graph) }, keys);
    },
    mayInfer(key) {
      const deciding = policy?.infer(active()) ?? null;
      return deciding === null || inferUnless(deciding, key);
    },
    leave,
    async swap(next, node, isResumed = false) {
      await keep(next);
      fold.follow(next);
      const where = { ...(node === undefined ? {} : { node }), ...(isResumed ? { resumed: true as const } : {}) };
      fold.dispatch({ type: 'flow:swapped', at: clock.now(), flow: refOf(next), ...where });
    },
    async revise(next) {
      await keep(next);
      fold.follow(next);
      fold.dispatch({ type: 'flow:swapped', at: clock.now(), flow: refOf(next), stays: true });
    },
  };
}

const nothingBeside: TurnCommit = { keys: [], call: null };

/** The caller's words that are passed to the flow they lead to. */
type Said = Pick<FlowCalled, 'inbound' | 'answered'>;

/** Ends the session: stopping a flow without a calling flow leaves nothing to continue with. */
function endedBy(policy: TurnPolicy): TurnPolicy {
  return { ...policy, action: 'end', reason: 'stopped', by: 'command' };
}

type RoutedChoice = Extract<TurnChoice, { to: 'flow' }>;

/** Converts a hook's decision that leads to a flow to the form of the log. */
function routeOf({ by, policyReason }: RoutedChoice, next: Graph): TurnPolicy {
  const why = policyReason === undefined ? {} : { policyReason };
  return { action: 'hold', by, to: next.name, ...why };
}

/** Returns the name of a flow; null for the classic path. */
function nameOf({ document, name }: Graph): string | null {
  return isClassicFlow(document) ? null : name;
}

function refOf({ name, hash }: Graph): FlowRef {
  return { id: name, hash };
}
