import { llm } from '@livekit/agents';
import type { Model } from '../ports/model.ts';

/** A LiveKit model as the rest of the project asks one: text in and text out, without tools. */
export function modelPort(model: llm.LLM): Model {
  return {
    label: model.label(),
    async *generate({ messages, signal }) {
      const context = new llm.ChatContext();
      for (const { role, content } of messages) if (role !== 'tool') context.addMessage({ role, content });
      const stream = model.chat({ chatCtx: context });
      const close = (): void => stream.close();
      signal?.addEventListener('abort', close, { once: true });
      try {
        for await (const chunk of stream) {
          const delta = chunk.delta?.content ?? '';
          if (delta !== '') yield { type: 'text', delta };
        }
        yield { type: 'end', finish: 'stop' };
      } finally {
        signal?.removeEventListener('abort', close);
        stream.close();
      }
    },
  };
}
