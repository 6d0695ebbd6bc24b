import type { metrics } from '@livekit/agents';
import type { TurnTracer } from '../../turn/engine/turn-tracer.ts';

/** Counts what a realtime model tells that its last generation took. */
export function countTokens(tracer: Pick<TurnTracer, 'count'>, told: unknown): void {
  // The payload of the event that realtime sessions tell.
  const { inputTokens = 0, outputTokens = 0, inputTokenDetails } = told as Partial<metrics.RealtimeModelMetrics>;
  if (inputTokens + outputTokens === 0) return;
  tracer.count({ input: inputTokens, output: outputTokens, cached: inputTokenDetails?.cachedTokens ?? 0 });
}
