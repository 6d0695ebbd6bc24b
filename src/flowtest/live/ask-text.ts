import { llm } from '@livekit/agents';
import { FlowError } from '../../model/errors.ts';

/** Returns a model's answer to a system prompt and a text. Throws `model-failed` if there is no answer. */
export async function askText(
  model: llm.LLM,
  system: string,
  talk: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[],
): Promise<string> {
  const chatCtx = new llm.ChatContext();
  chatCtx.addMessage({ role: 'system', content: system });
  for (const { role, text } of talk) chatCtx.addMessage({ role, content: text });
  let answer = '';
  for await (const chunk of model.chat({ chatCtx })) answer += chunk.delta?.content ?? '';
  if (answer.trim() === '')
    throw new FlowError('model-failed', 'the model of the judge or of the persona said nothing.');
  return answer.trim();
}
