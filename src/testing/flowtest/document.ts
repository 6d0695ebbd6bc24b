import { z } from 'zod';
import type { Json } from '../../events/json.ts';
import { expectationSchema, unwantedSchema, wholeSchema } from './expectation.ts';
import { scheduleSchema } from '../../people/schedules/read-schedule.ts';
import { lengthSchema } from './durations.ts';

const json: z.ZodType<Json, Json> = z.json();
const jsonMap = z.record(z.string(), json);

const callFields = {
  call: z.string().optional().describe('The function that the model calls.'),
  args: jsonMap.optional().describe('Its arguments.'),
};

const replyFields = {
  say: z.string().optional().describe('What the model says.'),
  ...callFields,
  calls: z.array(z.strictObject(callFields).meta({ id: 'ModelCall' })).optional(),
  record: jsonMap.optional().describe('Slots that the model records, by their names: a call of record.'),
  after: lengthSchema.optional().describe('How long the model thinks before its first word.'),
  perWord: lengthSchema.optional().describe('How long it takes between two words.'),
  fails: z
    .union([z.literal(true), z.number().int().min(0)])
    .optional()
    .describe('true: the request fails; a number: the answer breaks off after so many words.'),
};

const reply = z
  .union([z.string(), z.strictObject(replyFields).meta({ id: 'ModelReply' })])
  .describe('What the model answers once: a text, or a call of a function.');

const replies = z.union([reply, z.array(reply)]);

const rule = z
  .strictObject({
    ...replyFields,
    when: z.string().optional().describe('Where the caller’s words have this in them; /…/ is a regular expression.'),
    afterTool: z.string().optional().describe('Where the result of this function is to be answered.'),
    times: z.number().int().min(1).optional().describe('How often the rule may be used; without end where absent.'),
  })
  .meta({ id: 'ModelRule' });

const outcomeFields = {
  returns: json.optional().describe('What it returns.'),
  throws: z
    .union([z.string(), z.strictObject({ message: z.string().optional(), code: z.string().optional() })])
    .optional()
    .describe('What it throws.'),
  hangs: z
    .union([z.literal(true), lengthSchema])
    .optional()
    .describe('It does not answer, or only after so long: the flow’s own limit is to act.'),
  after: lengthSchema.optional().describe('How long it takes.'),
  sets: jsonMap.optional().describe('Slots and variables that its code sets, by name.'),
  next: z
    .union([z.string(), z.null(), jsonMap])
    .optional()
    .describe('Where its code leads: a node, the document of a node made on the spot, or null to stay.'),
};

const outcome = z.strictObject(outcomeFields).meta({ id: 'ToolOutcome' });

const tool = z
  .strictObject({
    ...outcomeFields,
    sequence: z.array(outcome).min(1).optional().describe('What its attempts do, in order; the last one goes on.'),
    cases: z
      .array(z.strictObject({ ...outcomeFields, args: jsonMap }).meta({ id: 'ToolCase' }))
      .optional()
      .describe('What it does for these arguments; the first case that fits counts.'),
  })
  .meta({ id: 'ToolStandIn' });

const tools = z
  .record(z.string(), tool)
  .describe('What stands in for tools and handlers of the flow, by name. What is called and stands in nowhere fails.');

const words = z.union([
  z.string(),
  z
    .strictObject({
      say: z.string().describe('What the caller says.'),
      hear: z.string().optional().describe('What the recogniser makes of it.'),
      id: z.string().optional().describe('The id of the message; the same id again is a duplicate.'),
    })
    .meta({ id: 'CallerWords' }),
]);

const decision = z.union([
  z.string(),
  z
    .strictObject({
      decision: z.string().optional().describe('One of the options.'),
      text: z.string().optional().describe('The person’s words, where words are waited for.'),
      resolution: jsonMap.optional().describe('The whole resolution, where it is neither.'),
      node: z.string().optional().describe('The node whose wait is meant; the one that is open where absent.'),
      actor: z.string().optional().describe('Who decides.'),
      again: z.literal(true).optional().describe('The wait that was decided last, once more.'),
    })
    .meta({ id: 'Decision' }),
]);

const turn = z
  .strictObject({
    user: words.optional().describe('The caller says this.'),
    interrupt: z
      .union([
        z.string(),
        z
          .strictObject({
            say: z.string().describe('What the caller says over the agent.'),
            afterWords: z.number().int().min(0).optional().describe('After so many words of the agent; 1.'),
            after: lengthSchema.optional().describe('After so long a time of speech.'),
          })
          .meta({ id: 'Interruption' }),
      ])
      .optional()
      .describe('The caller says this while the agent still speaks.'),
    silence: lengthSchema.optional().describe('The caller says nothing for so long.'),
    dtmf: z
      .string()
      .regex(/^[0-9*#A-D]+$/, 'must be keys of a telephone: 0-9, *, #, A-D, in quotes')
      .optional()
      .describe('The caller presses these keys.'),
    advance: lengthSchema.optional().describe('So much time passes; also while nobody is on the line.'),
    hangup: z.literal(true).optional().describe('The caller hangs up.'),
    callBack: z.literal(true).optional().describe('The caller is on the line again: calls back, or is called.'),
    other: z
      .strictObject({ name: z.string().optional(), say: z.string() })
      .meta({ id: 'OtherParticipant' })
      .optional()
      .describe('Another participant says it; it must not reach the flow.'),
    decide: decision.optional().describe('A person decides what the conversation waits for.'),
    proxy: z
      .strictObject({ say: z.string(), actor: z.string().optional() })
      .meta({ id: 'ProxyWords' })
      .optional()
      .describe('Somebody answers in the caller’s stead.'),
    takeover: z
      .union([
        z.enum(['start', 'end']),
        z.strictObject({ say: z.string() }).meta({ id: 'OperatorWords' }),
        z.strictObject({ end: z.strictObject({ node: z.string().optional(), note: z.string().optional() }) }),
      ])
      .optional()
      .describe('An operator takes the call over, says something to the caller, or gives the call back.'),
    crash: z.literal(true).optional().describe('The process dies here; a new one goes on with what is kept.'),
    model: replies.optional().describe('What the model answers in this turn, in order.'),
    tools: tools.optional().describe('What tools do from here on.'),
    expect: z
      .union([expectationSchema, z.array(expectationSchema)])
      .optional()
      .describe('What must hold once the agent has answered.'),
    note: z.string().optional().describe('For whoever reads the test.'),
  })
  .meta({ id: 'Turn' });

const engine = z.enum(['scripted', 'offline', 'live']);

const store = z.string().min(1).describe('Where the conversation is kept: memory, sqlite, or the address of a store.');

const schedule = scheduleSchema
  .omit({ flow: true, input: true, session: true, campaign: true })
  .required({ say: true })
  .meta({ id: 'ScheduledTurn' });

const given = {
  engine: engine
    .optional()
    .describe('scripted: the model’s answers stand here; offline: the rule brain; live: a configured model.'),
  input: jsonMap.optional().describe('Values given to the flow from outside.'),
  now: z
    .string()
    .regex(/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?)?$/, 'must be a time such as 2026-11-21T09:00Z')
    .refine((text) => !Number.isNaN(Date.parse(text)), 'there is no such time')
    .optional()
    .describe('When the conversation begins; Monday, January 7 2030, 9:00 UTC where absent.'),
  timeZone: z.string().optional().describe('Where the caller is, as an IANA name; UTC where absent.'),
  wordsPerMinute: z.number().min(0).max(1_000).optional().describe('How fast the agent speaks; 0 says all at once.'),
  seed: z.number().int().optional().describe('Makes some words longer than others: the same seed, the same talk.'),
  rejoinWithin: lengthSchema.optional().describe('How long a caller who hung up is waited for; 30s.'),
  store: store.optional(),
  schedules: z
    .record(z.string().min(1), schedule)
    .optional()
    .describe('Turns of this conversation that come at a time.'),
  llm: z
    .record(z.string(), z.array(rule))
    .optional()
    .describe('What the model answers by node, "*" for every node; the first rule that fits counts.'),
  tools: tools.optional(),
};

const persona = z
  .strictObject({
    who: z.string().describe('Who the caller is, and how they talk.'),
    goal: z.string().describe('What they want.'),
    facts: jsonMap.optional().describe('What they know, and tell when they are asked.'),
  })
  .meta({ id: 'Persona' });

/** A scenario by itself. */
export const scenarioSchema = z
  .strictObject({
    name: z.string().min(1).describe('What holds, as a sentence.'),
    tags: z.array(z.string()).optional().describe('For --tag.'),
    only: z.literal(true).optional().describe('Only the scenarios of this file that say so are run.'),
    skip: z
      .union([z.literal(true), z.string()])
      .optional()
      .describe('Not run; a text says why.'),
    ...given,
    each: z
      .array(jsonMap)
      .min(1)
      .optional()
      .describe('Runs the scenario once for each of these: <name> in a text stands for its value.'),
    crash: z
      .literal('sweep')
      .optional()
      .describe('Runs it again with a death of the process before and after each commit: it must come to the same.'),
    turns: z.array(turn).optional().describe('What happens, in order, and what must hold.'),
    persona: persona.optional().describe('A simulated caller, for the live engine.'),
    repeat: z.number().int().min(1).max(1_000).optional().describe('How often it is run live; 1.'),
    passK: z.number().int().min(1).max(1_000).optional().describe('How many of the runs must pass; all of them.'),
    limits: z
      .strictObject({ turns: z.number().int().min(1).optional(), duration: lengthSchema.optional() })
      .meta({ id: 'ScenarioLimits' })
      .optional()
      .describe('Where a simulated caller gives up: 20 turns, 10 minutes.'),
    criteria: z.array(z.string()).optional().describe('What a judge asks of the whole talk; a no fails it.'),
    never: z.array(unwantedSchema).optional().describe('What must not happen anywhere in the scenario.'),
    finally: wholeSchema.optional().describe('What must hold at the end, over the whole scenario.'),
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
  .describe('How many percent of each the tests of a flow must reach; less is exit code 4.');

/** A file of conversation tests, as it is written; keys may be in snake_case as well. */
export const flowTestSchema = z
  .strictObject({
    version: z.literal(1).optional().describe('Of this format.'),
    flow: z.string().min(1).describe('The flow’s file, from this file’s folder; or the name of a flow of the config.'),
    config: z
      .string()
      .min(1)
      .optional()
      .describe('agent.config.ts, from this file’s folder: its tools, handlers, flows and models.'),
    defaults: z.strictObject(given).meta({ id: 'TestDefaults' }).optional().describe('What holds for each scenario.'),
    coverage: coverage.optional(),
    scenarios: z.array(scenarioSchema).min(1).describe('The tests.'),
  })
  .meta({ id: 'FlowTest' });

/** A file of conversation tests as it was read. */
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
