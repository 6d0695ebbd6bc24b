import { llm } from '@livekit/agents';

/** Creates an error whose text the model sees. */
export function toolError(text: string): Error {
  return new llm.ToolError(text);
}
