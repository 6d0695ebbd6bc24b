import { llm } from '@livekit/agents';
import type { Model, ModelMessage } from '../ports/model.ts';
import { askAside } from './realtime-aside.ts';

/** A LiveKit model as the rest of the project asks one: text in and text out, without tools. */
export function modelPort(model: llm.LLM | llm.RealtimeModel): Model {
  return {
    label: model.label(),
    async *generate({ messages, signal = new AbortController().signal }) {
      const words = model instanceof llm.RealtimeModel ? aside(model, messages, signal) : chat(model, messages, signal);
      for await (const delta of words) if (delta !== '') yield { type: 'text', delta };
      yield { type: 'end', finish: 'stop' };
    },
  };
}

async function* chat(model: llm.LLM, messages: readonly ModelMessage[], signal: AbortSignal): AsyncGenerator<string> {
  const stream = model.chat({ chatCtx: contextOf(messages) });
  const close = (): void => stream.close();
  signal.addEventListener('abort', close, { once: true });
  try {
    for await (const chunk of stream) yield chunk.delta?.content ?? '';
  } finally {
    signal.removeEventListener('abort', close);
    stream.close();
  }
}

async function* aside(
  model: llm.RealtimeModel,
  messages: readonly ModelMessage[],
  signal: AbortSignal,
): AsyncGenerator<string> {
  const isInstruction = ({ role }: ModelMessage): boolean => role === 'system';
  const instructions = messages.filter(isInstruction).map(({ content }) => content);
  const context = contextOf(messages.filter((message) => !isInstruction(message)));
  yield await askAside(model, { instructions: instructions.join('\n\n'), context }, signal);
}

function contextOf(messages: readonly ModelMessage[]): llm.ChatContext {
  const context = new llm.ChatContext();
  for (const { role, content } of messages) if (role !== 'tool') context.addMessage({ role, content });
  return context;
}
