import type { ModelCall } from '../ports/model.ts';
import type { Clock } from '../ports/time.ts';
import { timeLimit } from './time-limit.ts';

/** What one chunk of a model's stream holds. */
export interface ChunkContent {
  readonly text: string;
  readonly calls: readonly ModelCall[];
}

export interface InferenceOptions<Chunk> {
  readonly clock: Clock;
  /** Asks the model; the stream is returned, and the signal aborts, where nobody waits for it any more. */
  open(signal: AbortSignal): AsyncIterable<Chunk>;
  read(chunk: Chunk): ChunkContent;
  /** How long the model may stay silent, in milliseconds. */
  readonly timeoutMs: number;
  /** When the model counts as slow, long before it is late. */
  readonly fillerAfterMs: number | null;
  /** Whether anybody still waits for the reply; where nobody does it just ends. */
  isWanted(): boolean;
}

export type InferenceEvent<Chunk> =
  | { readonly type: 'chunk'; readonly chunk: Chunk; readonly content: ChunkContent }
  /** Told once. */
  | { readonly type: 'slow' }
  /** It failed without having said or called anything. */
  | { readonly type: 'failed'; readonly reason: 'late' | 'empty' | 'broken' }
  /** It broke off in the middle of what it said. */
  | { readonly type: 'cut' };

export interface Inference<Chunk> {
  /** What happens next; null once the reply has ended. Never rejects. */
  next(): Promise<InferenceEvent<Chunk> | null>;
  /** Nobody waits for the rest: the model is stopped. */
  close(): void;
}

/**
 * One reply of the model within bounds: a silent, broken or empty stream ends in `failed` rather than in dead air. An
 * empty or broken one is asked for once more; a late one is not, for the caller has waited long enough.
 */
export function inferWithin<Chunk>(options: InferenceOptions<Chunk>): Inference<Chunk> {
  const { clock, timeoutMs } = options;
  let attempt = openAttempt(options);
  let isSecond = false;
  let isOver = false;
  let fillerMs = options.fillerAfterMs;
  let waitedMs = 0;

  /** What was read, as an event. */
  const take = (
    result: IteratorResult<Chunk> | 'late' | 'broken',
  ): InferenceEvent<Chunk> | null | Promise<InferenceEvent<Chunk> | null> => {
    if (isOver) return null;
    if (result === 'late' && fillerMs !== null) {
      waitedMs = fillerMs;
      fillerMs = null;
      return { type: 'slow' };
    }
    fillerMs = null;
    waitedMs = 0;
    attempt.reading = null;
    if (typeof result === 'object' && result.done !== true) {
      const content = options.read(result.value);
      attempt.spoke ||= content.text.trim() !== '';
      attempt.called ||= content.calls.length > 0;
      return { type: 'chunk', chunk: result.value, content };
    }
    const reason = typeof result === 'object' ? 'empty' : result;
    const { spoke, called } = attempt;
    if (reason === 'late') stop(attempt);
    isOver = true;
    if (spoke) return reason === 'late' || (reason === 'broken' && !called) ? { type: 'cut' } : null;
    if (called || !options.isWanted()) return null;
    if (reason === 'late' || isSecond) return { type: 'failed', reason };
    isOver = false;
    isSecond = true;
    attempt = openAttempt(options);
    return next();
  };
  // Each chunk comes this way: `then` makes fewer promises of it than an async function.
  const next = (): Promise<InferenceEvent<Chunk> | null> => {
    if (isOver) return Promise.resolve(null);
    attempt.reading ??= attempt.stream.next();
    return timeLimit(attempt.reading, clock, fillerMs ?? timeoutMs - waitedMs).then(
      take,
      // Which error it was is told by the model's own events; here it only matters how far the reply came.
      () => take('broken'),
    );
  };

  return {
    next,
    close() {
      if (!isOver) stop(attempt);
      isOver = true;
    },
  };
}

interface Attempt<Chunk> {
  readonly abort: AbortController;
  readonly stream: AsyncIterator<Chunk>;
  /** What was asked for and has not come yet. */
  reading: Promise<IteratorResult<Chunk>> | null;
  spoke: boolean;
  called: boolean;
}

function openAttempt<Chunk>(options: InferenceOptions<Chunk>): Attempt<Chunk> {
  const abort = new AbortController();
  const stream = options.open(abort.signal)[Symbol.asyncIterator]();
  return { abort, stream, reading: null, spoke: false, called: false };
}

function stop({ abort, stream }: Attempt<unknown>): void {
  abort.abort();
  void Promise.resolve(stream.return?.()).catch(() => undefined);
}
