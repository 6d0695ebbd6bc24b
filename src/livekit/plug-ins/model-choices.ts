import { z } from 'zod';
import type { ModelChoices } from './plug-in-choice.ts';

function plugIn<Choice>() {
  return z.custom<Exclude<NonNullable<Choice>, string>>(
    (value) => (typeof value === 'object' && value !== null) || typeof value === 'function',
    'must be a name, a LiveKit plug-in, or a function that makes one',
  );
}

// Explicit type, because the types of plug-ins cannot be expressed in a declaration.
/** Schema of an agent's models: `models` of `agent.config.ts`. */
export const modelChoices: z.ZodType<ModelChoices, ModelChoices> = z.strictObject({
  llm: z
    .union([z.enum(['offline', 'openai']), plugIn<ModelChoices['llm']>()])
    .optional()
    .describe('"openai", "offline" or any LiveKit LLM. Default: OpenAI if OPENAI_API_KEY is set, otherwise offline.'),
  stt: z
    .union([z.enum(['openai', 'deepgram', 'offline']), plugIn<ModelChoices['stt']>()])
    .optional()
    .describe('The speech recogniser. Without it calls are in text.'),
  tts: z
    .union([z.enum(['openai', 'deepgram', 'offline']), plugIn<ModelChoices['tts']>()])
    .optional()
    .describe('The voice. Without it calls are in text.'),
  realtime: z
    .union([z.enum(['openai']), plugIn<ModelChoices['realtime']>()])
    .optional()
    .describe(
      'One model that hears, thinks and speaks, instead of the three. A tts or stt is used beside it if named.',
    ),
});
