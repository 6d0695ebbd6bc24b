import type { Wordings } from '../../flow/expression/wordings.ts';
import type { Graph, GraphNode } from '../../flow/graph/graph.ts';
import { type Draft, intend } from '../state/draft.ts';
import { speakHere } from '../state/names.ts';
import type { Move } from './ways-out.ts';

/** Default time limit of a reply, in milliseconds. */
export const defaultReplyTimeoutMs = 4_000;

/** Returns the node's trouble rule, otherwise the flow's. */
export function troubleRule<Key extends keyof GraphNode['trouble']>(
  graph: Graph,
  node: GraphNode | null,
  key: Key,
): GraphNode['trouble'][Key] {
  return node?.trouble[key] ?? graph.trouble[key];
}

/** Returns the move to `on_error`; null without one, or if the conversation is already there. */
export function rescue(draft: Draft, node: GraphNode | null): Move | null {
  const to = troubleRule(draft.graph, node, 'onError');
  return to === null || to === draft.state.position.node ? null : { to, cause: 'error' };
}

/** Says the fallback line, so the caller is not left in silence. */
export function sayFallback(draft: Draft, node: GraphNode | null): void {
  const template: Wordings | null = troubleRule(draft.graph, node, 'fallback');
  const text = template === null ? '' : speakHere(draft, template);
  intend(draft, {
    kind: 'say',
    payload: { text: text === '' ? draft.graph.speech.lines.again[0] : text, reason: 'fallback' },
  });
}
