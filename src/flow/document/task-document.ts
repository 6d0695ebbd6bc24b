import { z } from 'zod';
import { inputFieldSchema, inputTypeSchema, nodePacksSchema } from './document.ts';
import { taskEdgesSchema, taskNodesSchema } from './task-node.ts';

/** The policy of a task flow. */
export const taskPolicySchema = z.strictObject({
  failFast: z.boolean().optional().describe('Whether the first failure ends the run. Default: true.'),
  concurrency: z.number().int().min(1).max(1_000).optional().describe('Maximum number of tasks that run at once (8).'),
});

/** A task flow as written by its author, with keys in camelCase. */
export const taskFlowSchema = z
  .strictObject({
    $schema: z.string().optional().describe('The JSON Schema of this document, for editors.'),
    schemaVersion: z.literal(1).optional().describe('The version of this format: 1.'),
    flow: z
      .strictObject({
        name: z.string().min(1).optional().describe('The name of the flow. Default: the name of the file or folder.'),
        description: z.string().optional().describe('The purpose of the flow.'),
        input: z
          .record(z.string(), z.union([inputTypeSchema, inputFieldSchema]))
          .optional()
          .describe('Values that are passed to the flow, with their types; read as {{ flow.input.NAME }}.'),
        policy: taskPolicySchema.optional().describe('How the flow runs.'),
        nodePacks: nodePacksSchema,
      })
      .describe('The name, input and policy of the flow.'),
    nodes: taskNodesSchema(),
    edges: taskEdgesSchema,
  })
  .meta({ id: 'TaskFlow', description: 'A task flow, schema version 1: runs once, in parallel, to its outputs.' });

/** A task flow in TypeScript. */
export type TaskFlow = z.input<typeof taskFlowSchema>;
/** A loaded task flow. */
export type TaskDocument = z.output<typeof taskFlowSchema>;
