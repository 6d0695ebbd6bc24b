import { z } from 'zod';

/** How sessions of an older version of a flow go on in a newer one. Without it they stay with the version that they began with. */
export const moveSchema = z.strictObject({
  from: z
    .string()
    .regex(/^[0-9a-f]{32}$/, 'must be the hash of a version, as `roomflow show SESSION` prints it')
    .describe('The version that they are in: its hash, as `roomflow show SESSION` prints it.'),
  to: z.string().min(1).describe('The flow that they go on in, by name.'),
  nodes: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      'Where they go on, by the node that they are in; `*` for any other that the newer version does not have.',
    ),
});

export type FlowMove = z.output<typeof moveSchema>;
