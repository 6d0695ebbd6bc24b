import { z } from 'zod';
import type { AfterCallRule } from '../../engine/session/after-call.ts';
import { durationMs, durationSchema } from '../duration.ts';

/** `outcomes` of `agent.config.ts`. */
export const outcomesSchema = z
  .strictObject({
    webhook: z.url({ protocol: /^https?$/ }).describe('The address that receives the outcome of each conversation.'),
    secret: z
      .string()
      .regex(/^[A-Za-z_]\w*$/, 'must be the name of an environment variable')
      .describe('The environment variable with the secret that signs the deliveries.'),
    private: z
      .boolean()
      .optional()
      .describe('Allows a private address, such as 10.0.0.5 or localhost. Default: false.'),
    abandonAfter: durationSchema
      .optional()
      .describe('How long a conversation may be left in the middle before it ends. Default: 24h.'),
  })
  .describe('Delivers the outcome of each conversation after its end. Default: nothing is delivered.');

/** The type of `outcomes` in `agent.config.ts`. */
export type OutcomeSettings = z.input<typeof outcomesSchema>;

const defaultAbandonAfter = '24h';

/** Returns the rule for the sessions of a configuration; nothing without `outcomes`. */
export function afterCallRule(settings: OutcomeSettings | undefined): { readonly afterCall?: AfterCallRule } {
  if (settings === undefined) return {};
  return { afterCall: { abandonAfterMs: durationMs(settings.abandonAfter ?? defaultAbandonAfter) } };
}
