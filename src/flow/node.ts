import { z } from 'zod';
import { actionSchema } from './action.ts';
import { contextStrategies, contextStrategyNames } from './context/context-strategies.ts';
import { functionSchema } from './function.ts';
import { ladderSchema } from './ladder.ts';
import { messageSchema } from './message.ts';
import { spokenTextSchema } from './spoken-text.ts';
import { nodeEffectSchema, nodePolicySchema, taskPartSchema } from './task-node.ts';

const strategyName = z.enum(contextStrategyNames);

const contextStrategySchema = z
  .union([
    strategyName,
    z.strictObject({
      strategy: strategyName.describe('How much of the conversation the node is shown.'),
      summaryPrompt: z.string().optional().describe('For reset_with_summary: how to summarise.'),
    }),
  ])
  .meta({
    id: 'ContextStrategy',
    description: `${Object.entries(contextStrategies)
      .map(([name, { description }]) => `${name} ${description}`)
      .join(', ')}.`,
  });

/** What a flow and a node may say about trouble. */
export const troubleFields = {
  onError: z.string().optional().describe('The node to go to when a node failed or a chain of moves is too long.'),
  fallback: spokenTextSchema.optional().describe('What is said when the model fails or stays silent.'),
  filler: spokenTextSchema.optional().describe('What is said when the model is slow.'),
  replyTimeoutMs: z.number().int().min(100).max(120_000).optional().describe('How long the model may take (4000).'),
  ladder: ladderSchema.optional().describe('What is done when a question is not answered.'),
};

/** A slot as `collect` names it. */
const collectedSchema = z
  .union([
    z.string(),
    z.strictObject({
      slot: z.string().describe('The name of a slot.'),
      again: z
        .boolean()
        .optional()
        .describe(
          'true: it is asked for on each visit, also where it is known; the old value stays until there is a new one.',
        ),
    }),
  ])
  .meta({ id: 'Collected', description: 'A slot to ask for: its name, or a map that says how.' });

/** One state of a conversation, or one catalog node that runs on entry. */
export const nodeSchema = z
  .strictObject({
    id: z.string().min(1).optional().describe('The node’s name where nodes are a list; in a map it is the key.'),
    description: z.string().optional().describe('For readers and drawings.'),
    say: spokenTextSchema.optional().describe('Spoken as it stands on entry, without an inference.'),
    listen: z
      .boolean()
      .optional()
      .describe(
        'Whether a node that only talks waits for the caller before it is left: true where absent, but for an answer that goes back by `$return` and asks nothing.',
      ),
    roleMessages: z.array(messageSchema).optional().describe('The persona from here on.'),
    taskMessages: z.array(messageSchema).optional().describe('What the model is to do in this node.'),
    promptFile: z
      .string()
      .optional()
      .describe('A file inside the flow’s folder whose text is the task message, or the prompt of an agent node.'),
    functions: z.array(functionSchema).optional().describe('What the node offers the model.'),
    call: z
      .string()
      .optional()
      .describe(
        'The function that is called on entry, without the model: its arguments come from `input` and the slots.',
      ),
    collect: z
      .array(collectedSchema)
      .optional()
      .describe('Slots to ask for, in this order; a known one is skipped, but for one with `again: true`.'),
    forget: z
      .array(z.string())
      .optional()
      .describe(
        'Slots that are forgotten on entry, but for those that the caller fills with the words that lead here.',
      ),
    end: z.union([z.string(), z.boolean()]).optional().describe('The conversation ends here, for this reason.'),
    defaultTransition: z.string().optional().describe('The next node when nothing else moves.'),
    respondImmediately: z.boolean().optional().describe('false: the node waits for the caller to speak first.'),
    contextStrategy: contextStrategySchema.optional().describe('What of the conversation so far the node is shown.'),
    preActions: z.array(actionSchema).optional().describe('Done on entry, before the node speaks.'),
    postActions: z.array(actionSchema).optional().describe('Done after the node has spoken.'),
    type: z.string().optional().describe('A catalog node: runs on entry, then follows its edges.'),
    input: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('For a catalog node its input, for `call` arguments; with {{ bindings }}.'),
    config: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('For an agent node: model, temperature and the like.'),
    prompt: z.string().optional().describe('For an agent node: what it is to do, with {{ names }}.'),
    effect: nodeEffectSchema.describe('For a catalog node: `write` where it changes the world.'),
    policy: nodePolicySchema.optional().describe('For a catalog node: time limits, attempts, what a failure means.'),
    output: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        'For a node that waits: its output, made of {{ resolution }} and {{ actor }}; the resolution where absent.',
      ),
    body: taskPartSchema.optional().describe('For control.foreach and control.loop: the nodes that are repeated.'),
    ...troubleFields,
  })
  .meta({ id: 'Node', description: 'One state of the conversation.' });

/** A node as an author writes it. */
export type Node = z.input<typeof nodeSchema>;

/** How much of the conversation a node is shown. */
export type ContextStrategy = z.output<typeof strategyName>;

export type NodeDocument = z.output<typeof nodeSchema>;

/** The names of the slots that a node asks for, in its order. */
export function collectedNames(collect: NodeDocument['collect']): readonly string[] {
  return (collect ?? []).map((one) => (typeof one === 'string' ? one : one.slot));
}
