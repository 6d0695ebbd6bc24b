import { foldBeside } from '../store/replay.ts';
import { FlowError } from '../model/errors.ts';
import type { Graph } from '../flow/graph/graph.ts';
import { foldedOver } from '../kernel/state/folded-over.ts';
import type { LoggedSignal } from '../model/ports/store.ts';
import { readOldSignal } from '../runner/read-old-signal.ts';
import { flowNames } from './sessions/flows-of-steps.ts';
import type { Comparison } from './protocol/acts.ts';
import type { FlowShown, SourceLines } from '../flow/picture/flow-shown.ts';

/** A comparison of a session with a flow. */
export interface AgainstOptions {
  readonly sessionId: string;
  readonly log: readonly LoggedSignal[];
  readonly graphOf: (hash: string) => Promise<Graph | null>;
  /** The flow on disk. */
  readonly other: Graph;
  readonly shown: FlowShown;
}

/**
 * Folds the same signals over the current flow instead of each of its stored versions, and finds the first difference.
 * Throws `flow-version-missing`.
 */
export async function against({ sessionId, log, graphOf, other, shown }: AgainstOptions): Promise<Comparison> {
  const folding = {
    read: readOldSignal,
    async graphOf(...at: Parameters<typeof foldedOver>): Promise<Graph> {
      const graph = await graphOf(foldedOver(...at));
      if (graph !== null) return graph;
      throw new FlowError('flow-version-missing', 'a flow of this session cannot be read here.');
    },
  };
  // Stored versions of flows in code may have no name.
  const names = flowNames(log);
  const replaced = { graph: other, replaces: ({ hash, name }: Graph) => (names.get(hash) ?? name) === shown.name };
  const steps: Comparison['steps'][number][] = [];
  let parting: Comparison['parting'] = null;
  for await (const { seq, signal, own, changed, differs } of foldBeside(sessionId, log, folding, replaced)) {
    const [
      {
        position: { node },
      },
      {
        position: { node: otherNode },
      },
    ] = [own.state, changed.state];
    steps.push({ seq, node, otherNode, facts: changed.facts });
    if (parting !== null || differs.length === 0) continue;
    // A version that only this session was moved to is not a difference.
    if (signal.type === 'flow:swapped' && node === otherNode) continue;
    parting = {
      seq,
      signal: signal.type,
      node,
      otherNode,
      differs,
      source: sourceOf(shown, steps.at(-2)?.otherNode, otherNode),
    };
  }
  return { flowHash: other.hash, parting, steps };
}

/** Returns the lines of the arrow between two nodes, else the lines of the first node. */
function sourceOf({ arrows, nodes }: FlowShown, from: string | undefined, to: string): SourceLines | null {
  const way = arrows.find((arrow) => arrow.from === from && arrow.to === to);
  return way?.source ?? nodes.find(({ id }) => id === from)?.source ?? null;
}
