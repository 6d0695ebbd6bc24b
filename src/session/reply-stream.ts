import { FlushSentinel } from '@livekit/agents';
import { ReadableStream } from 'node:stream/web';
import type { Spoken } from '../turn/reply.ts';
import type { Chunk } from './ask-model.ts';
import type { Utterance } from './speech-log.ts';

export interface ReplyStreamOptions {
  /** Begins to perform what the flow has to say; null where that is nothing. */
  begin(): Promise<AsyncGenerator<Spoken<Chunk>> | null>;
  /** Begins to note what is given out. */
  utterance(): Utterance;
  /** Whether what is to be said may be given out; where it may not, the reply ends. */
  mayBeHeard(): boolean | Promise<boolean>;
  onError(error: unknown): void;
  /** Nobody reads on. */
  onCancel(): void;
}

/**
 * What the flow says, as LiveKit reads it from `llmNode`: nothing happens before the first reading. Each line is
 * synthesised and heard by itself, without waiting for what follows it.
 */
export function replyStream(options: ReplyStreamOptions): ReadableStream<Chunk> {
  let performance: AsyncGenerator<Spoken<Chunk>> | null = null;
  let utterance: Utterance | null = null;
  let last: Spoken<Chunk> | null = null;
  let isOver = false;

  /** The chunks of what is said next, and none where that is only an end. */
  const toChunks = (spoken: Spoken<Chunk>): readonly Chunk[] => {
    const isNewLine = last !== null && (last.key !== spoken.key || last.type === 'line' || spoken.type === 'line');
    last = spoken;
    utterance?.add(spoken.key, spoken.text);
    const pieces = piecesOf(spoken);
    return isNewLine ? [' ', FlushSentinel, ...pieces] : pieces;
  };

  return new ReadableStream<Chunk>(
    {
      async pull(controller) {
        try {
          performance ??= await options.begin();
          if (performance !== null) utterance ??= options.utterance();
          for (let next = await performance?.next(); next?.done === false; next = await performance?.next()) {
            const mayBeHeard = options.mayBeHeard();
            if (isOver || (mayBeHeard !== true && !(await mayBeHeard))) {
              void performance?.return(undefined);
              break;
            }
            const chunks = toChunks(next.value);
            if (chunks.length === 0) continue;
            if (!isOver) for (const chunk of chunks) controller.enqueue(chunk);
            return;
          }
        } catch (error) {
          options.onError(error);
        }
        if (!isOver) controller.close();
      },
      cancel() {
        isOver = true;
        options.onCancel();
        // Not awaited: it ends when what it waits for has ended.
        void performance?.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

function piecesOf(spoken: Spoken<Chunk>): readonly Chunk[] {
  if (spoken.type === 'chunk') return [spoken.chunk];
  // Word by word, so that what was heard of a line ends where it was cut.
  return spoken.text.match(/\S+\s*/g) ?? [];
}
