import { isJsonObject, type Json } from '../../model/json.ts';
import type { RequestSpan, TokenCount } from '../../model/events/turn-trace.ts';
import type { Model } from '../../model/ports/model.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { TurnTracer } from '../commit/turn-tracer.ts';
import { traceRequest } from './trace-request.ts';

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
