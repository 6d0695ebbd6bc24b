import type { Diagnostic, DocumentPath } from '../document/problems/diagnostic.ts';
import { isRecord } from '../../model/json.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * Returns a document without the part with a problem, or with the smallest change that corrects it. Returns undefined
 * if that is not known.
 */
export function withoutPart(document: Members, { code, path }: Pick<Diagnostic, 'code' | 'path'>): Members | undefined {
  switch (code) {
    case 'language-without-lines':
      return without(document, ['language']) ?? without(document, ['languages']);
    case 'dead-end': {
      const node = nodeAt(document, path);
      return node === undefined ? undefined : withNode(document, node, (members) => ({ ...members, end: 'no-way-on' }));
    }
    case 'routing-cycle':
    case 'self-loop': {
      // A node must speak in a loop, or it would run for ever.
      const node = nodeAt(document, path);
      return node === undefined ? undefined : withoutWay(document, path, node);
    }
    default:
      return without(document, path) ?? (path.length > 1 ? without(document, path.slice(0, -1)) : undefined);
  }
}

/** Removes the exit at a path. */
function withoutWay(document: Members, path: DocumentPath, node: string): Members | undefined {
  if (path[0] === 'edges') return without(document, path.slice(0, 2));
  return withNode(document, node, ({ default_transition: _left, ...members }) => {
    const hasWay = 'functions' in members || 'collect' in members;
    return hasWay ? members : { ...members, type: undefined, end: 'no-way-on' };
  });
}

function nodeAt(document: Members, [section, key]: DocumentPath): string | undefined {
  if (section === 'nodes') return String(key);
  if (section !== 'edges') return undefined;
  const edges = document['edges'];
  const edge: unknown = Array.isArray(edges) ? edges[Number(key)] : undefined;
  return isRecord(edge) && typeof edge['from'] === 'string' ? edge['from'] : undefined;
}

function withNode(document: Members, id: string, change: (node: Members) => Members): Members | undefined {
  const nodes = document['nodes'];
  if (!isRecord(nodes)) return undefined;
  const node = nodes[id];
  if (!isRecord(node)) return undefined;
  const changed = Object.fromEntries(Object.entries(change(node)).filter(([, value]) => value !== undefined));
  return { ...document, nodes: { ...nodes, [id]: changed } };
}

/**
 * Returns a copy without the member or item at a path. Returns undefined if it does not exist, or is the only member.
 */
function without(value: unknown, path: DocumentPath): Members | undefined {
  const result = removed(value, path);
  return isRecord(result) ? result : undefined;
}

function removed(value: unknown, [first, ...rest]: DocumentPath): unknown {
  if (first === undefined) return undefined;
  if (Array.isArray(value)) {
    const index = Number(first);
    const list = value as readonly unknown[];
    if (!(index in list)) return undefined;
    if (rest.length === 0) return list.filter((_item, at) => at !== index);
    const inside = removed(list[index], rest);
    return inside === undefined ? undefined : list.with(index, inside);
  }
  if (!isRecord(value) || !Object.hasOwn(value, first)) return undefined;
  if (rest.length === 0) return Object.fromEntries(Object.entries(value).filter(([key]) => key !== first));
  const inside = removed(value[first], rest);
  return inside === undefined ? undefined : { ...value, [first]: inside };
}
