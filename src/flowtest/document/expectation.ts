import { z } from 'zod';
import type { Json } from '../../model/json.ts';
import { lengthSchema } from './durations.ts';

const json: z.ZodType<Json, Json> = z.json();
const values = z.record(z.string(), json);
const texts = z.union([z.string(), z.array(z.string())]);

/** A text that `roomflow test --update` writes. Null until then. */
const exactly = z.string().nullable().optional();

const said = z
  .union([
    z.string(),
    z.array(z.string()),
    z
      .strictObject({
        contains: texts.optional().describe('Words that were spoken.'),
        not: texts.optional().describe('Words that were not spoken.'),
        within: lengthSchema
          .optional()
          .describe('Maximum time from the beginning of the turn to the agent’s first word.'),
        judge: z.string().optional().describe('A question for a judge; only with the live engine.'),
        exactly: exactly.describe('All spoken words, exactly; roomflow test --update writes them.'),
      })
      .meta({ id: 'Said' }),
  ])
  .describe('The agent’s words in this turn, as far as the caller heard them; /…/ is a regular expression.');

const asked = z
  .strictObject({
    contains: texts.optional().describe('Text in one of the requests.'),
    not: texts.optional().describe('Text in none of the requests.'),
    exactly: exactly.describe('The last request, exactly; roomflow test --update writes it.'),
  })
  .meta({ id: 'Asked' })
  .describe('The requests to the model in this turn as one text: prompts, offered functions, and the conversation.');

const causes = [
  'function',
  'key',
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
  'outcome',
] as const;

const edge = z
  .union([
    z.string().regex(/^(?:\s*\S+\s*->\s*\S+\s*|<\w+>)$/, 'must be NODE -> NODE'),
    z
      .strictObject({
        from: z.string().optional(),
        to: z.string().optional(),
        because: z.enum(causes).optional().describe('The cause of the transition.'),
        function: z.string().optional().describe('The function that caused the transition.'),
      })
      .meta({ id: 'TakenEdge' }),
  ])
  .describe('A taken transition: NODE -> NODE, or a map with the cause.');

const tool = z
  .union([
    z.string(),
    z
      .strictObject({
        name: z.string(),
        args: values.optional().describe('The arguments of one of its calls.'),
        match: z.enum(['subset', 'exact']).optional().describe('How the arguments are compared. Default: subset.'),
        times: z.number().int().min(0).optional().describe('Number of attempts.'),
        effective: z
          .number()
          .int()
          .min(0)
          .optional()
          .describe('Number of effects: attempts with the same key count once, failed attempts do not count.'),
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
  .describe('An event by its type and data.');

const blocked = z
  .union([z.string(), z.strictObject({ tool: z.string(), reason: z.enum(['not-in-node', 'over']).optional() })])
  .describe('A call that was refused.');

const wait = z
  .union([
    z.boolean(),
    z
      .strictObject({
        to: z.string().optional().describe('The queue or person to ask.'),
        question: z.string().optional(),
        options: z.array(z.string()).optional(),
        facts: values.optional(),
        kind: z.enum(['confirm', 'admin_resolution', 'proxy_input', 'timeout', 'scheduler', 'transfer']).optional(),
      })
      .meta({ id: 'OpenWait' }),
  ])
  .describe('Whether the flow waits for a person or an event outside the call, and for which.');

const momentFields = {
  node: z.string().optional().describe('The current node of the flow.'),
  edge: z.union([edge, z.array(edge)]).optional(),
  noEdge: z.literal(true).optional().describe('No transition was taken.'),
  slots: values.optional().describe('Slots and their values; null for an unknown slot.'),
  variables: values.optional().describe('Variables and their values.'),
  tool: z.union([tool, z.array(tool)]).optional(),
  llmCalls: count.optional().describe('Number of requests to the model.'),
  said: said.optional(),
  asked: asked.optional(),
  interrupted: z
    .union([z.boolean(), z.strictObject({ heard: z.string() }).meta({ id: 'CutOff' })])
    .optional()
    .describe('Whether the caller interrupted the agent, and the words heard before that.'),
  event: z.union([event, z.array(event)]).optional(),
  blocked: z.union([blocked, z.array(blocked)]).optional(),
  wait: wait.optional(),
  transfer: z
    .strictObject({
      to: z.string().optional().describe('The dialed number or address, or the name of the agent.'),
      mode: z.enum(['cold', 'warm']).optional(),
      brief: z.string().optional().describe('A part of the words for the person; /…/ is a regular expression.'),
      ringMs: z.number().int().optional(),
    })
    .meta({ id: 'OpenTransfer' })
    .optional()
    .describe('The open attempt to put the caller through.'),
  decided: z
    .enum(['posted', 'same', 'over', 'changed', 'invalid', 'denied', 'unknown'])
    .optional()
    .describe('The result of this turn’s decision.'),
  callDue: z.boolean().optional().describe('Whether the decision makes Roomflow call the caller.'),
  outcome: z
    .union([
      z.string(),
      z.boolean(),
      z
        .strictObject({
          name: z
            .string()
            .optional()
            .describe('The reason of the flow’s end, or caller_gone, handed_over and the like.'),
          fields: values.optional().describe('Reported fields and their values; null for a field without a value.'),
        })
        .meta({ id: 'ReportedOutcome' }),
    ])
    .optional()
    .describe('The reason of the flow’s end, whether it has ended, or what the outcome of the flow reports.'),
  language: z.string().optional().describe('The spoken language, as a BCP 47 tag.'),
  path: z.array(z.string()).optional().describe('The nodes that the flow entered, in order.'),
};

/** Expectations after a turn. */
export const expectationSchema = z.strictObject(momentFields).meta({ id: 'Expectation' });

const { decided: _decided, interrupted: _interrupted, asked: _asked, ...wholeFields } = momentFields;

/** Expectations at the end: tools, requests, words, events and nodes of the whole scenario. */
export const wholeSchema = z
  .strictObject({
    ...wholeFields,
    openWaits: z.number().int().min(0).optional().describe('Number of open waits.'),
  })
  .meta({ id: 'FinalExpectation' });

/** Events that must not happen anywhere. */
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
