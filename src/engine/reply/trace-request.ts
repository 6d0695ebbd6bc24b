import type { RequestSpan, TokenCount } from '../../model/events/turn-trace.ts';
import type { ChunkContent, ModelName } from '../../model/ports/model.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { TurnTracer } from '../commit/turn-tracer.ts';

/** A model request in the trace of its turn. */
export interface TracedRequest {
  /** Records the content of a chunk. */
  read(content: Pick<ChunkContent, 'text' | 'calls' | 'isSound' | 'tokens'>): void;
  /** The stream has ended or is no longer read; `failed` if it gave nothing usable. */
  end(failed: boolean): void;
}

const unknownModel: ModelName = { model: 'unknown', provider: 'unknown' };

/** Begins the span of a request. A reply's request also sets the moments of its turn. */
export function traceRequest(
  tracer: Pick<TurnTracer, 'begin' | 'reach'>,
  clock: Clock,
  use: RequestSpan['use'],
  name: ModelName = unknownModel,
): TracedRequest {
  const isReply = use === 'reply';
  const began = clock.now();
  const span = tracer.begin({ ...name, name: 'chat', use }, { coming: use === 'route' });
  if (isReply) tracer.reach('requested', began);
  let firstAt: number | null = null;
  let tokens: TokenCount | null = null;
  return {
    read(content) {
      tokens = content.tokens ?? tokens;
      if (firstAt !== null) return;
      if (content.calls.length === 0 && content.isSound !== true && content.text.trim() === '') return;
      firstAt = clock.now();
      if (isReply) tracer.reach('firstToken', firstAt);
    },
    end: (failed) =>
      span.end({
        ...(firstAt === null ? {} : { ttft: firstAt - began }),
        ...(tokens === null ? {} : { tokens }),
        ...(failed ? { failed } : {}),
      }),
  };
}
