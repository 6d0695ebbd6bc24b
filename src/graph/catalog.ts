import { FlowError } from '../errors.ts';
import type { NodeType } from './node-type.ts';

/** The node types that a document may name. */
export type Catalog = ReadonlyMap<string, NodeType>;

/** Gathers node types by name. Throws `catalog-invalid` where a name is malformed or taken. */
export function createCatalog(types: Iterable<NodeType>): Catalog {
  const catalog = new Map<string, NodeType>();
  for (const type of types) {
    if (!/^[a-z][\w-]*(\.[a-z][\w-]*)+$/.test(type.name))
      throw new FlowError('catalog-invalid', `node type "${type.name}" needs a name such as "acme.lookup".`);
    if (catalog.has(type.name))
      throw new FlowError('catalog-invalid', `node type "${type.name}" is defined twice. Rename one of them.`);
    if ('evaluate' in type === 'run' in type)
      throw new FlowError('catalog-invalid', `node type "${type.name}" needs either evaluate or run.`);
    catalog.set(type.name, type);
  }
  return catalog;
}
