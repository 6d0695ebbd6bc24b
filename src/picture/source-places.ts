import type { DocumentPath } from '../flow/diagnostic.ts';
import type { ConversationDocument } from '../flow/document.ts';
import type { SourceLines } from './flow-shown.ts';

/** Finds where the parts of a flow stand in its files. */
export interface SourcePlaces {
  node(id: string): SourceLines | null;
  slot(name: string): SourceLines | null;
  /** An entry of `edges`, by its index. */
  edge(index: number): SourceLines | null;
  /** The file that a path of the document comes from, where that is another one than the flow's own. */
  fileOf(path: DocumentPath): string | null;
}

/** The path of a node in its document; null where there is none of this id. */
export function pathOfNode({ nodes }: ConversationDocument, id: string): DocumentPath | null {
  if (!Array.isArray(nodes)) return Object.hasOwn(nodes, id) ? ['nodes', id] : null;
  const index = nodes.findIndex((node) => node.id === id);
  return index === -1 ? null : ['nodes', index];
}
