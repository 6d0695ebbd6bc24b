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
  /** Asks the model; the stream stops when the signal aborts. */
  open(signal: AbortSignal): AsyncIterable<Chunk>;
  read(chunk: Chunk): ChunkContent;
  /** How long the model may stay silent, in milliseconds. */
  readonly timeoutMs: number;
  /** Called once when the model is slow, long before it is late. */
  readonly fillerAfterMs: number | null;
  /** Whether anybody still waits for the reply; where nobody does it just ends. */
  isWanted(): boolean;
}

export type InferenceEvent<Chunk> =
  | { readonly type: 'chunk'; readonly chunk: Chunk; readonly content: ChunkContent }
  | { readonly type: 'slow' }
  /** It failed without having said or called anything. */
  | { readonly type: 'failed'; readonly reason: 'late' | 'empty' | 'broken' }
  /** It broke off in the middle of what it said. */
  | { readonly type: 'cut' };

/**
 * One reply of the model within bounds: a silent, broken or empty stream ends in `failed` rather than in dead air. An
 * empty or broken one is asked for once more; a late one is not, for the caller has waited long enough.
 */
export async function* inferWithin<Chunk>(options: InferenceOptions<Chunk>): AsyncGenerator<InferenceEvent<Chunk>> {
  for (let attempt = 1; ; attempt += 1) {
    const reason = yield* attemptOnce(options, attempt === 1);
    if (reason === null || !options.isWanted()) return;
    if (reason === 'late' || attempt === 2) {
      yield { type: 'failed', reason };
      return;
    }
  }
}

async function* attemptOnce<Chunk>(
  options: InferenceOptions<Chunk>,
  mayFill: boolean,
): AsyncGenerator<InferenceEvent<Chunk>, 'late' | 'empty' | 'broken' | null> {
  const { clock, timeoutMs } = options;
  const abort = new AbortController();
  const stream = options.open(abort.signal)[Symbol.asyncIterator]();
  let spoke = false;
  let called = false;
  let fillerMs = mayFill ? options.fillerAfterMs : null;
  let finished = false;
  try {
    for (;;) {
      const next = stream.next();
      let result = await timeLimit(next, clock, fillerMs ?? timeoutMs);
      if (result === 'late' && fillerMs !== null) {
        yield { type: 'slow' };
        result = await timeLimit(next, clock, timeoutMs - fillerMs);
      }
      fillerMs = null;
      if (result === 'late') {
        next.catch(() => undefined); // It is not waited for any more.
        if (!spoke) return called ? null : 'late';
        yield { type: 'cut' };
        return null;
      }
      if (result.done === true) {
        finished = true;
        return spoke || called ? null : 'empty';
      }
      const content = options.read(result.value);
      spoke ||= content.text.trim() !== '';
      called ||= content.calls.length > 0;
      yield { type: 'chunk', chunk: result.value, content };
    }
  } catch {
    // Which error it was is told by the model's own events; here it only matters how far the reply came.
    finished = true;
    if (!spoke) return called ? null : 'broken';
    if (!called) yield { type: 'cut' };
    return null;
  } finally {
    if (!finished) {
      abort.abort();
      void Promise.resolve(stream.return?.()).catch(() => undefined);
    }
  }
}
