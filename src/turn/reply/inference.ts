import type { Cancellable } from '../../ports/cancellable.ts';
import type { ChunkContent } from '../../ports/model.ts';
import type { Clock } from '../../ports/time.ts';
import { createCancellation } from '../engine/cancellation.ts';
import type { Limits } from '../engine/limits.ts';
import { createSilence } from '../engine/silence.ts';

export interface InferenceOptions<Chunk> {
  readonly clock: Clock;
  /** Asks the model; the stream is returned, and `cancelled` tells it, where nobody waits for it any more. */
  open(cancelled: Cancellable): AsyncIterable<Chunk>;
  read(chunk: Chunk): ChunkContent;
  /** How long the model may stay silent, in milliseconds. */
  readonly timeoutMs: number;
  /** How long and how many characters one reply may be, white space included. */
  readonly limits: Pick<Limits, 'replyMs' | 'replyCharacters'>;
  /** When the model counts as slow, long before it is late. */
  readonly fillerAfterMs: number | null;
  /** Whether anybody still waits for the reply; where nobody does it just ends. */
  isWanted(): boolean;
  /** Whether a reply that has ended without words means that. */
  isSilenceMeant(): boolean;
  /** Takes what happens; false where nobody wants more, and a promise of that where the next has to wait for it. */
  take(event: InferenceEvent<Chunk>): boolean | Promise<boolean>;
}

export type InferenceEvent<Chunk> =
  | { readonly type: 'chunk'; readonly chunk: Chunk; readonly content: ChunkContent }
  /** Given once a reply. */
  | { readonly type: 'slow' }
  /** It failed without having said or called anything. */
  | { readonly type: 'failed'; readonly reason: 'late' | 'empty' | 'broken' }
  /** It broke off in the middle of what it said, or was stopped there because it did not end. */
  | { readonly type: 'cut' };

/**
 * One reply of the model within bounds: a silent, broken or empty stream ends in `failed` rather than in dead air. An
 * empty or broken one is asked for once more; a late one is not, for the caller has waited long enough. True where the
 * reply ended by itself, false where nobody wanted more of it; rejects only with what `take` throws.
 */
export async function inferWithin<Chunk>(options: InferenceOptions<Chunk>, isSecond = false): Promise<boolean> {
  const { end, spoke, called } = await readStream(options, isSecond ? null : options.fillerAfterMs);
  if (end === 'unwanted') return false;
  if (spoke && (end === 'late' || end === 'endless' || (end === 'broken' && !called)))
    await options.take({ type: 'cut' });
  if (spoke || called || !options.isWanted() || (end === 'empty' && options.isSilenceMeant())) return true;
  if (end !== 'late' && end !== 'endless' && !isSecond) return await inferWithin(options, true);
  await options.take({ type: 'failed', reason: end === 'endless' ? 'late' : end });
  return true;
}

/** How far a stream came. */
interface Reading {
  readonly end: 'empty' | 'broken' | 'late' | 'endless' | 'unwanted';
  readonly spoke: boolean;
  readonly called: boolean;
}

/** Reads one stream of the model until it ends, falls silent or is not wanted any more. */
function readStream<Chunk>(options: InferenceOptions<Chunk>, fillerAfterMs: number | null): Promise<Reading> {
  const { clock, timeoutMs } = options;
  const cancellation = createCancellation();
  const stream = options.open(cancellation)[Symbol.asyncIterator]();
  let fillerMs = fillerAfterMs;
  let spoke = false;
  let called = false;
  let isOver = false;
  /** The silence of the model is being measured. */
  let isWaiting = false;
  let characters = 0;
  let given: boolean | Promise<boolean> = true;

  // By hand: a reply comes this way word by word, and an async function would make four promises of each.
  return new Promise((resolve, reject) => {
    const silence = createSilence(clock, () => {
      if (fillerMs === null) return finish('late');
      silence.listen(timeoutMs - fillerMs);
      fillerMs = null;
      guarded(() => give({ type: 'slow' }));
    });
    const cancelEnd = clock.schedule(options.limits.replyMs, () => finish('endless'));
    const finish = (end: Reading['end']): void => {
      if (isOver) return;
      isOver = true;
      cancelEnd();
      silence.end();
      if (end === 'late' || end === 'endless' || end === 'unwanted') stop();
      resolve({ end, spoke, called });
    };
    const stop = (): void => {
      cancellation.cancel();
      void Promise.resolve(stream.return?.()).catch(() => undefined);
    };
    const guarded = (work: () => void): void => {
      if (isOver) return;
      try {
        work();
      } catch (error) {
        fail(error);
      }
    };
    const fail = (error: unknown): void => {
      reject(error instanceof Error ? error : new Error('A reply failed without an error.', { cause: error }));
      finish('unwanted');
    };
    /** Gives an event out after the one before it. */
    const give = (event: InferenceEvent<Chunk>): void => {
      const before = given;
      given =
        typeof before === 'boolean'
          ? before && options.take(event)
          : before.then((more) => more && options.take(event));
      if (typeof given !== 'boolean') given.catch(fail);
    };
    const readOn = (more: boolean): void =>
      guarded(() => {
        if (!more) return finish('unwanted');
        if (!isWaiting) silence.listen(fillerMs ?? timeoutMs);
        isWaiting = true;
        // Which error it was is told by the model's own events; here it only matters how far the reply came.
        stream.next().then(onRead, () => finish('broken'));
      });
    const onRead = (result: IteratorResult<Chunk>): void =>
      guarded(() => {
        if (result.done === true) return finish('empty');
        const content = options.read(result.value);
        // White space is no progress: the caller hears nothing of it.
        const isHeard = content.text.trim() !== '' || content.isSound === true;
        if (isHeard || content.calls.length > 0) {
          silence.heard();
          isWaiting = false;
          fillerMs = null;
        }
        spoke ||= content.text.trim() !== '';
        called ||= content.calls.length > 0;
        characters += content.text.length;
        const { replyCharacters } = options.limits;
        // What comes in one piece is said once, if a caller may listen to it at all.
        if (content.text.length <= 10 * replyCharacters) give({ type: 'chunk', chunk: result.value, content });
        if (characters > replyCharacters) return finish('endless');
        if (typeof given === 'boolean') readOn(given);
        else given.then(readOn, () => undefined); // `give` has told its failure.
      });
    readOn(true);
  });
}
