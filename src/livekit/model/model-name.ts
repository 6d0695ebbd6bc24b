import type { llm } from '@livekit/agents';
import type { TokenCount } from '../../model/events/turn-trace.ts';
import type { ModelName } from '../../model/ports/model.ts';

/** Returns a LiveKit model's name and provider. */
export function nameOf({ model, provider }: llm.LLM | llm.RealtimeModel): ModelName {
  return { model, provider, isLiveKits: true };
}

/** Converts LiveKit's usage of a request to token counts. */
export function tokensOf({ promptTokens, completionTokens, promptCachedTokens }: llm.CompletionUsage): TokenCount {
  return { input: promptTokens, output: completionTokens, cached: promptCachedTokens };
}
