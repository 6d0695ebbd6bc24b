import { FlowError } from '../errors.ts';
import type { Json } from '../events/json.ts';
import type { Signal } from '../events/signal.ts';
import type { Graph } from '../graph/graph.ts';
import { foldedOver } from '../kernel/folded-over.ts';
import { newSession, type SessionState } from '../kernel/state.ts';
import { step } from '../kernel/step.ts';
import { readState } from '../kernel/upgrade.ts';
import type { Store } from '../ports/store.ts';

/** What the log of a session folds to. */
export interface Replay {
  readonly state: SessionState;
  /** Whether that is the kept state, byte for byte; one of an older release as this release reads it. */
  readonly isKept: boolean;
  readonly signals: number;
}

/** Where two flows would part ways over the same signals: the first signal after which they differ. */
export interface Parting {
  readonly seq: number;
  readonly signal: Signal['type'];
  readonly node: string;
  readonly otherNode: string;
}

/** Reads what a signal of an older release does not hold, as that release did while it folded. */
export type ReadSignal = (standing: { readonly graph: Graph; readonly state: SessionState }, signal: Signal) => Signal;

/** How the log of a session is folded. */
export interface Folding {
  readonly compile: (document: Json) => Promise<Graph>;
  readonly read: ReadSignal;
}

/** Folds the log of a session; nothing is asked, said or done. Throws `session-unknown` or `flow-gone`. */
export async function replay(store: Store, sessionId: string, { compile, read }: Folding): Promise<Replay> {
  const { log, kept, graphOf } = await open(store, sessionId, compile);
  let state = newSession(sessionId);
  for (const { signal } of log) {
    const graph = await graphOf(state, signal);
    ({ state } = step(graph, state, read({ graph, state }, signal)));
  }
  return { state, isKept: same(state, inThisVersion(kept)), signals: log.length };
}

/** A kept state as this release reads it, so that one that an older release wrote is compared by what it says. */
function inThisVersion(kept: Json): Json | SessionState {
  try {
    return readState(kept);
  } catch (error) {
    // What cannot be read is not what the log folds to.
    if (error instanceof FlowError && error.code === 'state-unreadable') return kept;
    throw error;
  }
}

/** Folds the log over its own flow and over another one in its place; null where they never part ways. */
export async function replayAgainst(
  store: Store,
  sessionId: string,
  { compile, read }: Folding,
  other: Graph,
): Promise<Parting | null> {
  const { log, graphOf } = await open(store, sessionId, compile);
  const replaced = log[0]?.signal.type === 'session:started' ? log[0].signal.flow.hash : '';
  let [own, changed] = [newSession(sessionId), newSession(sessionId)];
  for (const { seq, signal } of log) {
    const graph = await graphOf(own, signal);
    const changedGraph = graph.hash === replaced ? other : graph;
    const one = step(graph, own, read({ graph, state: own }, signal));
    const two = step(changedGraph, changed, read({ graph: changedGraph, state: changed }, signal));
    [own, changed] = [one.state, two.state];
    if (own.node === changed.node && same(one.effects, two.effects) && same(own.slots, changed.slots)) continue;
    return { seq, signal: signal.type, node: own.node, otherNode: changed.node };
  }
  return null;
}

async function open(store: Store, sessionId: string, compile: (document: Json) => Promise<Graph>) {
  const kept = await store.loadSnapshot(sessionId);
  if (kept === null)
    throw new FlowError(
      'session-unknown',
      `the store keeps no session "${sessionId}". List them by "roomflow sessions".`,
    );
  const graphs = new Map<string, Graph>();
  const graphOf = async (state: SessionState, signal: Signal): Promise<Graph> => {
    const hash = foldedOver(state, signal);
    const known = graphs.get(hash);
    if (known !== undefined) return known;
    const document = await store.loadGraph(hash);
    if (document === null)
      throw new FlowError('flow-gone', `the store has not kept flow ${hash} of session "${sessionId}".`);
    const graph = await compile(document);
    graphs.set(hash, graph);
    return graph;
  };
  return { log: await store.readLog(sessionId), kept: kept.state, graphOf };
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
