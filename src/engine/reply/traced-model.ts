import { isJsonObject, type Json } from '../../model/json.ts';
import type { RequestSpan, TokenCount } from '../../model/events/turn-trace.ts';
import type { ChunkContent, Model, ModelName } from '../../model/ports/model.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { TurnTracer } from '../commit/turn-tracer.ts';

/** Wraps a model so that its requests appear in the trace of their turn. Requests before there is a tracer are not traced. */
export function tracedModel(
  model: Model,
  use: Exclude<RequestSpan['use'], 'reply'>,
  tracer: () => TurnTracer | null,
  clock: Clock,
): Model {
  return {
    ...model,
    async *generate(request) {
      const known = tracer();
      if (known === null) {
        yield* model.generate(request);
        return;
      }
      const traced = traceRequest(known, clock, use, model.name ?? { model: model.label, provider: 'unknown' });
      let isWhole = false;
      try {
        for await (const chunk of model.generate(request)) {
          if (chunk.type === 'text') traced.read({ text: chunk.delta, calls: [] });
          else if (chunk.type === 'call') traced.read({ text: '', calls: [chunk.call] });
          else {
            isWhole = true;
            const tokens = tokensOf(chunk.usage);
            traced.read({ text: '', calls: [], ...(tokens === null ? {} : { tokens }) });
          }
          yield chunk;
        }
      } finally {
        traced.end(!isWhole);
      }
    },
  };
}

/** Returns the token counts that a model reported; null if they are incomplete. */
function tokensOf(usage: Json = null): TokenCount | null {
  if (!isJsonObject(usage)) return null;
  const { input, output, cached = 0 } = usage;
  const isCount = (value: Json | undefined): value is number => typeof value === 'number' && value >= 0;
  return isCount(input) && isCount(output) && isCount(cached) ? { input, output, cached } : null;
}

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
