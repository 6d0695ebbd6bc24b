import { z } from 'zod';
import { whenSchema } from '../expression/when.ts';
import { functionSchema } from './function.ts';
import { languageTagSchema } from './language-tag.ts';
import { linesSchema } from './lines.ts';
import { messageSchema } from './message.ts';
import { nodeSchema, troubleFields } from './node.ts';
import { slotSchema } from './slot.ts';

/** The JSON types that an input may have. */
export const inputTypeSchema = z.enum(['string', 'number', 'integer', 'boolean', 'object', 'array']);

/** A value given to the flow from outside: by options or by a job's metadata. */
export const inputFieldSchema = z
  .strictObject({
    type: inputTypeSchema.describe('The JSON type.'),
    description: z.string().optional().describe('What it is for.'),
    default: z.unknown().optional().describe('Used where none is given; without it the value is required.'),
    optional: z.boolean().optional().describe('It may be absent.'),
  })
  .meta({ id: 'InputField', description: 'A value given to the flow from outside.' });

/** The packs whose node types a document may name. */
export const nodePacksSchema = z
  .array(z.string())
  .optional()
  .describe('Packs of node types, named as in nodePacks of agent.config.ts; no others are loaded.');

const edgeSchema = z
  .strictObject({
    from: z.string().describe('The node that is left.'),
    to: z.string().describe('The node that is entered.'),
    when: whenSchema.optional().describe('Taken only if this holds; the first edge that holds wins.'),
  })
  .meta({ id: 'Edge', description: 'A possible transition.' });

/** A whole conversation flow as its author wrote it, keys in camelCase. */
export const conversationSchema = z
  .strictObject({
    $schema: z.string().optional().describe('The JSON Schema of this document, for editors.'),
    schemaVersion: z.literal(1).optional().describe('The version of this format: 1.'),
    name: z.string().min(1).optional().describe('The flow’s name; the file’s or folder’s name where absent.'),
    description: z.string().optional().describe('What the flow is for.'),
    language: languageTagSchema
      .optional()
      .describe('The language that is spoken, as a BCP 47 tag; English where absent.'),
    languages: z
      .array(languageTagSchema)
      .min(1)
      .optional()
      .describe('The languages that the conversation may go on in; callers change it by asking, or by speaking.'),
    lines: linesSchema.optional().describe('What the flow says by itself, where other words fit better.'),
    initialNode: z.string().describe('The node that the conversation begins in.'),
    input: z.record(z.string(), inputFieldSchema).optional().describe('Values given from outside.'),
    slots: z.record(z.string(), slotSchema).optional().describe('What the flow wants to know.'),
    state: z.record(z.string(), z.unknown()).optional().describe('Variables and their first values.'),
    roleMessages: z.array(messageSchema).optional().describe('The persona of the whole flow.'),
    promptFile: z.string().optional().describe('A file inside the flow’s folder whose text is the persona.'),
    functions: z.array(functionSchema).optional().describe('Offered in every node.'),
    nodePacks: nodePacksSchema,
    policy: z
      .strictObject({
        maxTransitionsPerTurn: z.number().int().min(1).max(100).optional().describe('Longest chain of moves (10).'),
      })
      .optional()
      .describe('Limits of the flow.'),
    nodes: z
      .union([z.record(z.string(), nodeSchema), z.array(nodeSchema)])
      .describe('The nodes by id, or as a list with ids.'),
    onTrouble: z
      .string()
      .optional()
      .describe('The node to go to where a question is not answered, or a node fails, and nothing else says where.'),
    edges: z.array(edgeSchema).optional().describe('Transitions by condition, tried from top to bottom.'),
    ...troubleFields,
  })
  .meta({ id: 'ConversationFlow', description: 'A conversation flow, schema version 1.' });

/** A conversation flow as its author writes it in TypeScript, with keys in camelCase: what `defineFlow` takes. */
export type ConversationFlow = z.input<typeof conversationSchema>;
/** Another name for `ConversationFlow`: a flow as its author writes it. */
export type FlowConfig = ConversationFlow;
/** A conversation as it is loaded: read, checked and resolved. */
export type ConversationDocument = z.output<typeof conversationSchema>;
export type InputFieldDocument = z.output<typeof inputFieldSchema>;
