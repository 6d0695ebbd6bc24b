import { FlushSentinel } from '@livekit/agents';
import { ReadableStream, type ReadableStreamDefaultController } from 'node:stream/web';
import type { Clock } from '../../ports/time.ts';
import type { Give, Spoken } from '../../turn/reply/reply.ts';
import type { Chunk } from './chunk.ts';
import type { Utterance } from '../speech/speech-log.ts';

export interface ReplyStreamOptions {
  /** Gives out the flow's speech. */
  perform(give: Give<Chunk>): Promise<void>;
  /** Begins to note what is given out. */
  utterance(): Utterance;
  /** Whether what is to be said may be given out; where it may not, the reply ends. */
  mayBeHeard(): boolean | Promise<boolean>;
  onError(error: unknown): void;
  /** The stream was cancelled. */
  onCancel(): void;
  readonly clock: Clock;
}

/** How long a line waits for what may follow it at once, in milliseconds. */
const followsMs = 50;

/**
 * What the flow says, as LiveKit reads it from `llmNode`: nothing happens before the first reading. Each line is
 * synthesised and heard by itself, without waiting for what follows it.
 */
export function replyStream(options: ReplyStreamOptions): ReadableStream<Chunk> {
  let utterance: Utterance | null = null;
  let last: Spoken<Chunk> | null = null;
  let isOver = false;
  /** What was said last is a segment of its own already, which a voice can say to its end. */
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
      // A call is no speech, and ends none.
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
      // A voice holds back the end of a text that may go on: a line that covers a wait would be heard after it.
      forgetEnd = options.clock.schedule(followsMs, () => endSegment(controller));
    }
    return true;
  };

  return new ReadableStream<Chunk>(
    {
      // Once for all that is said: LiveKit keeps it in a stream without a limit anyway, and asking for each word takes
      // longer than the word.
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

/** In how many pieces a line is given out at most: Node's streams take the longer for each the more of them wait. */
const mostPieces = 500;

/** A line word by word, so that what was heard of it ends where it was cut; a very long one some words at a time. */
function piecesOf(line: string): readonly string[] {
  const words = line.match(/\S+\s*/g) ?? [];
  const size = Math.ceil(words.length / mostPieces);
  if (size <= 1) return words;
  return Array.from({ length: Math.ceil(words.length / size) }, (_, index) =>
    words.slice(index * size, (index + 1) * size).join(''),
  );
}
