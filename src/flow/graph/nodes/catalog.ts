import { FlowError } from '../../../model/errors.ts';
import type { NodeType } from './node-type.ts';

/** The node types of one pack. */
export type NodePack = readonly NodeType[];

/** The node types that every document may use, and packs of types for documents that name them. */
export interface Catalog extends ReadonlyMap<string, NodeType> {
  readonly packs: ReadonlyMap<string, NodePack>;
}

/**
 * Collects node types by name; a document's `node_packs` selects from `packs`. Throws `catalog-invalid` if a name is
 * malformed or already used.
 *
 * @example
 * const catalog = createCatalog([...builtinCatalog.values()]);
 */
export function createCatalog(
  types: Iterable<NodeType>,
  packs: ReadonlyMap<string, NodePack> = new Map<string, NodePack>(),
): Catalog {
  if (!isIterable(types) || !isMap(packs))
    throw new FlowError('catalog-invalid', 'createCatalog takes a list of node types, and packs as a Map by name.');
  const own = [...types];
  const names = new Set<string>();
  for (const type of [...own, ...[...packs.values()].flat()]) {
    if (!nodeTypeName.test(type.name))
      throw new FlowError('catalog-invalid', `node type "${type.name}" needs a name such as "acme.lookup".`);
    if (names.has(type.name))
      throw new FlowError('catalog-invalid', `node type "${type.name}" is defined twice. Rename one of them.`);
    if (['evaluate', 'run', 'interrupts'].filter((key) => key in type).length !== 1)
      throw new FlowError('catalog-invalid', `node type "${type.name}" needs either evaluate or run.`);
    names.add(type.name);
  }
  return Object.assign(new Map(own.map((type) => [type.name, type])), { packs });
}

/** Checks arguments from untyped code. */
function isIterable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

function isMap(value: unknown): boolean {
  return value instanceof Map;
}

/** `family.name`. */
export const nodeTypeName = /^[a-z][\w-]*(\.[a-z][\w-]*)+$/;

/** Returns all types of a catalog, including its packs. */
export function allTypes(catalog: Catalog): readonly NodeType[] {
  return [...catalog.values(), ...[...catalog.packs.values()].flat()];
}
