import { z } from 'zod';
import type { JsonObject } from '../events/json.ts';
import { jsonObject } from './json-fields.ts';

/** What an agent node's `config` may say. */
export const agentConfig = z
  .strictObject({
    model: z.string().min(1).optional().describe('The name of a model in agent.config.ts; the usual one where absent.'),
    temperature: z.number().min(0).max(2).optional().describe('How free the model is, from 0 to 2.'),
    maxTokens: z.number().int().min(1).optional().describe('How long one reply may be.'),
    topP: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('From how much of what is likely the model chooses, from 0 to 1.'),
    tools: z.array(z.string().min(1)).optional().describe('The registered functions that the model may call.'),
    toolChoice: z
      .union([
        z.enum(['auto', 'none', 'required']),
        z.strictObject({ name: z.string().min(1).describe('The function.') }),
      ])
      .optional()
      .describe(
        'Whether the model calls functions: auto, none, required, or the one that it must call; once it has called one, ' +
          'it is free to answer.',
      ),
    maxTurns: z
      .number()
      .int()
      .min(1)
      .max(1_000)
      .optional()
      .describe('How many messages it answers, its input included; 16 where absent.'),
    turnTimeoutMs: z
      .number()
      .int()
      .min(0)
      .max(86_400_000)
      .optional()
      .describe('How long it waits for the next message: 30,000 with max_turns above 1, else not at all.'),
    metadata: jsonObject.optional().describe('Handed on to the model’s provider.'),
  })
  .meta({ id: 'AgentConfig', description: 'How the model of an agent is asked, and how many turns it takes.' });

/** An agent's config as it is read, keys in camelCase. */
export type AgentConfig = z.output<typeof agentConfig>;

/** How many turns an agent may take, and how long it waits for each but the first. */
export function turnsOf({ maxTurns, turnTimeoutMs }: AgentConfig): { most: number; silenceMs: number } {
  const most = maxTurns ?? defaultTurns;
  return { most, silenceMs: turnTimeoutMs ?? (maxTurns === undefined || maxTurns === 1 ? 0 : defaultSilenceMs) };
}

/** What of a config is for the model's provider. */
export function modelSettings({ temperature, maxTokens, topP, toolChoice, metadata }: AgentConfig): JsonObject {
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(topP === undefined ? {} : { topP }),
    ...(toolChoice === undefined ? {} : { toolChoice }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

/** The same where the model has done what it was held to: else it could only call on, and never answer. */
export function freedSettings(settings: JsonObject): JsonObject {
  const { toolChoice } = settings;
  return toolChoice === undefined || toolChoice === 'none' ? settings : { ...settings, toolChoice: 'auto' };
}

const defaultTurns = 16;
const defaultSilenceMs = 30_000;
