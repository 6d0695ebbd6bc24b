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

  /** What is to be given out next; empty where nothing follows. */
  const nextPieces = async (): Promise<readonly Chunk[]> => {
    performance ??= await options.begin();
    if (performance === null) return [];
    utterance ??= options.utterance();
    for (;;) {
      const next = await performance.next();
      if (next.done === true) return [];
      const spoken = next.value;
      const mayBeHeard = options.mayBeHeard();
      if (isOver || (mayBeHeard !== true && !(await mayBeHeard))) {
        void performance.return(undefined);
        return [];
      }
      const isNewLine = last !== null && (last.key !== spoken.key || last.type === 'line' || spoken.type === 'line');
      last = spoken;
      utterance.add(spoken.key, spoken.text);
      const pieces = piecesOf(spoken);
      if (isNewLine) return [' ', FlushSentinel, ...pieces];
      if (pieces.length > 0) return pieces;
    }
  };

  return new ReadableStream<Chunk>(
    {
      async pull(controller) {
        let pieces: readonly Chunk[] = [];
        try {
          pieces = await nextPieces();
        } catch (error) {
          options.onError(error);
        }
        if (isOver) return;
        for (const piece of pieces) controller.enqueue(piece);
        if (pieces.length === 0) controller.close();
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
