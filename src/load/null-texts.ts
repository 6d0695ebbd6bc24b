import { isRecord, type Members } from '../importers/rewrite.ts';

/**
 * A task flow without the names and descriptions that are null: programs write what is absent so. All else stays as it is,
 * for an author who leaves a text empty is told.
 */
export function withoutNullTexts(flow: unknown): unknown {
  if (!isRecord(flow)) return flow;
  return changed(partOf(flow), (key, value) => (key === 'flow' && isRecord(value) ? withoutNulls(value) : value));
}

/** What has nodes: the flow, or the body of a node. */
function partOf(part: Members): Members {
  return changed(part, (key, value) => (key === 'nodes' ? nodesOf(value) : value));
}

function nodesOf(nodes: unknown): unknown {
  if (Array.isArray(nodes)) return nodes.map(nodeOf);
  return isRecord(nodes) ? changed(nodes, (_, node) => nodeOf(node)) : nodes;
}

function nodeOf(node: unknown): unknown {
  if (!isRecord(node)) return node;
  return changed(withoutNulls(node), (key, value) => (key === 'body' && isRecord(value) ? partOf(value) : value));
}

function withoutNulls(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([key, value]) => value !== null || !texts.has(key)));
}

const texts: ReadonlySet<string> = new Set(['id', 'name', 'description']);

function changed(members: Members, change: (key: string, value: unknown) => unknown): Members {
  return Object.fromEntries(Object.entries(members).map(([key, value]) => [key, change(key, value)]));
}
