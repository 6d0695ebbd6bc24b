import type { llm } from '@livekit/agents';
import { closingId } from './chat-view.ts';
import type { Model, ModelMessage } from '../../model/ports/model.ts';
import type { Clock } from '../../model/ports/time.ts';
import { timeLimit } from '../../engine/time-limit.ts';

/** How long a summary may take before the conversation continues without it, in milliseconds. */
const summaryTimeoutMs = 4_000;

/** Asks a model for a summary of the conversation; null if it fails or takes too long. */
export async function summarise(
  model: Model,
  context: llm.ChatContext,
  prompt: string,
  clock: Clock,
  limitMs = summaryTimeoutMs,
): Promise<string | null> {
  const said = context.copy({ excludeInstructions: true, excludeFunctionCall: true }).items.flatMap(toMessage);
  const messages = [...said, { role: 'user', content: prompt } as const];
  const abort = new AbortController();
  const collect = async (): Promise<string> => {
    let text = '';
    for await (const chunk of model.generate({ messages, tools: [], signal: abort.signal }))
      if (chunk.type === 'text') text += chunk.delta;
    return text.trim();
  };
  try {
    const text = await timeLimit(collect(), clock, limitMs);
    return text === 'late' || text === '' ? null : text;
  } catch {
    return null; // The model's own events report the reason; the conversation continues unshortened.
  } finally {
    abort.abort();
  }
}

function toMessage(item: llm.ChatItem): readonly ModelMessage[] {
  if (item.type !== 'message' || item.id === closingId) return [];
  const { role, textContent: content = '' } = item;
  return content === '' ? [] : [{ role: role === 'developer' ? 'system' : role, content }];
}
