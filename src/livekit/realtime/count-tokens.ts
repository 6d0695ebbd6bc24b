import type { metrics } from '@livekit/agents';
import type { TurnTracer } from '../../engine/commit/turn-tracer.ts';

/** Counts the tokens that a realtime model reports for its last generation. */
export function countTokens(tracer: Pick<TurnTracer, 'count'>, told: unknown): void {
  // The payload of the realtime session's metrics event.
  const { inputTokens = 0, outputTokens = 0, inputTokenDetails } = told as Partial<metrics.RealtimeModelMetrics>;
  if (inputTokens + outputTokens === 0) return;
  tracer.count({ input: inputTokens, output: outputTokens, cached: inputTokenDetails?.cachedTokens ?? 0 });
}
