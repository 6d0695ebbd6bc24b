import { z } from 'zod';
import type { JsonObject } from '../../model/json.ts';
import { jsonObject } from './json-fields.ts';

/** The `config` of an agent node. */
export const agentConfig = z
  .strictObject({
    model: z.string().min(1).optional().describe('The name of a model in agent.config.ts. Default: the default model.'),
    temperature: z.number().min(0).max(2).optional().describe('The sampling temperature, from 0 to 2.'),
    maxTokens: z.number().int().min(1).optional().describe('Maximum length of one reply in tokens.'),
    topP: z.number().min(0).max(1).optional().describe('The nucleus sampling probability, from 0 to 1.'),
    tools: z.array(z.string().min(1)).optional().describe('The registered functions that the model may call.'),
    toolChoice: z
      .union([
        z.enum(['auto', 'none', 'required']),
        z.strictObject({ name: z.string().min(1).describe('The function.') }),
      ])
      .optional()
      .describe(
        'Whether the model calls functions: auto, none, required, or the function that it must call. After one call it ' +
          'may answer.',
      ),
    maxTurns: z
      .number()
      .int()
      .min(1)
      .max(1_000)
      .optional()
      .describe('Maximum number of messages to answer, including its input. Default: 16.'),
    turnTimeoutMs: z
      .number()
      .int()
      .min(0)
      .max(86_400_000)
      .optional()
      .describe('Milliseconds to wait for the next message. Default: 30,000 with max_turns above 1, otherwise 0.'),
    metadata: jsonObject.optional().describe('Options for the model’s provider.'),
  })
  .meta({ id: 'AgentConfig', description: 'Model options and turns of an agent.' });

/** The parsed config of an agent, with keys in camelCase. */
export type AgentConfig = z.output<typeof agentConfig>;

/** Returns the settings for the model's provider. */
export function modelSettings({ temperature, maxTokens, topP, toolChoice, metadata }: AgentConfig): JsonObject {
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(topP === undefined ? {} : { topP }),
    ...(toolChoice === undefined ? {} : { toolChoice }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

/** Removes a forced tool choice after the first call, so that the model can answer. */
export function freedSettings(settings: JsonObject): JsonObject {
  const { toolChoice } = settings;
  return toolChoice === undefined || toolChoice === 'none' ? settings : { ...settings, toolChoice: 'auto' };
}
