import { llm } from '@livekit/agents';
import { FlowError } from '../../model/errors.ts';
import type { Model, ModelMessage } from '../../model/ports/model.ts';
import { textOf } from './chunks.ts';

/**
 * Creates the model port of a realtime model. Each request has a separate session without
 * functions, and only its words count. Throws `model-unsupported` if the request has functions.
 */
export function realtimePort(model: llm.RealtimeModel): Model {
  return {
    label: model.label(),
    async *generate({ messages, tools, signal = new AbortController().signal }) {
      if (tools.length > 0)
        throw new FlowError(
          'model-unsupported',
          'a realtime model takes no functions beside the call. Name another model.',
        );
      const delta = await askAside(model, messages, signal);
      if (delta !== '') yield { type: 'text', delta };
      yield { type: 'end', finish: 'stop' };
    },
  };
}

async function askAside(
  model: llm.RealtimeModel,
  messages: readonly ModelMessage[],
  signal: AbortSignal,
): Promise<string> {
  const session = model.session();
  const failed = new Promise<never>((_resolve, reject) => {
    session.on('error', ({ error, recoverable }: llm.RealtimeModelError) => {
      if (!recoverable) reject(error);
    });
    signal.addEventListener('abort', () => reject(new Error('The answer is no longer wanted.')), { once: true });
  });
  const answer = async (): Promise<string> => {
    const isInstruction = ({ role }: ModelMessage): boolean => role === 'system';
    const instructions = messages.filter(isInstruction).map(({ content }) => content);
    const context = new llm.ChatContext();
    for (const { role, content } of messages)
      if (role === 'user' || role === 'assistant') context.addMessage({ role, content });
    if (instructions.length > 0) await session.updateInstructions(instructions.join('\n\n'));
    await session.updateChatCtx(context);
    const { messageStream } = await session.generateReply(undefined, { signal });
    let words = '';
    for await (const { textStream, audioStream } of messageStream) {
      void audioStream.cancel().catch(() => undefined);
      for await (const piece of textStream) words += textOf(piece);
    }
    return words;
  };
  try {
    return await Promise.race([answer(), failed]);
  } finally {
    failed.catch(() => undefined);
    void session.close().catch(() => undefined);
  }
}
