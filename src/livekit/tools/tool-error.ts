import { llm } from '@livekit/agents';

/** What a tool throws whose text is told to the model. */
export function toolError(text: string): Error {
  return new llm.ToolError(text);
}
