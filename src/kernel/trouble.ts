import type { Wordings } from '../expression/wordings.ts';
import type { Graph, GraphNode } from '../graph/graph.ts';
import { type Draft, intend } from './draft.ts';
import { speakHere } from './names.ts';
import type { Move } from './ways-out.ts';

/** How long a reply may take where neither node nor flow says so. */
export const defaultReplyTimeoutMs = 4_000;

/** A node's own rule in trouble, else the flow's. */
export function troubleRule<Key extends keyof GraphNode['trouble']>(
  graph: Graph,
  node: GraphNode | null,
  key: Key,
): GraphNode['trouble'][Key] {
  return node?.trouble[key] ?? graph.trouble[key];
}

/** The move to `on_error`; null where there is none, or the conversation is there already. */
export function rescue(draft: Draft, node: GraphNode | null): Move | null {
  const to = troubleRule(draft.graph, node, 'onError');
  return to === null || to === draft.state.node ? null : { to, cause: 'error' };
}

/** Says the fallback line, so that the caller is never left in silence. */
export function sayFallback(draft: Draft, node: GraphNode | null): void {
  const template: Wordings | null = troubleRule(draft.graph, node, 'fallback');
  const text = template === null ? '' : speakHere(draft, template);
  intend(draft, {
    kind: 'say',
    payload: { text: text === '' ? draft.graph.speech.lines.again[0] : text, reason: 'fallback' },
  });
}
