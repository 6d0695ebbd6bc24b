import { dirname, resolve } from 'node:path';
import type { Catalog, NodePack } from '../graph/nodes/catalog.ts';
import { flowJsonSchema, schemaIds } from '../graph/json-schema.ts';
import { nodeTypeFaults } from '../graph/nodes/node-contract.ts';
import type { NodeType } from '../graph/nodes/node-type.ts';
import { findConfined } from './files/confined-file.ts';
import { firstLine, importFrom, whyNotLoaded } from './files/import-default.ts';

export interface OpenedPacks {
  /** By the names in the configuration. */
  readonly packs: ReadonlyMap<string, NodePack>;
  /** Faults of the names or of the packs, each with its place. */
  readonly faults: readonly string[];
}

/**
 * Imports the node packs that a configuration allows: files inside its folder, such as `./pack.ts`, and packages. Their
 * types must follow the contract of node types and must not have a name that is in `known`. Never throws.
 */
export async function openNodePacks(
  names: readonly string[],
  configFile: string,
  known: Catalog,
): Promise<OpenedPacks> {
  const packs = new Map<string, NodePack>();
  const faults: string[] = [];
  const ids = new Set<string>();
  const ownerOf = new Map([...known.keys()].map((type) => [type, 'the built-in types']));
  for (const [index, name] of names.entries()) {
    const tell = (fact: string): void => void faults.push(`nodePacks.${index}: ${fact}`);
    if (packs.has(name)) {
      tell(`"${name}" is named twice. Remove one.`);
      continue;
    }
    const given = await importPack(name, resolve(configFile));
    if (!given.ok) {
      tell(given.fact);
      continue;
    }
    const types = typesOf(name, given.value, tell);
    for (const fault of idFaults(types, known, ids)) tell(`"${name}": ${fault}`);
    for (const { name: type } of types) {
      const owner = ownerOf.get(type);
      if (owner === undefined) ownerOf.set(type, `"${name}"`);
      else tell(`"${name}": node type "${type}" is defined by ${owner} already. Rename one of them.`);
    }
    packs.set(name, types);
  }
  return { packs, faults };
}

type Imported = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly fact: string };

const packageName = /^(@[a-z\d][\w.-]*\/)?[a-z\d][\w.-]*(\/[\w-][\w.-]*)*$/i;

async function importPack(name: string, configFile: string): Promise<Imported> {
  const refuse = (fact: string): Imported => ({ ok: false, fact });
  const folder = dirname(configFile);
  let module = name;
  if (name.startsWith('./')) {
    const found = findConfined(folder, name);
    if (!found.ok)
      return refuse(
        found.reason === 'outside'
          ? `"${name}" is not inside the configuration’s folder: ${found.why}. Move it there, or make it a package.`
          : [
              `there is no file "${name}".`,
              ...(found.reason === 'missing' && found.hint !== undefined ? [found.hint] : []),
            ].join(' '),
      );
    module = found.realPath;
  } else if (!packageName.test(name))
    return refuse(`"${name}" is neither a file inside the configuration’s folder, such as ./pack.ts, nor a package.`);
  try {
    return { ok: true, value: await importFrom(module, configFile) };
  } catch (error) {
    return refuse(`"${name}" cannot be loaded: ${whyNotLoaded(error, resolve(configFile))}`);
  }
}

/** Returns the node types of a pack that follow the contract, and reports the others. */
function typesOf(pack: string, value: unknown, tell: (fact: string) => void): NodePack {
  if (!Array.isArray(value) || value.length === 0) {
    tell(`"${pack}" exports no node types. Write: export default [defineNodeType({ … })].`);
    return [];
  }
  return value.flatMap((type: unknown, index): NodePack => {
    try {
      const faults = nodeTypeFaults(type);
      for (const fault of faults) tell(`"${pack}": ${describe(type, index)}: ${fault}`);
      return faults.length === 0 ? [guarded(type as NodeType)] : []; // It follows the contract.
    } catch (error) {
      tell(`"${pack}": node type ${index + 1} cannot be read: ${firstLine(error)}`);
      return [];
    }
  });
}

function describe(type: unknown, index: number): string {
  const isNamed = typeof type === 'object' && type !== null && 'name' in type && typeof type.name === 'string';
  return isNamed ? `node type "${String(type.name)}"` : `node type ${index + 1}`;
}

/**
 * Faults that keep the schemas of types from being part of the JSON Schema of flows. Their ids are added to `taken`.
 */
function idFaults(types: NodePack, known: Catalog, taken: Set<string>): readonly string[] {
  let own: readonly string[];
  try {
    own = schemaIds(types);
  } catch (error) {
    return [`its schemas make no JSON Schema: ${firstLine(error)}`];
  }
  // Few schemas have ids at all.
  if (own.length > 0 && taken.size === 0)
    for (const id of Object.keys(flowJsonSchema(known)['$defs'] ?? {})) taken.add(id);
  const faults = own.flatMap((id) => (taken.has(id) ? `the schema id "${id}" is taken. Rename it.` : []));
  for (const id of own) taken.add(id);
  return faults;
}

/** Wraps a type so that none of its methods can break the check of a document: a method that throws has no effect. */
function guarded(type: NodeType): NodeType {
  return {
    ...type,
    ...(type.reads === undefined ? {} : { reads: (input) => tried(() => type.reads?.(input)) ?? [] }),
    ...(type.faults === undefined ? {} : { faults: (input) => tried(() => type.faults?.(input)) ?? [] }),
    ...(type.bodyNames === undefined ? {} : { bodyNames: (input) => tried(() => type.bodyNames?.(input)) ?? [] }),
    ...(type.waitsFor === undefined ? {} : { waitsFor: (input) => tried(() => type.waitsFor?.(input)) ?? 'all' }),
  };
}

function tried<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
