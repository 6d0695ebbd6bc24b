import { FlowError } from '../../model/errors.ts';
import type { FlowMove } from '../document/move.ts';
import type { Graph } from '../graph/graph.ts';
import type { FlowLibrary } from './files/flow-library.ts';

/** Returns where a session in a node of an older version continues, or null if it stays in that version. */
type MoveOf = (hash: string, node: string) => { readonly graph: Graph; readonly node: string } | null;

/**
 * Checks the declared moves against the flows that they lead to. Throws `move-invalid` with every fault. The returned
 * function throws `move-incomplete` for a node that neither the newer version nor the move has.
 */
export async function openMoves(moves: readonly FlowMove[], library: FlowLibrary, initial: Graph): Promise<MoveOf> {
  const graphs = new Map<string, { readonly graph: Graph; readonly nodes: ReadonlyMap<string, string> }>();
  const faults: string[] = [];
  for (const { from, to, nodes = {} } of moves) {
    const graph = to === initial.name ? initial : await library.open(to);
    const place = `the move from ${from}`;
    if (graphs.has(from)) faults.push(`${place} is declared twice. Keep one of them.`);
    if (graph === null) {
      faults.push(`${place} leads to flow "${to}", which is not among the flows. Add it or name another.`);
      continue;
    }
    if (graph.generator !== null)
      faults.push(`${place} leads to the generator "${to}", which has no nodes to go on in. Name a flow of nodes.`);
    if (graph.hash === from) faults.push(`${place} leads to that very version. Leave it out.`);
    for (const [node, target] of Object.entries(nodes))
      if (!graph.nodes.has(target))
        faults.push(
          `${place} takes node "${node}" to "${target}", which is not in flow "${to}". Name a node of that flow.`,
        );
    graphs.set(from, { graph, nodes: new Map(Object.entries(nodes)) });
  }
  if (faults.length > 0) throw new FlowError('move-invalid', faults.join('\n'));
  return (hash, node) => {
    const move = graphs.get(hash);
    if (move === undefined) return null;
    const { graph, nodes } = move;
    const target = nodes.get(node) ?? (graph.nodes.has(node) ? node : nodes.get('*'));
    if (target !== undefined) return { graph, node: target };
    throw new FlowError(
      'move-incomplete',
      `the session is in node "${node}", which flow "${graph.name}" does not have. Add it, or "*", to the nodes of the move from ${hash}.`,
    );
  };
}
