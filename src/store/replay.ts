import { FlowError } from '../model/errors.ts';
import type { Json } from '../model/json.ts';
import type { Signal } from '../model/signals/signal.ts';
import type { Graph } from '../flow/graph/graph.ts';
import { foldedOver } from '../kernel/state/folded-over.ts';
import { newSession, type SessionState } from '../kernel/state/state.ts';
import { step } from '../kernel/step.ts';
import { readState } from '../kernel/state/upgrade.ts';
import type { LoggedSignal, Store } from '../model/ports/store.ts';

/** The result of folding a session's log. */
export interface Replay {
  readonly state: SessionState;
  /** Whether it equals the stored state byte for byte. A state of an older release is compared after its upgrade. */
  readonly isKept: boolean;
  readonly signals: number;
}

/** The first signal after which two flows differ. */
export interface Parting {
  readonly seq: number;
  readonly signal: Signal['type'];
  readonly node: string;
  readonly otherNode: string;
}

/** Adds readings that a signal of an older release lacks, as that release made them during the fold. */
export type ReadSignal = (standing: { readonly graph: Graph; readonly state: SessionState }, signal: Signal) => Signal;

/** How to fold a log. */
export interface Folding {
  readonly compile: (document: Json) => Promise<Graph>;
  readonly read: ReadSignal;
  /** Called for each folded step. */
  readonly onStep?: (step: FoldedStep) => void;
}

/** A signal of a log, the graph and state it was folded over, and its effects. */
export interface FoldedStep {
  readonly graph: Graph;
  readonly before: SessionState;
  readonly signal: Signal;
  readonly effects: StepResult['effects'];
}

/** Folds the log of a session without side effects. Throws `session-unknown` or `flow-version-missing`. */
export async function replay(store: Store, sessionId: string, { compile, read, onStep }: Folding): Promise<Replay> {
  const { log, kept, graphOf } = await open(store, sessionId, compile);
  let state = newSession(sessionId);
  for (const { signal } of log) {
    const graph = await graphOf(state, signal);
    const before = state;
    const result = step(graph, before, read({ graph, state }, signal));
    ({ state } = result);
    onStep?.({ graph, before, signal, effects: result.effects });
  }
  return { state, isKept: same(state, inThisVersion(kept)), signals: log.length };
}

/** Returns a stored state as this release reads it, so states of older releases compare by content. */
function inThisVersion(kept: Json): Json | SessionState {
  try {
    return readState(kept);
  } catch (error) {
    // An unreadable state differs from the fold.
    if (error instanceof FlowError && error.code === 'state-unreadable') return kept;
    throw error;
  }
}

/** Folds the log over its own flow and over a replacement. Returns their first difference, or null. */
export async function replayAgainst(
  store: Store,
  sessionId: string,
  { compile, read }: Folding,
  other: Graph,
): Promise<Parting | null> {
  const { log, graphOf } = await open(store, sessionId, compile);
  const begun = log[0]?.signal.type === 'session:started' ? log[0].signal.flow.hash : '';
  const beside = { graph: other, replaces: ({ hash }: Graph) => hash === begun };
  for await (const { seq, signal, own, changed, differs } of foldBeside(sessionId, log, { graphOf, read }, beside))
    if (differs.length > 0)
      return { seq, signal: signal.type, node: own.state.position.node, otherNode: changed.state.position.node };
  return null;
}

/** One signal and its results in the own and in the changed flow. */
export interface StepBeside {
  readonly seq: number;
  readonly signal: Signal;
  readonly own: StepResult;
  readonly changed: StepResult;
  /** The differences after it. */
  readonly differs: readonly ('node' | 'effects' | 'slots')[];
}

type StepResult = ReturnType<typeof step>;

/** Folds a log over its own flows and, in parallel, over a replacement for some of them. Needs no store. */
export async function* foldBeside(
  sessionId: string,
  log: readonly LoggedSignal[],
  {
    graphOf,
    read,
  }: { readonly graphOf: (state: SessionState, signal: Signal) => Promise<Graph>; readonly read: ReadSignal },
  other: { readonly graph: Graph; replaces(own: Graph): boolean },
): AsyncGenerator<StepBeside, void> {
  let [before, changedBefore] = [newSession(sessionId), newSession(sessionId)];
  for (const { seq, signal } of log) {
    const graph = await graphOf(before, signal);
    const changedGraph = other.replaces(graph) ? other.graph : graph;
    const own = step(graph, before, read({ graph, state: before }, signal));
    const changed = step(changedGraph, changedBefore, read({ graph: changedGraph, state: changedBefore }, signal));
    [before, changedBefore] = [own.state, changed.state];
    const differs = [
      ...(before.position.node === changedBefore.position.node ? [] : ['node' as const]),
      ...(same(own.effects, changed.effects) ? [] : ['effects' as const]),
      ...(same(before.knowledge.slots, changedBefore.knowledge.slots) ? [] : ['slots' as const]),
    ];
    yield { seq, signal, own, changed, differs };
  }
}

async function open(store: Store, sessionId: string, compile: (document: Json) => Promise<Graph>) {
  const kept = await store.sessions.get(sessionId);
  if (kept === null)
    throw new FlowError(
      'session-unknown',
      `the store has no session "${sessionId}". List the sessions with "roomflow sessions".`,
    );
  const graphs = new Map<string, Graph>();
  const graphOf = async (state: SessionState, signal: Signal): Promise<Graph> => {
    const hash = foldedOver(state, signal);
    const known = graphs.get(hash);
    if (known !== undefined) return known;
    const document = await store.graphs.get(hash);
    if (document === null)
      throw new FlowError('flow-version-missing', `the store has no flow ${hash} of session "${sessionId}".`);
    const graph = await compile(document);
    graphs.set(hash, graph);
    return graph;
  };
  return { log: await store.steps.list(sessionId), kept: kept.state, graphOf };
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
