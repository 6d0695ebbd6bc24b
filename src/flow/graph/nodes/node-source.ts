import type { DocumentPath } from '../../document/problems/diagnostic.ts';
import type { NodeDocument } from '../../document/node.ts';
import { type Report, addProblem } from '../report.ts';

/** A node as written, with its place. */
export interface NodeSource<Node = NodeDocument> {
  readonly id: string;
  readonly source: Node;
  readonly path: DocumentPath;
}

/** The nodes of a document by id, from a map or a list. */
export type NodeSources<Node = NodeDocument> = ReadonlyMap<string, NodeSource<Node>>;

/** Collects the nodes of a map or a list by id, and reports missing or conflicting ids. */
export function nodeSources<Node extends { readonly id?: string | undefined }>(
  report: Report,
  nodes: Readonly<Record<string, Node>> | readonly Node[],
  at: DocumentPath,
): NodeSources<Node> {
  const sources = new Map<string, NodeSource<Node>>();
  if (!isListOf(nodes)) {
    for (const [id, source] of Object.entries(nodes)) {
      const path = [...at, id];
      sources.set(id, { id, source, path });
      if (source.id !== undefined && source.id !== id)
        addProblem(report, 'error', 'conflicting-keys', [...path, 'id'], `node "${id}" calls itself "${source.id}".`, {
          hint: 'Remove the id; in a map the key is the id.',
        });
    }
    return sources;
  }
  for (const [index, source] of nodes.entries()) {
    const path = [...at, index];
    if (source.id === undefined) {
      addProblem(report, 'error', 'missing-key', path, 'a node in a list needs an id.', { hint: 'Add id: NAME.' });
      continue;
    }
    if (sources.has(source.id))
      addProblem(report, 'error', 'duplicate-id', [...path, 'id'], `two nodes are called "${source.id}".`, {
        hint: 'Rename one.',
      });
    else sources.set(source.id, { id: source.id, source, path });
  }
  return sources;
}

/** `Array.isArray` does not narrow a readonly list. */
function isListOf<Node>(nodes: Readonly<Record<string, Node>> | readonly Node[]): nodes is readonly Node[] {
  return Array.isArray(nodes);
}
