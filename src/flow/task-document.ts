import { z } from 'zod';
import { whenSchema } from '../expression/when.ts';
import { inputFieldSchema, inputTypeSchema, nodePacksSchema } from './document.ts';

const longestMs = 86_400_000;
const timeMs = z.number().int().min(1).max(longestMs);

/** What a node of a task flow may cost, and what becomes of its failure. */
const nodePolicySchema = z
  .strictObject({
    timeoutMs: timeMs.optional().describe('How long one attempt may take.'),
    totalTimeoutMs: timeMs.optional().describe('How long all attempts may take, with the waits between them.'),
    retry: z
      .strictObject({
        maxAttempts: z.number().int().min(1).max(10).describe('Attempts in all, the first included.'),
        backoffMs: z
          .number()
          .int()
          .min(0)
          .max(longestMs)
          .optional()
          .describe('The wait before the second; it doubles.'),
      })
      .optional()
      .describe('How often a failing node is tried again.'),
    continueOnError: z
      .boolean()
      .optional()
      .describe('Where it fails, its output is { failed: true, error }, and its edges are followed.'),
  })
  .meta({ id: 'TaskPolicy', description: 'What a task may cost, and what becomes of its failure.' });

const edgeSchema = z
  .strictObject({
    from: z.string().describe('The node that comes first.'),
    to: z.string().describe('The node that waits for it.'),
    when: whenSchema.optional().describe('It fires only if this holds when the first node has run.'),
  })
  .meta({ id: 'TaskEdge', description: 'What runs after what; every edge that holds fires.' });

const edges = z.array(edgeSchema).optional().describe('What runs after what. Circles are no flow: use control.loop.');

/** One task: a catalog node with its input. */
const taskNodeSchema = z
  .strictObject({
    id: z.string().min(1).optional().describe('The node’s name where nodes are a list; in a map it is the key.'),
    description: z.string().optional().describe('For readers and drawings.'),
    type: z.string().describe('The catalog node that runs.'),
    input: z.record(z.string(), z.unknown()).optional().describe('Its input, with {{ bindings }}.'),
    config: z.record(z.string(), z.unknown()).optional().describe('For an agent: model, temperature and the like.'),
    prompt: z.string().optional().describe('For an agent: what it is to do, with {{ names }}.'),
    promptFile: z
      .string()
      .optional()
      .describe('For an agent: a file inside the flow’s folder whose text is its prompt.'),
    policy: nodePolicySchema.optional().describe('Time limits, attempts, and what a failure means.'),
    get body() {
      return taskPartSchema.optional().describe('For control.foreach and control.loop: the nodes that are repeated.');
    },
  })
  .meta({ id: 'TaskNode', description: 'One task of a flow.' });

// One schema in two places would lose its description in the JSON Schema.
const nodesSchema = () =>
  z
    .union([z.record(z.string(), taskNodeSchema), z.array(taskNodeSchema)])
    .describe('The tasks by id, or as a list with ids.');

const taskPartSchema = z
  .strictObject({ nodes: nodesSchema(), edges })
  .meta({ id: 'TaskBody', description: 'Tasks inside a task.' });

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
        policy: z
          .strictObject({
            failFast: z.boolean().optional().describe('The first failure ends the run: true where absent.'),
            concurrency: z.number().int().min(1).max(1_000).optional().describe('How many tasks run at once (8).'),
          })
          .optional()
          .describe('How the flow runs.'),
        nodePacks: nodePacksSchema,
      })
      .describe('What the flow is called and takes.'),
    nodes: nodesSchema(),
    edges,
  })
  .meta({ id: 'TaskFlow', description: 'A task flow, schema version 1: runs once, in parallel, to its outputs.' });

/** A task flow in TypeScript. */
export type TaskFlow = z.input<typeof taskFlowSchema>;
/** A task flow as the loader gives it. */
export type TaskDocument = z.output<typeof taskFlowSchema>;
export type TaskNodeDocument = z.output<typeof taskNodeSchema>;
export type TaskPartDocument = z.output<typeof taskPartSchema>;
