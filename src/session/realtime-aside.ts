import type { llm } from '@livekit/agents';
import { textOf } from './realtime-chunks.ts';

/** Asks a realtime model something beside the call, in a session of its own; of what it answers only the words count. */
export async function askAside(
  model: llm.RealtimeModel,
  { instructions, context }: { readonly instructions: string; readonly context: llm.ChatContext },
  signal: AbortSignal,
): Promise<string> {
  const session = model.session();
  const failed = new Promise<never>((_resolve, reject) => {
    session.on('error', ({ error, recoverable }: llm.RealtimeModelError) => {
      if (!recoverable) reject(error);
    });
    signal.addEventListener('abort', () => reject(new Error('The answer is not wanted any more.')), { once: true });
  });
  const answer = async (): Promise<string> => {
    if (instructions !== '') await session.updateInstructions(instructions);
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
