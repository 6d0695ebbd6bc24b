import type { Template } from '../expression/template.ts';
import type { Graph, GraphNode } from '../graph/graph.ts';
import { type Draft, intend, tell } from './draft.ts';
import { speakHere } from './names.ts';
import type { Move } from './ways-out.ts';

/** Said where neither node nor flow names a fallback. */
export const defaultFallback = 'Sorry, I did not get that. Could you say it again?';

/** Said first when a new process takes a conversation over. */
export const recapLine = 'Sorry, I was gone for a moment.';

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
  const template: Template | null = troubleRule(draft.graph, node, 'fallback');
  const text = template === null ? '' : speakHere(draft, template);
  intend(draft, { kind: 'say', payload: { text: text === '' ? defaultFallback : text, reason: 'fallback' } });
}

/** Reports that the flow cannot go on by itself, and goes to `on_error` where it may, or says the fallback line. */
export function stuck(
  draft: Draft,
  node: GraphNode | null,
  reason: 'too-many-transitions' | 'node-failed' | 'unknown-node' | 'nothing-to-return-to',
  mayLeave = true,
  code?: string,
): Move | null {
  tell(draft, { type: 'flow:stuck', data: { reason, ...(code === undefined ? {} : { code }) } });
  const move = mayLeave ? rescue(draft, node) : null;
  if (move === null) sayFallback(draft, node);
  return move;
}
