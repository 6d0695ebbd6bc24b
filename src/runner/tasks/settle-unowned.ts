import type { InboxEntry } from '../../model/inbox.ts';
import { type Catalog } from '../../flow/graph/nodes/catalog.ts';
import { isGeneratorDocument } from '../../flow/graph/generator-graph.ts';
import type { Graph } from '../../flow/graph/graph.ts';
import { createHub } from '../../engine/hub/create-hub.ts';
import type { SessionState } from '../../kernel/state/state.ts';
import { step } from '../../kernel/step.ts';
import { readState } from '../../kernel/state/upgrade.ts';
import { checkFlow } from '../../flow/load/check-flow.ts';
import type { Executor } from '../../model/ports/executor.ts';
import type { SessionSnapshot, Store } from '../../model/ports/store.ts';
import type { Clock, Ids } from '../../model/ports/time.ts';
import { systemCivilTime } from '../../system.ts';
import { createEngine } from '../../engine/engine.ts';
import type { SharedFlows } from '../shared-flows.ts';

/** Dependencies of settling. */
export interface SettleParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Owner name of the session meanwhile. */
  readonly owner: string;
  readonly catalog: Catalog;
  readonly shared: SharedFlows;
}

/** No call runs, because no effect follows. */
const nobody: Executor = {
  execute: () => Promise.resolve({ ok: false, error: 'No call can run here.', cancelled: true }),
};

/**
 * Folds the outcome of an effect into a session without an owner, if nothing else follows from it.
 * This is the case for nearly every message, and for ended sessions. Returns false without any change
 * if more may follow or the session does not qualify. Throws `session-taken` and store errors.
 */
export async function settleUnowned(
  parts: SettleParts,
  { sessionId, key, signal }: InboxEntry,
  kept: SessionSnapshot | null,
): Promise<boolean> {
  if (signal.type !== 'effect:settled' || kept === null) return false;
  const state = readState(kept.state);
  if (state.status !== 'active' && state.status !== 'ending' && state.status !== 'ended') return false;
  const graph = await storedGraph(parts, kept.graphHash);
  if (graph === null) return false;
  const { store, clock, ids, owner } = parts;
  const settled = { ...signal, at: clock.now() };
  const isAll = (from: SessionState): boolean => {
    const { effects, facts } = step(graph, from, settled);
    return effects.length === 0 && facts.every(({ type }) => type === 'effect:settled');
  };
  if (!isAll(state)) return false;
  const engine = await createEngine({
    ...{ graph, sessionId, store, clock, ids, owner, hub: createHub({ clock, ids, sessionId }), mayBeOver: true },
    ...{ timeZone: state.knowledge.timeZone, civilTime: systemCivilTime, writeCapMs: 0, executor: nobody },
    // The session has continued in another version since it was read.
    compile: () => graph,
  });
  try {
    if (!isAll(engine.state)) return false;
    engine.dispatch({ signal: settled, inputKeys: [key] });
    await engine.keep();
    return true;
  } finally {
    await engine.close(null);
  }
}

/** Returns the flow of a hash; null for a generator or an unavailable flow. */
export async function storedGraph(
  { store, catalog, shared }: Pick<SettleParts, 'store' | 'catalog' | 'shared'>,
  hash: string,
): Promise<Graph | null> {
  const known = shared.graphOf(hash);
  if (known !== undefined) return known;
  const document = await store.graphs.get(hash);
  if (document === null || isGeneratorDocument(document)) return null;
  // Its functions need not be registered, because none is called.
  const { graph } = checkFlow(document as object, { catalog }); // It was stored as a flow's document.
  return graph?.hash === hash ? graph : null;
}
