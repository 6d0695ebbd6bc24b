import { z } from 'zod';
import type { Json } from '../../model/json.ts';
import { expectationSchema, unwantedSchema, wholeSchema } from './expectation.ts';
import { scheduleSchema } from '../../people/schedules/read-schedule.ts';
import { transferOutcomes } from '../../model/transfer.ts';
import { lengthSchema } from './durations.ts';

const json: z.ZodType<Json, Json> = z.json();
const jsonMap = z.record(z.string(), json);

const callFields = {
  call: z.string().optional().describe('The function that the model calls.'),
  args: jsonMap.optional().describe('The arguments of the call.'),
};

const replyFields = {
  say: z.string().optional().describe('The words of the model.'),
  ...callFields,
  calls: z.array(z.strictObject(callFields).meta({ id: 'ModelCall' })).optional(),
  record: jsonMap.optional().describe('Slots that the model records, by name: a call of record.'),
  after: lengthSchema.optional().describe('Delay before the model’s first word.'),
  perWord: lengthSchema.optional().describe('Delay between two words.'),
  fails: z
    .union([z.literal(true), z.number().int().min(0)])
    .optional()
    .describe('true: the request fails. A number: the answer breaks off after this many words.'),
};

const reply = z
  .union([z.string(), z.strictObject(replyFields).meta({ id: 'ModelReply' })])
  .describe('One answer of the model: a text, or a function call.');

const replies = z.union([reply, z.array(reply)]);

const rule = z
  .strictObject({
    ...replyFields,
    when: z
      .string()
      .optional()
      .describe('Applies if the caller’s words contain this text; /…/ is a regular expression.'),
    afterTool: z.string().optional().describe('Applies to the request after the result of this function.'),
    times: z.number().int().min(1).optional().describe('How often the rule may be used. Default: no limit.'),
  })
  .meta({ id: 'ModelRule' });

const outcomeFields = {
  returns: json.optional().describe('The return value.'),
  throws: z
    .union([z.string(), z.strictObject({ message: z.string().optional(), code: z.string().optional() })])
    .optional()
    .describe('The error that is thrown.'),
  hangs: z
    .union([z.literal(true), lengthSchema])
    .optional()
    .describe(
      'true: no answer. A time: the answer comes after this time, so that the flow’s time limit applies first.',
    ),
  after: lengthSchema.optional().describe('Delay before the result.'),
  sets: jsonMap.optional().describe('Slots and variables that the code sets, by name.'),
  next: z
    .union([z.string(), z.null(), jsonMap])
    .optional()
    .describe('The next node that the code returns: an id, a new node document, or null to stay.'),
};

const outcome = z.strictObject(outcomeFields).meta({ id: 'ToolOutcome' });

const tool = z
  .strictObject({
    ...outcomeFields,
    sequence: z.array(outcome).min(1).optional().describe('Outcomes of successive attempts. The last one repeats.'),
    cases: z
      .array(z.strictObject({ ...outcomeFields, args: jsonMap }).meta({ id: 'ToolCase' }))
      .optional()
      .describe('Outcomes by arguments. The first matching case counts.'),
  })
  .meta({ id: 'ToolStandIn' });

const tools = z
  .record(z.string(), tool)
  .describe('Substitutes for tools and handlers of the flow, by name. A called function without a substitute fails.');

const words = z.union([
  z.string(),
  z
    .strictObject({
      say: z.string().describe('The caller’s words.'),
      hear: z.string().optional().describe('The transcript of the recogniser.'),
      id: z.string().optional().describe('The id of the message; the same id again is a duplicate.'),
    })
    .meta({ id: 'CallerWords' }),
]);

const decision = z.union([
  z.string(),
  z
    .strictObject({
      decision: z.string().optional().describe('One of the options.'),
      text: z.string().optional().describe('The person’s words, if the wait is for words.'),
      resolution: jsonMap.optional().describe('The whole resolution, for other waits.'),
      node: z.string().optional().describe('The node of the wait. Default: the open wait.'),
      actor: z.string().optional().describe('The actor who decides.'),
      again: z.literal(true).optional().describe('Decides the previous wait once more.'),
    })
    .meta({ id: 'Decision' }),
]);

const telephoneKeys = z.string().regex(/^[0-9*#A-D]+$/, 'must be keys of a telephone: 0-9, *, #, A-D, in quotes');

const turn = z
  .strictObject({
    user: words.optional().describe('The caller says this.'),
    interrupt: z
      .union([
        z.string(),
        z
          .strictObject({
            say: z.string().describe('The caller’s words over the agent.'),
            afterWords: z.number().int().min(0).optional().describe('After this many words of the agent. Default: 1.'),
            after: lengthSchema.optional().describe('After this time of speech.'),
          })
          .meta({ id: 'Interruption' }),
      ])
      .optional()
      .describe('The caller says this while the agent still speaks.'),
    silence: lengthSchema.optional().describe('Silence of the caller.'),
    keys: telephoneKeys
      .optional()
      .describe('The caller presses these keys. Digits of an entry without its end key end by its pause.'),
    dtmf: telephoneKeys.optional().describe('The name of `keys` in earlier releases.'),
    advance: lengthSchema.optional().describe('Lets time pass, even while the caller is not on the line.'),
    hangup: z.literal(true).optional().describe('The caller hangs up.'),
    callBack: z.literal(true).optional().describe('The caller is on the line again.'),
    other: z
      .strictObject({ name: z.string().optional(), say: z.string() })
      .meta({ id: 'OtherParticipant' })
      .optional()
      .describe('Another participant speaks. The words must not reach the flow.'),
    decide: decision.optional().describe('A person decides what the conversation waits for.'),
    proxy: z
      .strictObject({ say: z.string(), actor: z.string().optional() })
      .meta({ id: 'ProxyWords' })
      .optional()
      .describe('A person answers for the caller.'),
    takeover: z
      .union([
        z.enum(['start', 'end']),
        z.strictObject({ say: z.string() }).meta({ id: 'OperatorWords' }),
        z.strictObject({ end: z.strictObject({ node: z.string().optional(), note: z.string().optional() }) }),
      ])
      .optional()
      .describe('An operator takes the call over, says something to the caller, or gives the call back.'),
    transfer: z
      .union([
        z.enum(transferOutcomes),
        z
          .strictObject({
            outcome: z.enum(transferOutcomes),
            talks: z
              .literal(true)
              .optional()
              .describe('The person stays in the call with the caller, until a turn with takeover: end.'),
          })
          .meta({ id: 'TransferEnd' }),
      ])
      .optional()
      .describe('The transfer ends like this.'),
    crash: z.literal(true).optional().describe('The process dies here. A new process continues from the store.'),
    model: replies.optional().describe('The model’s answers in this turn, in order.'),
    tools: tools.optional().describe('Substitutes for tools from this turn on.'),
    expect: z
      .union([expectationSchema, z.array(expectationSchema)])
      .optional()
      .describe('Expectations after the agent’s answer.'),
    note: z.string().optional().describe('A note for readers of the test.'),
  })
  .meta({ id: 'Turn' });

const engine = z.enum(['scripted', 'offline', 'live']);

const store = z.string().min(1).describe('The store of the conversation: memory, sqlite, or the address of a store.');

const schedule = scheduleSchema
  .omit({ flow: true, input: true, session: true, campaign: true })
  .required({ say: true })
  .meta({ id: 'ScheduledTurn' });

const given = {
  engine: engine
    .optional()
    .describe('scripted: the answers in this file; offline: the rules of the offline brain; live: a configured model.'),
  input: jsonMap.optional().describe('Input values of the flow.'),
  called: z
    .literal(true)
    .optional()
    .describe('The agent’s side has placed the call, and the turns are those of who answers. See callee of the flow.'),
  now: z
    .string()
    .regex(/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?)?$/, 'must be a time such as 2026-11-21T09:00Z')
    .refine((text) => !Number.isNaN(Date.parse(text)), 'there is no such time')
    .optional()
    .describe('The start of the conversation. Default: Monday, January 7 2030, 9:00 UTC.'),
  timeZone: z.string().optional().describe('The caller’s IANA time zone. Default: UTC.'),
  wordsPerMinute: z
    .number()
    .min(0)
    .max(1_000)
    .optional()
    .describe('Speaking rate of the agent; 0 speaks all words at once.'),
  seed: z.number().int().optional().describe('Varies the lengths of words. The same seed gives the same conversation.'),
  rejoinWithin: lengthSchema.optional().describe('How long the agent waits for a caller who hung up. Default: 30s.'),
  store: store.optional(),
  schedules: z.record(z.string().min(1), schedule).optional().describe('Scheduled turns of this conversation.'),
  llm: z
    .record(z.string(), z.array(rule))
    .optional()
    .describe('The model’s answers by node, "*" for every node. The first matching rule counts.'),
  tools: tools.optional(),
};

const persona = z
  .strictObject({
    who: z.string().describe('The caller’s character and way of speaking.'),
    goal: z.string().describe('The caller’s goal.'),
    facts: jsonMap.optional().describe('Facts that the caller gives if asked.'),
  })
  .meta({ id: 'Persona' });

/** A single scenario. */
export const scenarioSchema = z
  .strictObject({
    name: z.string().min(1).describe('The tested behaviour, as a sentence.'),
    tags: z.array(z.string()).optional().describe('Tags for --tag.'),
    only: z.literal(true).optional().describe('Runs only the scenarios of this file that have this key.'),
    skip: z
      .union([z.literal(true), z.string()])
      .optional()
      .describe('Skips the scenario. A text is the reason.'),
    ...given,
    each: z
      .array(jsonMap)
      .min(1)
      .optional()
      .describe('Runs the scenario once for each row. <name> in a text is replaced by its value.'),
    crash: z
      .literal('sweep')
      .optional()
      .describe(
        'Runs the scenario again with a process death before and after each commit. The results must be the same.',
      ),
    turns: z.array(turn).optional().describe('The turns in order, with their expectations.'),
    persona: persona.optional().describe('A simulated caller, for the live engine.'),
    repeat: z.number().int().min(1).max(1_000).optional().describe('Number of live runs. Default: 1.'),
    passK: z.number().int().min(1).max(1_000).optional().describe('Number of runs that must pass. Default: all.'),
    limits: z
      .strictObject({ turns: z.number().int().min(1).optional(), duration: lengthSchema.optional() })
      .meta({ id: 'ScenarioLimits' })
      .optional()
      .describe('Limits of a simulated caller. Default: 20 turns, 10 minutes.'),
    criteria: z
      .array(z.string())
      .optional()
      .describe('Criteria for a judge of the whole conversation. A no fails the run.'),
    never: z.array(unwantedSchema).optional().describe('Events that must not happen in the scenario.'),
    finally: wholeSchema.optional().describe('Expectations at the end, over the whole scenario.'),
  })
  .meta({ id: 'Scenario' });

const coverage = z
  .strictObject({
    nodes: z.number().min(0).max(100).optional(),
    edges: z.number().min(0).max(100).optional(),
    conditions: z.number().min(0).max(100).optional(),
    functions: z.number().min(0).max(100).optional(),
    waits: z.number().min(0).max(100).optional(),
  })
  .meta({ id: 'CoverageThresholds' })
  .describe('Required coverage of a flow in percent. Less is exit code 4.');

/** A file of conversation tests, as it is written. Keys may be in snake_case as well. */
export const flowTestSchema = z
  .strictObject({
    version: z.literal(1).optional().describe('The version of this format.'),
    flow: z.string().min(1).describe('The flow’s file, relative to this file; or the name of a flow in the config.'),
    config: z
      .string()
      .min(1)
      .optional()
      .describe('The path of agent.config.ts, relative to this file, for its tools, handlers, flows and models.'),
    defaults: z.strictObject(given).meta({ id: 'TestDefaults' }).optional().describe('Defaults for each scenario.'),
    coverage: coverage.optional(),
    scenarios: z.array(scenarioSchema).min(1).describe('The tests.'),
  })
  .meta({ id: 'FlowTest' });

/** A file of conversation tests after it was read. */
export type FlowTestDocument = z.output<typeof flowTestSchema>;
/** The same as an author writes it in TypeScript. */
export type FlowTest = z.input<typeof flowTestSchema>;
export type Scenario = FlowTestDocument['scenarios'][number];
export type Turn = NonNullable<Scenario['turns']>[number];
export type Engine = z.output<typeof engine>;
export type ModelRule = z.output<typeof rule>;
export type ModelReply = z.output<typeof reply>;
export type ToolStandIn = z.output<typeof tool>;
export type ToolOutcome = z.output<typeof outcome>;
export type Decision = z.output<typeof decision>;
export type Thresholds = z.output<typeof coverage>;
