import type { llm } from '@livekit/agents';
import type { TokenCount } from '../../events/turn-trace.ts';
import type { ModelName } from '../../ports/model.ts';

/** How a model of LiveKit is named by its provider. */
export function nameOf({ model, provider }: llm.LLM | llm.RealtimeModel): ModelName {
  return { model, provider, isLiveKits: true };
}

/** What a request of a model took, as LiveKit tells it. */
export function tokensOf({ promptTokens, completionTokens, promptCachedTokens }: llm.CompletionUsage): TokenCount {
  return { input: promptTokens, output: completionTokens, cached: promptCachedTokens };
}
