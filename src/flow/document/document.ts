import { z } from 'zod';
import { termSchema } from '../expression/term.ts';
import { whenSchema } from '../expression/when.ts';
import { documentToolSchema } from './tools/http-tool.ts';
import { functionSchema } from './function.ts';
import { languageTagSchema } from './language-tag.ts';
import { linesSchema } from './lines.ts';
import { messageSchema } from './message.ts';
import { nodeSchema, troubleFields } from './node.ts';
import { calleeSchema } from './people/callee.ts';
import { outcomeSchema } from './report/outcome.ts';
import { slotSchema } from './slot.ts';

/** The JSON types of an input. */
export const inputTypeSchema = z.enum(['string', 'number', 'integer', 'boolean', 'object', 'array']);

/** A value that is passed to the flow, by options or by a job's metadata. */
export const inputFieldSchema = z
  .strictObject({
    type: inputTypeSchema.describe('The JSON type.'),
    description: z.string().optional().describe('A description for readers.'),
    default: z.unknown().optional().describe('The value if none is passed; without a default the value is required.'),
    optional: z.boolean().optional().describe('Whether the value may be absent.'),
  })
  .meta({ id: 'InputField', description: 'A value that is passed to the flow.' });

/** The node packs of a document. */
export const nodePacksSchema = z
  .array(z.string())
  .optional()
  .describe('Packs of node types, named as in nodePacks of agent.config.ts. Other packs are not loaded.');

const edgeSchema = z
  .strictObject({
    from: z.string().describe('The node that the edge leaves.'),
    to: z.string().describe('The node that the edge enters.'),
    when: whenSchema.optional().describe('A condition. The first edge whose condition is true is taken.'),
  })
  .meta({ id: 'Edge', description: 'A possible transition.' });

/** A conversation flow as written by its author, with keys in camelCase. */
export const conversationSchema = z
  .strictObject({
    $schema: z.string().optional().describe('The JSON Schema of this document, for editors.'),
    schemaVersion: z.literal(1).optional().describe('The version of this format: 1.'),
    name: z.string().min(1).optional().describe('The name of the flow. Default: the name of the file or folder.'),
    description: z.string().optional().describe('The purpose of the flow.'),
    language: languageTagSchema.optional().describe('The spoken language, as a BCP 47 tag. Default: English.'),
    languages: z
      .array(languageTagSchema)
      .min(1)
      .optional()
      .describe(
        'Languages that the conversation may change to. Callers change the language by asking, or by speaking another one.',
      ),
    lines: linesSchema.optional().describe('Built-in lines that the flow words differently.'),
    initialNode: z.string().describe('The node that the conversation starts in.'),
    input: z.record(z.string(), inputFieldSchema).optional().describe('Values that are passed to the flow.'),
    slots: z.record(z.string(), slotSchema).optional().describe('The values that the flow collects.'),
    state: z.record(z.string(), z.unknown()).optional().describe('Variables and their initial values.'),
    computed: z
      .record(z.string(), termSchema)
      .optional()
      .describe('Values that are computed from slots and variables, by name. They follow each correction.'),
    roleMessages: z.array(messageSchema).optional().describe('The persona of the whole flow.'),
    promptFile: z.string().optional().describe('A file in the flow’s folder with the text of the persona.'),
    functions: z.array(functionSchema).optional().describe('Functions that every node offers.'),
    tools: z
      .record(z.string(), documentToolSchema)
      .optional()
      .describe('Tools without code, by name: requests over HTTP. Functions name them like tools in code.'),
    nodePacks: nodePacksSchema,
    outcome: outcomeSchema.optional().describe('What is reported about a conversation after its end.'),
    callee: calleeSchema
      .optional()
      .describe(
        'Rules for calls that the agent’s side places and a machine answers. Other conversations do not use them.',
      ),
    policy: z
      .strictObject({
        maxTransitionsPerTurn: z
          .number()
          .int()
          .min(1)
          .max(100)
          .optional()
          .describe('Maximum number of transitions without waiting for the caller (10).'),
      })
      .optional()
      .describe('Limits of the flow.'),
    nodes: z
      .union([z.record(z.string(), nodeSchema), z.array(nodeSchema)])
      .describe('The nodes by id, or as a list with ids.'),
    onTrouble: z
      .string()
      .optional()
      .describe('The node to go to if a question is not answered or a node fails, and no other key names a node.'),
    edges: z.array(edgeSchema).optional().describe('Transitions with conditions, tried from top to bottom.'),
    ...troubleFields,
  })
  .meta({ id: 'ConversationFlow', description: 'A conversation flow, schema version 1.' });

/** A conversation flow in TypeScript, with keys in camelCase: the input of `defineFlow`. */
export type ConversationFlow = z.input<typeof conversationSchema>;
/** Another name for `ConversationFlow`. */
export type FlowConfig = ConversationFlow;
/** A loaded conversation: parsed, checked and resolved. */
export type ConversationDocument = z.output<typeof conversationSchema>;
export type InputFieldDocument = z.output<typeof inputFieldSchema>;
