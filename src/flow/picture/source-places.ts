import type { DocumentPath } from '../document/problems/diagnostic.ts';
import type { ConversationDocument } from '../document/document.ts';
import type { SourceLines } from './flow-shown.ts';

/** Returns the lines of a flow's parts. */
export interface SourcePlaces {
  node(id: string): SourceLines | null;
  slot(name: string): SourceLines | null;
  /** An entry of `edges` by index. */
  edge(index: number): SourceLines | null;
  /** Returns the file of a document path if it differs from the flow's file. */
  fileOf(path: DocumentPath): string | null;
}

/** Returns the path of a node in its document; null if there is no such node. */
export function pathOfNode({ nodes }: ConversationDocument, id: string): DocumentPath | null {
  if (!Array.isArray(nodes)) return Object.hasOwn(nodes, id) ? ['nodes', id] : null;
  const index = nodes.findIndex((node) => node.id === id);
  return index === -1 ? null : ['nodes', index];
}
