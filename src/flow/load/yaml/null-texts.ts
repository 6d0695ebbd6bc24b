import type { Members } from '../../../importers/pipecat/rewrite.ts';
import { isRecord } from '../../../model/json.ts';

/**
 * Returns a task flow without names and descriptions that are null, because programs write absent values like that.
 * Everything else stays, so that an empty text of an author is still reported.
 */
export function withoutNullTexts(flow: unknown): unknown {
  if (!isRecord(flow)) return flow;
  return changed(partOf(flow), (key, value) => (key === 'flow' && isRecord(value) ? withoutNulls(value) : value));
}

/** A part with nodes: the flow, or the body of a node. */
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
