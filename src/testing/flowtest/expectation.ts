import { z } from 'zod';
import type { Json } from '../../events/json.ts';
import { lengthSchema } from './durations.ts';

const json: z.ZodType<Json, Json> = z.json();
const values = z.record(z.string(), json);
const texts = z.union([z.string(), z.array(z.string())]);

/** A text that `roomflow test --update` writes; null until it has. */
const exactly = z.string().nullable().optional();

const said = z
  .union([
    z.string(),
    z.array(z.string()),
    z
      .strictObject({
        contains: texts.optional().describe('What was said.'),
        not: texts.optional().describe('What was not said.'),
        within: lengthSchema.optional().describe('How soon after the turn began the agent began to speak.'),
        judge: z.string().optional().describe('What a judge is asked about it; with the live engine only.'),
        exactly: exactly.describe('All that was said, word for word; roomflow test --update writes it.'),
      })
      .meta({ id: 'Said' }),
  ])
  .describe('What the agent said in this turn, as far as it was heard; /…/ is a regular expression.');

const asked = z
  .strictObject({
    contains: texts.optional().describe('What stands in one of the requests.'),
    not: texts.optional().describe('What stands in none.'),
    exactly: exactly.describe('The last request, word for word; roomflow test --update writes it.'),
  })
  .meta({ id: 'Asked' })
  .describe('What the model was asked in this turn: prompts, functions that were offered, and the talk; as one text.');

const causes = [
  'function',
  'refused',
  'dynamic',
  'edge',
  'default',
  'error',
  'stale',
  'trouble',
  'requested',
  'return',
  'swap',
  'yield',
  'expired',
] as const;

const edge = z
  .union([
    z.string().regex(/^(?:\s*\S+\s*->\s*\S+\s*|<\w+>)$/, 'must be NODE -> NODE'),
    z
      .strictObject({
        from: z.string().optional(),
        to: z.string().optional(),
        because: z.enum(causes).optional().describe('What decided it.'),
        function: z.string().optional().describe('The function that led there.'),
      })
      .meta({ id: 'TakenEdge' }),
  ])
  .describe('A transition that was taken: NODE -> NODE, or with the cause.');

const tool = z
  .union([
    z.string(),
    z
      .strictObject({
        name: z.string(),
        args: values.optional().describe('The arguments of one of its calls.'),
        match: z.enum(['subset', 'exact']).optional().describe('How the arguments are compared; subset.'),
        times: z.number().int().min(0).optional().describe('How often it was attempted.'),
        effective: z
          .number()
          .int()
          .min(0)
          .optional()
          .describe('How often it took effect: attempts under one key count once, failed ones not at all.'),
      })
      .meta({ id: 'ToolCalled' }),
  ])
  .describe('A tool or handler that ran.');

const count = z.union([
  z.number().int().min(0),
  z
    .strictObject({ min: z.number().int().min(0).optional(), max: z.number().int().min(0).optional() })
    .meta({ id: 'Count' }),
]);

const event = z
  .union([
    z.string(),
    z
      .strictObject({ type: z.string(), data: values.optional(), count: z.number().int().min(0).optional() })
      .meta({ id: 'EventTold' }),
  ])
  .describe('An event, by its type, and what its data has.');

const blocked = z
  .union([z.string(), z.strictObject({ tool: z.string(), reason: z.enum(['not-in-node', 'over']).optional() })])
  .describe('A call that was refused.');

const wait = z
  .union([
    z.boolean(),
    z
      .strictObject({
        to: z.string().optional().describe('The queue or person who is asked.'),
        question: z.string().optional(),
        options: z.array(z.string()).optional(),
        facts: values.optional(),
        kind: z.enum(['confirm', 'admin_resolution', 'proxy_input', 'timeout', 'scheduler']).optional(),
      })
      .meta({ id: 'OpenWait' }),
  ])
  .describe('Whether somebody or something outside of the call is waited for, and for what.');

const momentFields = {
  node: z.string().optional().describe('The node that the flow is in.'),
  edge: z.union([edge, z.array(edge)]).optional(),
  noEdge: z.literal(true).optional().describe('No transition was taken.'),
  slots: values.optional().describe('Slots and their values; null for one that is not known.'),
  variables: values.optional().describe('Variables and their values.'),
  tool: z.union([tool, z.array(tool)]).optional(),
  llmCalls: count.optional().describe('How often the model was asked.'),
  said: said.optional(),
  asked: asked.optional(),
  interrupted: z
    .union([z.boolean(), z.strictObject({ heard: z.string() }).meta({ id: 'CutOff' })])
    .optional()
    .describe('Whether the caller spoke over the agent, and what was heard until then.'),
  event: z.union([event, z.array(event)]).optional(),
  blocked: z.union([blocked, z.array(blocked)]).optional(),
  wait: wait.optional(),
  decided: z
    .enum(['posted', 'same', 'over', 'changed', 'invalid', 'denied', 'unknown'])
    .optional()
    .describe('What became of the decision of this turn.'),
  callDue: z.boolean().optional().describe('Whether the caller is to be called because of what was decided.'),
  outcome: z
    .union([z.string(), z.boolean()])
    .optional()
    .describe('The reason for which the flow has ended, or whether it has.'),
  language: z.string().optional().describe('The language that is spoken, as a BCP 47 tag.'),
  path: z.array(z.string()).optional().describe('The nodes that the flow entered, in order.'),
};

/** What must hold after a turn. */
export const expectationSchema = z.strictObject(momentFields).meta({ id: 'Expectation' });

const { decided: _decided, interrupted: _interrupted, asked: _asked, ...wholeFields } = momentFields;

/** What must hold at the end: tools, requests, words, events and nodes of the whole scenario. */
export const wholeSchema = z
  .strictObject({
    ...wholeFields,
    openWaits: z.number().int().min(0).optional().describe('How many waits are open.'),
  })
  .meta({ id: 'FinalExpectation' });

/** What must not happen anywhere. */
export const unwantedSchema = z
  .strictObject({
    node: z.string().optional(),
    edge: edge.optional(),
    tool: z.union([z.string(), z.strictObject({ name: z.string(), args: values.optional() })]).optional(),
    said: z.string().optional(),
    event: event.optional(),
  })
  .meta({ id: 'UnwantedThing' });

export type Expectation = z.output<typeof expectationSchema>;
export type WholeExpectation = z.output<typeof wholeSchema>;
export type Unwanted = z.output<typeof unwantedSchema>;
export type TakenEdge = z.output<typeof edge>;
export type ToolCalled = z.output<typeof tool>;
