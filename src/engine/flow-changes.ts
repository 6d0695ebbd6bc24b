import { errorKind } from '../model/errors.ts';
import type { FlowRef } from '../model/flow-ref.ts';
import type { InboxEntry } from '../model/inbox.ts';
import type { EffectKey } from '../model/effect.ts';
import { isJsonObject, type Json } from '../model/json.ts';
import type { FlowCalled, SessionStarted, TurnPolicy } from '../model/signals/signal.ts';
import { classic, isClassicFlow } from '../flow/document/classic.ts';
import type { Graph } from '../flow/graph/graph.ts';
import { openEffect } from '../kernel/state/draft.ts';
import { callingFlow } from '../kernel/state/stack.ts';
import type { Store } from '../model/ports/store.ts';
import type { Session } from './session.ts';
import type { SessionLanguage } from './session/session-language.ts';
import type { Generators, HandoffEffect } from './generators/generators.ts';
import type { TurnChoice } from './policy/policy.ts';

/** Changes the active flow of a session. */
export interface FlowChanges {
  /** Stores the graph of a flow, so that a resumed session finds the version it ran even if the files have changed. */
  keep(graph: Graph): Promise<void>;
  /** Returns the flow that a hook, a command or the router chose. Null if it cannot start; the fallback is reported. */
  chosen(choice: RoutedChoice): Promise<Graph | null>;
  /** Starts a flow that the caller is routed to. Its graph is stored already. `said` contains the words for the flow. */
  begin(flow: Graph, input: Json, beside: TurnCommit, said: Said): void;
  /** Starts the session. For a run, `beforeLLM` decides about the first turn before anything is said or done. */
  start(started: Omit<SessionStarted, 'type' | 'at' | 'flow'>, keys: readonly string[]): Promise<void>;
  /** Asks `beforeLLM` about an inference that no caller's words caused. False if the model must not run. */
  mayInfer(key: EffectKey): true | Promise<boolean>;
  /** Carries out a handoff, once the target graph is stored. */
  handOver(effect: HandoffEffect): Promise<void>;
  /** Returns to the calling flow; false if there is none. */
  leave(joins: boolean): Promise<boolean>;
  /** Leaves the active flow for the classic path, within the next transaction. False if there is no classic path. */
  goClassic(): Promise<boolean>;
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

/** Reason for a fallback: no flow of this name is registered. */
export const unknownFlow = 'unknown-flow';

/**
 * When this process last stored each graph, so that a thousand sessions started in a minute
 * store it once. It is stored again later in case an older copy of the store was restored.
 */
const graphsKept = new WeakMap<Store, Map<string, number>>();
const keepAgainMs = 60_000;

export function createFlowChanges(
  session: Session,
  generators: Pick<Generators, 'resolve'>,
  language: Pick<SessionLanguage, 'atStart'>,
): FlowChanges {
  const { options } = session;
  const { store, clock, policy } = options;
  const keep = async ({ hash, document }: Graph): Promise<void> => {
    const keptAt = graphsKept.get(store) ?? new Map<string, number>();
    graphsKept.set(store, keptAt);
    const now = clock.now();
    if (Math.abs(now - (keptAt.get(hash) ?? -Infinity)) < keepAgainMs) return;
    await store.graphs.save(hash, document as unknown as Json); // The loader guarantees that a document is JSON.
    keptAt.set(hash, now);
  };
  /** Returns the stored graph of the calling flow; null if none. */
  const callingGraph = async (): Promise<Graph | null> => {
    const calling = callingFlow(session.state);
    if (calling === null) return null;
    if (calling.hash === options.graph.hash) return options.graph;
    const document = await store.graphs.get(calling.hash);
    return (document === null ? undefined : options.compile?.(document, calling.hash)) ?? null;
  };
  const leave = async (joins: boolean): Promise<boolean> => {
    const calling = await callingGraph();
    if (calling === null) return false;
    session.follow(calling);
    session.dispatch({ signal: { type: 'flow:returned', at: clock.now() }, joins });
    return true;
  };
  const begin: FlowChanges['begin'] = (next, input, { keys, call }, said) => {
    session.follow(next);
    const called = { type: 'flow:called', at: clock.now(), flow: refOf(next), input, routed: true } as const;
    session.dispatch({ signal: { ...called, ...said }, inputKeys: keys, call });
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
  const chosen: FlowChanges['chosen'] = async ({ flow, input, by }) => {
    const { next, reason } = await resolve(flow, input);
    if (next === null) policy?.tellFallback(by, reason);
    return next;
  };
  const goClassic = async (): Promise<boolean> => {
    if (session.activeFlow() === null || (await leave(true))) return true;
    // The conversation began with this flow, so there is no calling flow.
    const { next } = await resolve(classic, {});
    if (next === null) return false;
    await keep(next);
    session.follow(next);
    session.dispatch({ signal: { type: 'flow:swapped', at: clock.now(), flow: refOf(next) }, joins: true });
    return true;
  };

  /** Returns the flow that a hook chose for a run; null if it cannot start. */
  const begunBy = async (choice: RoutedChoice) => {
    const next = await chosen(choice);
    if (next === null) return null;
    const input = isJsonObject(choice.input) ? choice.input : {};
    return { graph: next, told: { policy: routeOf(choice, next), input } };
  };

  const inferUnless = async (deciding: Promise<TurnChoice | null>, key: EffectKey): Promise<boolean> => {
    const choice = await deciding;
    if (choice === null || choice.to === 'current') return true;
    if (openEffect(session.state, key) === undefined) return false;
    const decided = { type: 'response:decided', at: clock.now(), key, action: 'cancel' } as const;
    if (choice.to === 'nobody') {
      session.dispatch({ signal: { ...decided, policy: choice.policy } });
      return false;
    }
    const next = await chosen(choice);
    if (next === null) return true;
    await keep(next);
    session.dispatch({ signal: { ...decided, policy: routeOf(choice, next) }, joins: true });
    if (choice.flow === classic) await goClassic();
    else {
      await leave(true);
      begin(next, choice.input, nothingBeside, {});
    }
    return false;
  };

  return {
    keep,
    chosen,
    begin,
    goClassic,
    async handOver({ key, payload: { to, input, routed, inbound } }) {
      // A handoff back to the calling flow returns to it instead of adding a flow on top.
      if (routed !== true && callingFlow(session.state)?.id === to && (await leave(false))) return;
      const settled = { type: 'effect:settled', at: clock.now(), key } as const;
      const { next, reason } = await resolve(to, input);
      if (next === null) {
        if (routed === true) policy?.tellFallback('router', reason);
        session.dispatch({ signal: { ...settled, state: 'failed', error: 'flow-unknown' } });
        return;
      }
      await keep(next);
      if (routed === true) {
        session.dispatch({ signal: { ...settled, state: 'done' }, joins: true });
        begin(next, {}, nothingBeside, inbound === undefined ? {} : { inbound, answered: true });
        return;
      }
      session.follow(next);
      session.dispatch({ signal: { type: 'flow:handed-off', at: clock.now(), key, flow: refOf(next), input } });
    },
    async start(started, keys) {
      const isRun = started.correlation?.triggerType !== undefined;
      const choice = isRun ? ((await policy?.infer(nameOf(session.graph))) ?? null) : null;
      const begun = choice?.to === 'flow' ? await begunBy(choice) : null;
      await keep(begun?.graph ?? session.graph);
      if (begun !== null) session.follow(begun.graph);
      const decided = choice?.to === 'nobody' ? { policy: choice.policy } : (begun?.told ?? {});
      const spoken = language.atStart();
      const inLanguage = spoken === null ? {} : { language: spoken };
      const signal = { type: 'session:started', at: clock.now(), ...started, ...decided, ...inLanguage } as const;
      session.dispatch({ signal: { ...signal, flow: refOf(session.graph) }, inputKeys: keys });
    },
    mayInfer(key) {
      const deciding = policy?.infer(session.activeFlow()) ?? null;
      return deciding === null || inferUnless(deciding, key);
    },
    leave,
    async swap(next, node, isResumed = false) {
      await keep(next);
      session.follow(next);
      const where = { ...(node === undefined ? {} : { node }), ...(isResumed ? { resumed: true as const } : {}) };
      session.dispatch({ signal: { type: 'flow:swapped', at: clock.now(), flow: refOf(next), ...where } });
    },
    async revise(next) {
      await keep(next);
      session.follow(next);
      session.dispatch({ signal: { type: 'flow:swapped', at: clock.now(), flow: refOf(next), stays: true } });
    },
  };
}

const nothingBeside: TurnCommit = { keys: [], call: null };

/** The caller's words that are passed to the flow they lead to. */
export type Said = Pick<FlowCalled, 'inbound' | 'answered'>;

export type RoutedChoice = Extract<TurnChoice, { to: 'flow' }>;

/** Converts a hook's decision that leads to a flow to the form of the log. */
export function routeOf({ by, policyReason }: RoutedChoice, next: Graph): TurnPolicy {
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
