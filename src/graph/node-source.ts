import type { DocumentPath } from '../flow/diagnostic.ts';
import type { NodeDocument } from '../flow/node.ts';

/** One node as the author wrote it, and where. */
export interface NodeSource {
  readonly id: string;
  readonly source: NodeDocument;
  readonly path: DocumentPath;
}

/** The nodes of a document by id, whether it holds them as a map or as a list. */
export type NodeSources = ReadonlyMap<string, NodeSource>;
