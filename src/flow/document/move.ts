import { z } from 'zod';

/** Moves sessions of an older version of a flow to a newer one. Without a move they stay in their version. */
export const moveSchema = z.strictObject({
  from: z
    .string()
    .regex(/^[0-9a-f]{32}$/, 'must be the hash of a version, as `roomflow show SESSION` prints it')
    .describe('The version of the stored sessions: its hash, as `roomflow show SESSION` prints it.'),
  to: z.string().min(1).describe('The name of the flow that the sessions continue in.'),
  nodes: z
    .record(z.string(), z.string())
    .optional()
    .describe('The new node for each current node; `*` is for any other node that the newer version lacks.'),
});

export type FlowMove = z.output<typeof moveSchema>;
