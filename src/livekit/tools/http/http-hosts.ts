import { z } from 'zod';

const host = z.strictObject({
  secrets: z
    .array(z.string().regex(/^[A-Za-z_]\w*$/, 'must be the name of an environment variable'))
    .optional()
    .describe('Names of the environment variables that tools may send to it, as {{ env.NAME }}.'),
  private: z.boolean().optional().describe('Allows private addresses, such as 10.0.0.5 or localhost. Default: false.'),
});

const origin = z
  .string()
  .refine(
    (text) => /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text,
    'must be an origin without a path, such as https://api.example.com',
  );

/** Schema of `httpTools` in `agent.config.ts`. */
export const httpHostsSchema = z.record(origin, host);
