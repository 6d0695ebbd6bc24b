import { FlushSentinel } from '@livekit/agents';
import { ReadableStream, type ReadableStreamDefaultController } from 'node:stream/web';
import type { Clock } from '../../model/ports/time.ts';
import type { Give, Spoken } from '../../engine/reply/reply.ts';
import type { Chunk } from './chunk.ts';
import type { Utterance } from '../speech/speech-log.ts';

export interface ReplyStreamOptions {
  /** Gives out the flow's speech. */
  perform(give: Give<Chunk>): Promise<void>;
  /** Starts recording what is given out. */
  utterance(): Utterance;
  /** Whether speech may be given out; if not, the reply ends. */
  mayBeHeard(): boolean | Promise<boolean>;
  onError(error: unknown): void;
  /** The stream was cancelled. */
  onCancel(): void;
  readonly clock: Clock;
}

/** How long a line waits for a direct successor, in milliseconds. */
const followsMs = 50;

/**
 * Streams what the flow says to LiveKit's `llmNode`. Nothing happens before the first
 * read. Each line is synthesised and heard separately, without waiting for the next one.
 */
export function replyStream(options: ReplyStreamOptions): ReadableStream<Chunk> {
  let utterance: Utterance | null = null;
  let last: Spoken<Chunk> | null = null;
  let isOver = false;
  /** Whether the last speech is a finished segment, which a voice can speak to its end. */
  let isEnded = true;
  let forgetEnd = (): void => undefined;

  const endSegment = (controller: ReadableStreamDefaultController<Chunk>): void => {
    forgetEnd();
    if (isOver || isEnded) return;
    for (const chunk of [' ', FlushSentinel] as const) controller.enqueue(chunk);
    isEnded = true;
  };

  const put = (spoken: Spoken<Chunk>, controller: ReadableStreamDefaultController<Chunk>): boolean => {
    if (isOver) return false;
    utterance ??= options.utterance();
    if (spoken.type === 'chunk' && spoken.text === '' && !spoken.isSound) {
      // A call is not speech and does not end a segment.
      controller.enqueue(spoken.chunk);
      return true;
    }
    const isNewLine = last !== null && (last.key !== spoken.key || last.type === 'line' || spoken.type === 'line');
    last = spoken;
    utterance.add(spoken.key, spoken.text, spoken.type === 'line' && spoken.isAside);
    if (isNewLine) endSegment(controller);
    forgetEnd();
    isEnded = false;
    if (spoken.type === 'chunk') controller.enqueue(spoken.chunk);
    else {
      for (const piece of piecesOf(spoken.text)) controller.enqueue(piece);
      // A voice holds back the end of an unfinished text, so that a line that covers a wait would be heard after it.
      forgetEnd = options.clock.schedule(followsMs, () => endSegment(controller));
    }
    return true;
  };

  return new ReadableStream<Chunk>(
    {
      // Pulled once for the whole reply: LiveKit buffers without a limit anyway, and pulling each word takes longer than the word.
      async pull(controller) {
        try {
          await options.perform((spoken) => {
            const mayBeHeard = isOver ? false : options.mayBeHeard();
            if (typeof mayBeHeard === 'boolean') return mayBeHeard && put(spoken, controller);
            return mayBeHeard.then((may) => may && put(spoken, controller));
          });
        } catch (error) {
          options.onError(error);
        }
        forgetEnd();
        if (!isOver) controller.close();
        isOver = true;
      },
      cancel() {
        isOver = true;
        forgetEnd();
        options.onCancel();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Maximum number of pieces of a line: Node's streams slow down with the number of waiting pieces. */
const mostPieces = 500;

/** Splits a line into words, so that its heard part ends where it was cut; a very long line into groups of words. */
function piecesOf(line: string): readonly string[] {
  const words = line.match(/\S+\s*/g) ?? [];
  const size = Math.ceil(words.length / mostPieces);
  if (size <= 1) return words;
  return Array.from({ length: Math.ceil(words.length / size) }, (_, index) =>
    words.slice(index * size, (index + 1) * size).join(''),
  );
}
