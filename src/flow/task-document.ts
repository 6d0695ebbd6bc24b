import { z } from 'zod';
import { inputFieldSchema, inputTypeSchema, nodePacksSchema } from './document.ts';
import { taskEdgesSchema, taskNodesSchema } from './task-node.ts';

/** How a task flow runs. */
export const taskPolicySchema = z.strictObject({
  failFast: z.boolean().optional().describe('The first failure ends the run: true where absent.'),
  concurrency: z.number().int().min(1).max(1_000).optional().describe('How many tasks run at once (8).'),
});

/** A whole task flow as its author wrote it, keys in camelCase. */
export const taskFlowSchema = z
  .strictObject({
    $schema: z.string().optional().describe('The JSON Schema of this document, for editors.'),
    schemaVersion: z.literal(1).optional().describe('The version of this format: 1.'),
    flow: z
      .strictObject({
        name: z.string().min(1).optional().describe('The flow’s name; the file’s or folder’s name where absent.'),
        description: z.string().optional().describe('What the flow is for.'),
        input: z
          .record(z.string(), z.union([inputTypeSchema, inputFieldSchema]))
          .optional()
          .describe('Values given from outside, each by its type; read as {{ flow.input.NAME }}.'),
        policy: taskPolicySchema.optional().describe('How the flow runs.'),
        nodePacks: nodePacksSchema,
      })
      .describe('What the flow is called and takes.'),
    nodes: taskNodesSchema(),
    edges: taskEdgesSchema,
  })
  .meta({ id: 'TaskFlow', description: 'A task flow, schema version 1: runs once, in parallel, to its outputs.' });

/** A task flow in TypeScript. */
export type TaskFlow = z.input<typeof taskFlowSchema>;
/** A task flow as the loader gives it. */
export type TaskDocument = z.output<typeof taskFlowSchema>;
