import type { llm } from '@livekit/agents';
import { openOfKind } from '../../kernel/draft.ts';
import { step } from '../../kernel/step.ts';
import type { Engine } from '../../turn/engine/engine.ts';
import { readWords } from '../../turn/words/read-words.ts';

/**
 * Whether words that are not a turn yet will surely be answered by the model, in this node and under this view: then
 * it may be asked before the turn is complete. Nothing must be open that the turn would settle or do first.
 */
export function mayThinkAhead(engine: Engine, message: llm.ChatMessage, at: number): boolean {
  const { graph, state, completion, outbox } = engine;
  if (engine.decidesFirst) return false;
  const isBusy = (completion !== null && !completion.isSettled) || !outbox.isEmpty;
  if (isBusy || openOfKind(state, 'wait') !== undefined || openOfKind(state, 'tool') !== undefined) return false;
  const text = message.textContent ?? '';
  const civil = engine.civil(at);
  const reading = readWords({ graph, state, civil }, text);
  const ahead = step(graph, state, { type: 'user:turn', at, civil, eventId: message.id, text, via: 'speech', reading });
  return ahead.effects.length === 1 && ahead.effects[0]?.kind === 'reply' && ahead.state.visit === state.visit;
}
