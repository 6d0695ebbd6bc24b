import { errorKind } from '../../errors.ts';
import type { FlowRef } from '../../events/flow-ref.ts';
import type { InboxEntry } from '../../events/inbox.ts';
import type { EffectKey } from '../../events/effect.ts';
import { isJsonObject, type Json } from '../../events/json.ts';
import type { Utterance } from '../../events/dialogue.ts';
import type { FlowCalled, SessionStarted, Signal, TurnPolicy } from '../../events/signal.ts';
import { classic, isClassicFlow } from '../../flow/classic.ts';
import type { Graph } from '../../graph/graph.ts';
import { lastSaid, openEffect } from '../../kernel/draft.ts';
import { callingFlow } from '../../kernel/stack.ts';
import type { Store } from '../../ports/store.ts';
import type { Clock } from '../../ports/time.ts';
import type { Inbound } from './engine.ts';
import type { EngineOptions } from './engine-options.ts';
import type { Fold } from './fold.ts';
import type { Generators, HandoffEffect } from '../generators/generators.ts';
import type { TurnChoice } from '../policy/policy.ts';
import { openTaskQuestion } from '../../kernel/task-question.ts';
import { readChoice } from '../words/read-choice.ts';
import { readUtterance } from '../words/read-utterance.ts';

/** Which flow has the conversation: where turns are routed, and how one flow gives way to another. */
export interface FlowChanges {
  /** The flow that has the conversation; null on the classic path. */
  active(): string | null;
  /** Keeps the graph of a flow, so that a session that is resumed finds the one it ran, whatever the files say by then. */
  keep(graph: Graph): Promise<void>;
  /** What a caller's words say as a command; null where they are none. */
  command(inbound: Inbound): Promise<TurnChoice | null>;
  /** What a hook decides about words that answer a task; null where they go to it. */
  answer(inbound: Inbound): Promise<TurnChoice | null>;
  /** Takes a caller's turn to its flow, which it decides where none is `chosen`, in one transaction with what goes with it. */
  take(inbound: Inbound, beside: Beside, chosen?: TurnChoice | null): Promise<void>;
  /** Takes words to the question of a task: they do not count as a turn of the flow. */
  takeForTask(inbound: Inbound, beside: Beside): void;
  /** Says what a command has to say while a task asks the caller: nothing that waits for the answer is void. */
  takeAside(inbound: Inbound, beside: Beside, policy: TurnPolicy): void;
  /** Begins the session. `beforeLLM` decides about the first turn of a run before anything of it is said or done. */
  start(started: Omit<SessionStarted, 'type' | 'at' | 'flow'>, keys: readonly string[]): Promise<void>;
  /** Lets `beforeLLM` decide about an inference that no words have led to; false if the model is not asked. */
  mayInfer(key: EffectKey): true | Promise<boolean>;
  /** Carries out a handoff, once the store has the flow that it leads to. */
  handOver(effect: HandoffEffect): Promise<void>;
  /** Goes back to the flow that called this one; false where there is none. */
  leave(joins: boolean): Promise<boolean>;
  /** Goes on with another graph, once the store has it. */
  swap(graph: Graph, node?: string, isResumed?: boolean): Promise<void>;
  /** The same with a version in which the node of the session is the same: nothing is broken off. */
  revise(graph: Graph): Promise<void>;
}

/** What is kept in the transaction of a turn besides it: the keys that it consumes, and who is called if it is not heard. */
export interface Beside {
  readonly keys: readonly string[];
  readonly call: InboxEntry | null;
}

export interface FlowChangesOptions extends Pick<EngineOptions, 'store' | 'graph' | 'compile' | 'policy'> {
  readonly fold: Fold;
  readonly clock: Clock;
  readonly generators: Pick<Generators, 'resolve'>;
  /** The language that a hook has chosen for the first turn; null if none has. */
  readonly languageAtStart: () => string | null;
}

/** Why a flow cannot begin that nobody has registered. */
const unknownFlow = 'unknown-flow';

/**
 * When each graph was kept in a store by this process: of a thousand sessions that begin in a minute the first one keeps it.
 * It is kept again later, in case that an older copy of the store was put in its place.
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
    await store.saveGraph(hash, document as unknown as Json); // A document is JSON by the loader's contract.
    keptAt.set(hash, now);
  };
  /** The graph of the flow that called this one, as the store has kept it; null where none did. */
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
  const dispatch = (signal: Signal, { keys, call }: Beside): void => void fold.dispatch(signal, keys, false, [], call);
  /** Begins a flow that the caller is routed to and the store has; `said` is what the flow is to hear. */
  const begin = (next: Graph, input: Json, beside: Beside, said: Said): void => {
    fold.follow(next);
    dispatch({ type: 'flow:called', at: clock.now(), flow: refOf(next), input, routed: true, ...said }, beside);
  };
  /** The flow of a name, or why it cannot begin. */
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
  /** The flow that a hook, a command or the router has chosen; null if it cannot begin, which is reported. */
  const chosenFlow = async ({ flow, input, by }: RoutedChoice): Promise<Graph | null> => {
    const { next, reason } = await resolve(flow, input);
    if (next === null) policy?.tellFallback(by, reason);
    return next;
  };
  /** Leaves the active flow for the classic path, as part of the transaction that follows; false where there is none. */
  const goClassic = async (): Promise<boolean> => {
    if (active() === null || (await leave(true))) return true;
    // Nothing called the flow that the conversation began with.
    const { next } = await resolve(classic, {});
    if (next === null) return false;
    await keep(next);
    fold.follow(next);
    fold.dispatch({ type: 'flow:swapped', at: clock.now(), flow: refOf(next) }, [], true);
    return true;
  };

  /** The flow that a hook has chosen for a run; null if it cannot begin. */
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

  /** The words with what is known as they come in. */
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
        // What is open there is what the words may answer.
        dispatch({ ...turn, utterance: read(inbound.text, at) }, beside);
        return;
      }
      const next = choice.to === 'flow' ? await chosenFlow(choice) : null;
      if (choice.to === 'current' || next === null) {
        if (choice.to === 'flow' && choice.by === 'command') {
          // A command is no word to the model; why it cannot is an event.
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
      // A command is for us, and no word to the flow.
      const said = choice.by === 'command' ? {} : { inbound };
      begin(next, choice.input, beside, said);
    },
    async handOver({ key, payload: { to, input, routed, inbound } }) {
      // Back to where the caller was routed from is no flow on top of it.
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

const nothingBeside: Beside = { keys: [], call: null };

/** The part of the caller's words that the flow which they lead to is told. */
type Said = Pick<FlowCalled, 'inbound' | 'answered'>;

/** A flow that nothing called is the whole conversation: stopped, it leaves nobody to talk to. */
function endedBy(policy: TurnPolicy): TurnPolicy {
  return { ...policy, action: 'end', reason: 'stopped', by: 'command' };
}

type RoutedChoice = Extract<TurnChoice, { to: 'flow' }>;

/** The decision of a hook that leads to a flow, as the log keeps it. */
function routeOf({ by, policyReason }: RoutedChoice, next: Graph): TurnPolicy {
  const why = policyReason === undefined ? {} : { policyReason };
  return { action: 'hold', by, to: next.name, ...why };
}

/** The name of a flow; null for the classic path. */
function nameOf({ document, name }: Graph): string | null {
  return isClassicFlow(document) ? null : name;
}

function refOf({ name, hash }: Graph): FlowRef {
  return { id: name, hash };
}
