import { z } from 'zod';
import { FlowError } from '../model/errors.ts';
import { schemaFaults } from '../flow/document/problems/schema-faults.ts';

const expectation = z
  .strictObject({
    node: z.string().optional().describe('The current node of the flow.'),
    said: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .describe('The agent’s words since the last step.'),
    notSaid: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .describe('Words that the agent did not say.'),
    slots: z.record(z.string(), z.unknown()).optional().describe('Slots and their values.'),
    variables: z.record(z.string(), z.unknown()).optional().describe('Variables and their values.'),
    ended: z
      .union([z.string(), z.boolean()])
      .optional()
      .describe('The reason of the flow’s end, or whether it has ended.'),
    requests: z.number().int().min(0).optional().describe('Number of requests to the model so far.'),
  })
  .describe('Expectations at this point. A text is matched without regard to case; /…/ is a regular expression.');

const step = z.union([
  z.strictObject({
    join: z.union([z.literal(true), z.string()]).describe('A participant joins. The first one is the caller.'),
  }),
  z.strictObject({
    say: z.string().describe('The caller says this.'),
    from: z.string().optional().describe('Another participant speaks. The words must not reach the flow.'),
    id: z.string().optional().describe('The id of the message; the same id again is a duplicate.'),
  }),
  z.strictObject({
    interrupt: z.string().describe('The caller says this while the agent is still speaking.'),
    afterWords: z.number().int().min(0).optional().describe('After this many words of the agent.'),
    afterMs: z.number().min(0).optional().describe('After this many milliseconds of speech.'),
  }),
  z.strictObject({
    dtmf: z
      .string()
      .regex(/^[0-9*#A-D]+$/)
      .describe('The caller presses these keys.'),
  }),
  z.strictObject({ silence: z.number().min(0).describe('Milliseconds of silence.') }),
  z.strictObject({ leave: z.literal(true).describe('The caller’s connection drops.') }),
  z.strictObject({ rejoin: z.literal(true).describe('The caller comes back.') }),
  z.strictObject({ expect: expectation }),
]);

/** A conversation as a list of actions and expectations. It runs in a simulation, in a terminal and in a room. */
const scriptSchema = z.array(step);

/** A script as it is written. */
export type Script = z.input<typeof scriptSchema>;

/** Checks a script. Throws `script-invalid` with the step of every fault. `source` names the script. */
export function parseScript(value: unknown, source: string): readonly ScriptStep[] {
  const parsed = scriptSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = Array.isArray(value) ? value.flatMap((each: unknown, at) => faultsOf(each, at + 1)) : [];
  if (faults.length === 0) faults.push('a script is a list of steps, such as "- say: hello".');
  throw new FlowError('script-invalid', `${source}\n  ${faults.join('\n  ')}`);
}

/** The faults of a step, based on the kind of step that its keys suggest. */
function faultsOf(value: unknown, number: number): readonly string[] {
  if (step.safeParse(value).success) return [];
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const kind = step.options.find((option) => keys.includes(kindOf(option)));
  if (kind === undefined)
    return [
      `step ${number}: a step is one of ${step.options.map(kindOf).join(', ')}, not ${keys.join(', ') || 'this'}.`,
    ];
  const issues = kind.safeParse(value).error?.issues ?? [];
  return schemaFaults(kind, issues, value).map((fault) => `step ${number}: ${fault}`);
}

/** The key that defines the kind of step comes first. */
function kindOf(option: (typeof step.options)[number]): string {
  return Object.keys(option.shape)[0] ?? '';
}

/** One step of a script after it was read. */
export type ScriptStep = z.output<typeof step>;
/** The expectations at a step of a script. */
export type Expectation = z.output<typeof expectation>;
