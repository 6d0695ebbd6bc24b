import { z } from 'zod';
import { whenSchema } from '../expression/when.ts';

const longestMs = 86_400_000;
const timeMs = z.number().int().min(1).max(longestMs);

/** What a catalog node may cost, and what becomes of its failure. */
export const nodePolicySchema = z
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

/** What a catalog node does to the world, where its type does not say it. */
export const nodeEffectSchema = z
  .enum(['read', 'write'])
  .optional()
  .describe('`write`: it changes the world; once begun it is waited for, and never run twice at once.');

const edgeSchema = z
  .strictObject({
    from: z.string().describe('The node that comes first.'),
    to: z.string().describe('The node that waits for it.'),
    when: whenSchema.optional().describe('It fires only if this holds when the first node has run.'),
  })
  .meta({ id: 'TaskEdge', description: 'What runs after what; every edge that holds fires.' });

/** What runs after what. */
export const taskEdgesSchema = z
  .array(edgeSchema)
  .optional()
  .describe('What runs after what. Circles are no flow: use control.loop.');

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
    effect: nodeEffectSchema,
    policy: nodePolicySchema.optional().describe('Time limits, attempts, and what a failure means.'),
    get body() {
      return taskPartSchema.optional().describe('For control.foreach and control.loop: the nodes that are repeated.');
    },
  })
  .meta({ id: 'TaskNode', description: 'One task of a flow.' });

/** Tasks by id, or as a list. Made for each place: one schema in two would lose its description in the JSON Schema. */
export const taskNodesSchema = () =>
  z
    .union([z.record(z.string(), taskNodeSchema), z.array(taskNodeSchema)])
    .describe('The tasks by id, or as a list with ids.');

/** Tasks inside of a task. */
export const taskPartSchema = z
  .strictObject({ nodes: taskNodesSchema(), edges: taskEdgesSchema })
  .meta({ id: 'TaskBody', description: 'Tasks inside a task.' });

export type TaskNodeDocument = z.output<typeof taskNodeSchema>;
export type TaskPartDocument = z.output<typeof taskPartSchema>;
