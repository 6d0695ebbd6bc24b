import type { llm } from '@livekit/agents';

/** A model by name, or an instance of any LiveKit LLM. */
export type ModelChoice = 'offline' | 'openai' | llm.LLM;
