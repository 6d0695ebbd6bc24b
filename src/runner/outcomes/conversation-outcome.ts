import { outcomeFields, type OutcomeFields, reportingFlow } from '../../kernel/outcome.ts';
import type { Graph } from '../../flow/graph/graph.ts';
import type { Engine } from '../../engine/engine.ts';

/** The outcome of an ended conversation, as the webhook of a configuration gets it. */
export interface ConversationOutcome extends OutcomeFields {
  /** The reason of the flow's end, or `caller_gone`, `handed_over`, `stopped` and the like. */
  readonly name: string;
}

/** Returns the outcome of a conversation; null before its end. `begun` is the flow that it began with. */
export function conversationOutcome(
  { outcome, graph, state }: Pick<Engine, 'outcome' | 'graph' | 'state'>,
  begun: Graph,
): ConversationOutcome | null {
  if (outcome === null) return null;
  const { hash } = reportingFlow(state);
  return { name: outcome, ...outcomeFields([graph, begun].find((one) => one.hash === hash) ?? null, state) };
}
