import { z } from 'zod';
import { whenSchema } from '../expression/when.ts';

const longestMs = 86_400_000;
const timeMs = z.number().int().min(1).max(longestMs);

/** Limits and failure handling of a catalog node. */
export const nodePolicySchema = z
  .strictObject({
    timeoutMs: timeMs.optional().describe('Time limit of one attempt in milliseconds.'),
    totalTimeoutMs: timeMs
      .optional()
      .describe('Time limit of all attempts and the pauses between them, in milliseconds.'),
    retry: z
      .strictObject({
        maxAttempts: z.number().int().min(1).max(10).describe('Total number of attempts, including the first.'),
        backoffMs: z
          .number()
          .int()
          .min(0)
          .max(longestMs)
          .optional()
          .describe('Milliseconds before the second attempt; doubles each time.'),
      })
      .optional()
      .describe('Attempts of a failing node.'),
    continueOnError: z
      .boolean()
      .optional()
      .describe(
        'Whether the flow continues along the node’s edges after a failure, with the output { failed: true, error }.',
      ),
  })
  .meta({ id: 'TaskPolicy', description: 'Limits and failure handling of a task.' });

/** The effect of a catalog node whose type does not declare one. */
export const nodeEffectSchema = z
  .enum(['read', 'write'])
  .optional()
  .describe('`write`: the task changes the world. Once begun it is awaited, and never runs twice at once.');

const edgeSchema = z
  .strictObject({
    from: z.string().describe('The node that runs first.'),
    to: z.string().describe('The node that waits for the first one.'),
    when: whenSchema.optional().describe('A condition that is checked after the first node has run.'),
  })
  .meta({ id: 'TaskEdge', description: 'The order of the tasks. Every edge whose condition is true fires.' });

/** The order of the tasks. */
export const taskEdgesSchema = z
  .array(edgeSchema)
  .optional()
  .describe('The order of the tasks. Cycles are not allowed: use control.loop.');

/** One task: a catalog node with its input. */
const taskNodeSchema = z
  .strictObject({
    id: z
      .string()
      .min(1)
      .optional()
      .describe('The id of the node if the nodes are a list. In a map the id is the key.'),
    description: z.string().optional().describe('A label for readers and diagrams.'),
    type: z.string().describe('The type of the catalog node.'),
    input: z.record(z.string(), z.unknown()).optional().describe('The input, with {{ bindings }}.'),
    config: z.record(z.string(), z.unknown()).optional().describe('For an agent: model, temperature and the like.'),
    prompt: z.string().optional().describe('For an agent: its prompt, with {{ names }}.'),
    promptFile: z
      .string()
      .optional()
      .describe('For an agent: a file inside the flow’s folder whose text is its prompt.'),
    effect: nodeEffectSchema,
    policy: nodePolicySchema.optional().describe('Time limits, attempts, and failure handling.'),
    get body() {
      return taskPartSchema.optional().describe('For control.foreach and control.loop: the repeated nodes.');
    },
  })
  .meta({ id: 'TaskNode', description: 'One task of a flow.' });

/** Tasks by id, or as a list. A function, because a shared schema would lose its description in the JSON Schema. */
export const taskNodesSchema = () =>
  z
    .union([z.record(z.string(), taskNodeSchema), z.array(taskNodeSchema)])
    .describe('The tasks by id, or as a list with ids.');

/** The tasks inside a task. */
export const taskPartSchema = z
  .strictObject({ nodes: taskNodesSchema(), edges: taskEdgesSchema })
  .meta({ id: 'TaskBody', description: 'The tasks inside a task.' });

export type TaskNodeDocument = z.output<typeof taskNodeSchema>;
export type TaskPartDocument = z.output<typeof taskPartSchema>;
