import { FlowError } from '../../model/errors.ts';
import { assertFreeId } from '../../model/own-sessions.ts';
import type { Graph } from '../../flow/graph/graph.ts';
import { newSession, type SessionState } from '../../kernel/state/state.ts';
import { readState } from '../../kernel/state/upgrade.ts';
import type { EngineOptions } from '../engine-options.ts';

/** A session as the store has it. */
export interface KeptSession {
  readonly graph: Graph;
  readonly state: SessionState;
  readonly seq: number;
  /** Number of its last event. */
  readonly lastEvent: number;
  /** The node where the session continues in another version of its flow; null if its version stays. */
  readonly movesTo: string | null;
}

/** Loads a session from the store with the graph that it ran or must move to. Returns a new session if none is stored. */
export async function keptSession(
  options: Pick<EngineOptions, 'sessionId' | 'store' | 'graph' | 'compile' | 'moveOf' | 'mayBeOver'>,
): Promise<KeptSession> {
  const { sessionId, store, graph, compile } = options;
  const kept = await store.sessions.get(sessionId);
  if (kept === null) assertFreeId(sessionId);
  if (kept === null) return { graph, state: newSession(sessionId), seq: 0, lastEvent: 0, movesTo: null };
  const state = readState(kept.state);
  if (state.status === 'ended' && options.mayBeOver !== true)
    throw new FlowError('session-over', `session "${sessionId}" has ended. Start a new one with another id.`);
  const { seq } = kept;
  // The last commit may contain no events, so the last event is looked up in the whole session.
  const events = await store.steps.listEvents(sessionId, seq);
  const lastEvent = (events.at(-1) ?? (await store.steps.listEvents(sessionId)).at(-1))?.seq ?? 0;
  if (kept.graphHash === graph.hash) return { graph, state, seq, lastEvent, movesTo: null };
  // A session that is ending keeps its graph. So does a generator, because only its own code can continue it.
  const mayMove = state.status === 'active' && state.position.generator === null;
  const move = mayMove ? (options.moveOf?.(kept.graphHash, state.position.node) ?? null) : null;
  if (move !== null) return { graph: move.graph, state, seq, lastEvent, movesTo: move.node };
  const document = await store.graphs.get(kept.graphHash);
  const own = document === null ? undefined : compile?.(document, kept.graphHash);
  if (own?.hash !== kept.graphHash)
    throw new FlowError(
      'flow-version-missing',
      `session "${sessionId}" ran a flow that is not available. Use the release that ran it.`,
    );
  return { graph: own, state, seq, lastEvent, movesTo: null };
}
