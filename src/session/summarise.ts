import type { llm } from '@livekit/agents';
import type { Clock } from '../ports/time.ts';
import { timeLimit } from '../turn/time-limit.ts';

/** How long a summary may take before the conversation goes on unshortened, in milliseconds. */
const summaryTimeoutMs = 4_000;

/** Asks the session's model for a summary of what was said so far; null where it fails or takes too long. */
export async function summarise(
  model: llm.LLM,
  context: llm.ChatContext,
  prompt: string,
  clock: Clock,
): Promise<string | null> {
  const request = context.copy({ excludeInstructions: true, excludeFunctionCall: true });
  request.addMessage({ role: 'user', content: prompt });
  const stream = model.chat({ chatCtx: request });
  const collect = async (): Promise<string> => {
    let text = '';
    for await (const chunk of stream) text += chunk.delta?.content ?? '';
    return text.trim();
  };
  try {
    const text = await timeLimit(collect(), clock, summaryTimeoutMs);
    return text === 'late' || text === '' ? null : text;
  } catch {
    return null; // The model's own events tell why; the conversation goes on with everything in view.
  } finally {
    stream.close();
  }
}
