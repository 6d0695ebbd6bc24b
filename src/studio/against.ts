import { foldBeside } from '../durable/replay.ts';
import { FlowError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import { foldedOver } from '../kernel/folded-over.ts';
import type { LoggedSignal } from '../ports/store.ts';
import { readOldSignal } from '../runner/read-old-signal.ts';
import { flowNames } from './flows-of-steps.ts';
import type { Against } from './protocol/acts.ts';
import type { FlowShown, SourceLines } from '../picture/flow-shown.ts';

/** What is compared, and with which flow. */
export interface AgainstOptions {
  readonly sessionId: string;
  readonly log: readonly LoggedSignal[];
  readonly graphOf: (hash: string) => Promise<Graph | null>;
  /** The flow on disk. */
  readonly other: Graph;
  readonly shown: FlowShown;
}

/** The same signals over the flow as it is now, in place of every version of it: where the two part ways. Throws `flow-gone`. */
export async function against({ sessionId, log, graphOf, other, shown }: AgainstOptions): Promise<Against> {
  const folding = {
    read: readOldSignal,
    async graphOf(...at: Parameters<typeof foldedOver>): Promise<Graph> {
      const graph = await graphOf(foldedOver(...at));
      if (graph !== null) return graph;
      throw new FlowError('flow-gone', 'a flow of this session cannot be read here any more.');
    },
  };
  // Kept versions of flows in code may all be nameless.
  const names = flowNames(log);
  const replaced = { graph: other, replaces: ({ hash, name }: Graph) => (names.get(hash) ?? name) === shown.name };
  const steps: Against['steps'][number][] = [];
  let parting: Against['parting'] = null;
  for await (const { seq, signal, own, changed, differs } of foldBeside(sessionId, log, folding, replaced)) {
    const [{ node }, { node: otherNode }] = [own.state, changed.state];
    steps.push({ seq, node, otherNode, facts: changed.facts });
    if (parting !== null || differs.length === 0) continue;
    // A version of its own that a session was moved to is no difference between the flows.
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

/** The lines that lead from one node to another; those of the node where nothing leads there. */
function sourceOf({ arrows, nodes }: FlowShown, from: string | undefined, to: string): SourceLines | null {
  const way = arrows.find((arrow) => arrow.from === from && arrow.to === to);
  return way?.source ?? nodes.find(({ id }) => id === from)?.source ?? null;
}
