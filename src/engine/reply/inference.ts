import type { Cancellable } from '../../model/ports/cancellable.ts';
import type { ChunkContent } from '../../model/ports/model.ts';
import type { Clock } from '../../model/ports/time.ts';
import { createCancellation } from '../cancellation.ts';
import type { Limits } from '../limits.ts';

export interface InferenceOptions<Chunk> {
  readonly clock: Clock;
  /** Asks the model. When the reply is no longer awaited, the stream is returned and `cancelled` is set. */
  open(cancelled: Cancellable): AsyncIterable<Chunk>;
  read(chunk: Chunk): ChunkContent;
  /** How long the model may stay silent, in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum duration and length of one reply, including white space. */
  readonly limits: Pick<Limits, 'replyMs' | 'replyCharacters'>;
  /** When the model counts as slow, long before it is late, in milliseconds. */
  readonly fillerAfterMs: number | null;
  /** Whether the reply is still awaited; if not, it simply ends. */
  isWanted(): boolean;
  /** Whether a reply without words is intended. */
  isSilenceMeant(): boolean;
  /** Takes an event. Returns false if no more is wanted; a promise delays the next event. */
  take(event: InferenceEvent<Chunk>): boolean | Promise<boolean>;
}

export type InferenceEvent<Chunk> =
  | { readonly type: 'chunk'; readonly chunk: Chunk; readonly content: ChunkContent }
  /** Emitted at most once per reply. */
  | { readonly type: 'slow' }
  /** The model failed without words or calls. */
  | { readonly type: 'failed'; readonly reason: 'late' | 'empty' | 'broken' }
  /** The reply broke off after words, or was stopped because it did not end. */
  | { readonly type: 'cut' };

/**
 * Runs one reply of the model within limits: a silent, broken or empty stream ends in `failed` instead of silence.
 * Empty and broken streams are retried once; a late one is not, because the caller has waited long enough. Returns
 * true if the reply ended by itself and false if it was no longer wanted. Rejects only with what `take` throws.
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

/** How far a stream got. */
interface Reading {
  readonly end: 'empty' | 'broken' | 'late' | 'endless' | 'unwanted';
  readonly spoke: boolean;
  readonly called: boolean;
}

/** Reads one stream of the model until it ends, falls silent or is no longer wanted. */
function readStream<Chunk>(options: InferenceOptions<Chunk>, fillerAfterMs: number | null): Promise<Reading> {
  const { clock, timeoutMs } = options;
  const cancellation = createCancellation();
  const stream = options.open(cancellation)[Symbol.asyncIterator]();
  let fillerMs = fillerAfterMs;
  let spoke = false;
  let called = false;
  let isOver = false;
  /** Whether the model's silence is being measured. */
  let isWaiting = false;
  let characters = 0;
  let given: boolean | Promise<boolean> = true;

  let resolve!: (reading: Reading) => void;
  let reject!: (error: Error) => void;
  const reading = new Promise<Reading>((...ends) => ([resolve, reject] = ends));

  const finish = (end: Reading['end']): void => {
    if (isOver) return;
    isOver = true;
    cancelEnd();
    silence.end();
    if (end === 'late' || end === 'endless' || end === 'unwanted') {
      cancellation.cancel();
      void Promise.resolve(stream.return?.()).catch(() => undefined);
    }
    resolve({ end, spoke, called });
  };
  const fail = (error: unknown): void => {
    reject(error instanceof Error ? error : new Error('A reply failed without an error.', { cause: error }));
    finish('unwanted');
  };
  const silence = createSilence(clock, () => {
    if (isOver) return;
    if (fillerMs === null) return finish('late');
    silence.listen(timeoutMs - fillerMs);
    fillerMs = null;
    give({ type: 'slow' });
  });
  const cancelEnd = clock.schedule(options.limits.replyMs, () => finish('endless'));
  /** Emits an event after the previous one. */
  const give = (event: InferenceEvent<Chunk>): void => {
    const before = given;
    try {
      given =
        typeof before === 'boolean'
          ? before && options.take(event)
          : before.then((more) => more && options.take(event));
      if (typeof given !== 'boolean') given.catch(fail);
    } catch (error) {
      fail(error);
    }
  };
  // Written by hand: a reply arrives word by word, and an async function would create four promises per word.
  const readOn = (more: boolean): void => {
    if (isOver) return;
    if (!more) return finish('unwanted');
    if (!isWaiting) silence.listen(fillerMs ?? timeoutMs);
    isWaiting = true;
    try {
      // The model's own events report the error; here only the progress of the reply matters.
      stream.next().then(onRead, () => finish('broken'));
    } catch (error) {
      fail(error);
    }
  };
  const onRead = (result: IteratorResult<Chunk>): void => {
    if (isOver) return;
    if (result.done === true) return finish('empty');
    try {
      take(result.value);
    } catch (error) {
      fail(error);
    }
    if (isOver) return;
    if (typeof given === 'boolean') readOn(given);
    else given.then(readOn, () => undefined); // `give` has reported its failure.
  };
  const take = (chunk: Chunk): void => {
    const content = options.read(chunk);
    const hasWords = content.text.trim() !== '';
    const hasCalls = content.calls.length > 0;
    // White space is not progress, because the caller hears nothing of it.
    if (hasWords || hasCalls || content.isSound === true) {
      silence.heard();
      isWaiting = false;
      fillerMs = null;
    }
    spoke ||= hasWords;
    called ||= hasCalls;
    characters += content.text.length;
    const { replyCharacters } = options.limits;
    // A single oversized piece is dropped if it is far too long to listen to.
    if (content.text.length <= 10 * replyCharacters) give({ type: 'chunk', chunk, content });
    if (characters > replyCharacters) finish('endless');
  };
  readOn(true);
  return reading;
}

/** Detects a silence in a stream. */
export interface Silence {
  /** Starts listening: after `ms` milliseconds without `heard`, `onSilent` is called once. */
  listen(ms: number): void;
  heard(): void;
  /** Stops listening. */
  end(): void;
}

/** Uses one timer for a whole reply, because a timer per chunk would cost as much as the chunk. */
export function createSilence(clock: Clock, onSilent: () => void): Silence {
  let cancel: (() => void) | null = null;
  let limitMs = 0;
  let since: number | null = null;
  /** Whether the timer was set for the current silence, not an earlier one. */
  let isForThis = false;

  const set = (ms: number): void => {
    isForThis = since !== null;
    cancel = clock.schedule(ms, () => ring(ms));
  };
  const ring = (ms: number): void => {
    cancel = null;
    if (since === null) return;
    if (isForThis) {
      since = null;
      onSilent();
      return;
    }
    const waitedMs = clock.now() - since;
    // If the machine's clock was changed meanwhile, the silence is counted from now.
    set(limitMs - (waitedMs >= 0 && waitedMs <= ms ? waitedMs : 0));
  };
  return {
    listen(ms) {
      limitMs = ms;
      since = clock.now();
      isForThis = false;
      if (cancel === null) set(ms);
    },
    heard() {
      since = null;
    },
    end() {
      since = null;
      cancel?.();
      cancel = null;
    },
  };
}
