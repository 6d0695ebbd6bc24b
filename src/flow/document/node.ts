import { z } from 'zod';
import { actionSchema } from './action.ts';
import { contextStrategies, contextStrategyNames } from './context/context-strategies.ts';
import { functionSchema } from './function.ts';
import { ladderSchema } from './ladder.ts';
import { messageSchema } from './message.ts';
import { spokenTextSchema } from './spoken-text.ts';
import { transferSchema } from './people/transfer.ts';
import { nodeEffectSchema, nodePolicySchema, taskPartSchema } from './task-node.ts';

const strategyName = z.enum(contextStrategyNames);

const contextStrategySchema = z
  .union([
    strategyName,
    z.strictObject({
      strategy: strategyName.describe('How much of the conversation the model sees in the node.'),
      summaryPrompt: z.string().optional().describe('For reset_with_summary: the prompt for the summary.'),
    }),
  ])
  .meta({
    id: 'ContextStrategy',
    description: `${Object.entries(contextStrategies)
      .map(([name, { description }]) => `${name} ${description}`)
      .join(', ')}.`,
  });

/** The error handling keys of a flow and a node. */
export const troubleFields = {
  onError: z
    .string()
    .optional()
    .describe('The node to go to if a node failed or there are too many transitions in a row.'),
  fallback: spokenTextSchema.optional().describe('The line to say if the model fails or stays silent.'),
  filler: spokenTextSchema.optional().describe('The line to say if the model is slow.'),
  replyTimeoutMs: z
    .number()
    .int()
    .min(100)
    .max(120_000)
    .optional()
    .describe('Time limit of the model in milliseconds (4000).'),
  ladder: ladderSchema.optional().describe('Steps if a question is not answered.'),
};

/** A slot in `collect`. */
const collectedSchema = z
  .union([
    z.string(),
    z.strictObject({
      slot: z.string().describe('The name of a slot.'),
      again: z
        .boolean()
        .optional()
        .describe(
          'true: the slot is asked for on each visit, even if it is known. The old value stays until a new one is taken.',
        ),
    }),
  ])
  .meta({ id: 'Collected', description: 'A slot to ask for: its name, or a map with options.' });

/** One state of a conversation, or one catalog node that runs on entry. */
export const nodeSchema = z
  .strictObject({
    id: z
      .string()
      .min(1)
      .optional()
      .describe('The id of the node if the nodes are a list. In a map the id is the key.'),
    description: z.string().optional().describe('A label for readers and diagrams.'),
    say: spokenTextSchema.optional().describe('A line that is spoken word for word on entry, without an inference.'),
    listen: z
      .boolean()
      .optional()
      .describe(
        'Whether a node that only talks waits for the caller before the flow leaves it. Default: true, except for a node that returns by `$return` and asks nothing.',
      ),
    roleMessages: z.array(messageSchema).optional().describe('The persona from here on.'),
    taskMessages: z.array(messageSchema).optional().describe('The task of the model in this node.'),
    promptFile: z
      .string()
      .optional()
      .describe('A file in the flow’s folder with the task message, or with the prompt of an agent node.'),
    functions: z.array(functionSchema).optional().describe('The functions that the node offers to the model.'),
    call: z
      .string()
      .optional()
      .describe('The function to call on entry, without the model. Its arguments come from `input` and the slots.'),
    collect: z
      .array(collectedSchema)
      .optional()
      .describe('Slots to ask for, in this order. A known slot is skipped unless it has `again: true`.'),
    keys: z
      .record(z.string().regex(/^[0-9*#A-D]$/, 'must be one key of a telephone: 0-9, *, #, A-D'), z.string())
      .optional()
      .describe(
        'A menu: each key of the telephone with the function it calls or the node it leads to, such as { 1: sales, 0: operator }.',
      ),
    forget: z
      .array(z.string())
      .optional()
      .describe('Slots to clear on entry. Slots that the caller fills with the words that lead here are kept.'),
    transfer: transferSchema.optional().describe('The transfer of the caller when the node is entered.'),
    end: z.union([z.string(), z.boolean()]).optional().describe('Ends the conversation with this reason.'),
    defaultTransition: z.string().optional().describe('The next node if there is no other transition.'),
    respondImmediately: z.boolean().optional().describe('false: the node waits for the caller to speak first.'),
    contextStrategy: contextStrategySchema
      .optional()
      .describe('How much of the previous conversation the model sees in the node.'),
    preActions: z.array(actionSchema).optional().describe('Actions on entry, before the node speaks.'),
    postActions: z.array(actionSchema).optional().describe('Actions after the node has spoken.'),
    type: z
      .string()
      .optional()
      .describe('The type of a catalog node. It runs on entry, then the flow follows its edges.'),
    input: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('The input of a catalog node, or arguments for `call`; with {{ bindings }}.'),
    config: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('For an agent node: model, temperature and the like.'),
    prompt: z.string().optional().describe('For an agent node: its prompt, with {{ names }}.'),
    effect: nodeEffectSchema.describe('For a catalog node: `write` if it changes the world.'),
    policy: nodePolicySchema.optional().describe('For a catalog node: time limits, attempts, and failure handling.'),
    output: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('For a waiting node: its output, with {{ resolution }} and {{ actor }}. Default: the resolution.'),
    body: taskPartSchema.optional().describe('For control.foreach and control.loop: the repeated nodes.'),
    ...troubleFields,
  })
  .meta({ id: 'Node', description: 'One state of the conversation.' });

/** A node as written by its author. */
export type Node = z.input<typeof nodeSchema>;

/** How much of the conversation the model sees in a node. */
export type ContextStrategy = z.output<typeof strategyName>;

export type NodeDocument = z.output<typeof nodeSchema>;

/** Returns the names of the slots that a node asks for, in order. */
export function collectedNames(collect: NodeDocument['collect']): readonly string[] {
  return (collect ?? []).map((one) => (typeof one === 'string' ? one : one.slot));
}
