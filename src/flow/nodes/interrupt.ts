import { z } from 'zod';
import type { DeadlinePolicy, DueTime, LaterDeadline, Reach } from '../../model/outside-wait.ts';
import type { JsonObject } from '../../model/json.ts';
import { spokenTextSchema } from '../document/spoken-text.ts';
import { defineNodeType, type InputFault, type NodeType } from '../graph/nodes/node-type.ts';
import type { WaitRequest } from '../../model/signals/wait-request.ts';
import { durationMs, durationSchema, timeSchema } from '../document/times.ts';

const deadlineStep = z
  .strictObject({
    after: durationSchema.optional().describe('The time after the wait opens, or after the previous deadline.'),
    at: timeSchema.optional().describe('A time in the session’s time zone, or with an offset.'),
    // oxlint-disable-next-line unicorn/no-thenable -- a key of documents, which are not promises
    then: z
      .enum(['remind', 'answer', 'escalate', 'go_to', 'end'])
      .describe(
        'Remind the person, take `answer`, ask `to` instead, go to `node`, or end the conversation with `reason`.',
      ),
    to: z.string().min(1).optional().describe('For escalate: the queue or person to ask instead.'),
    node: z.string().min(1).optional().describe('For go_to: the node to go to.'),
    answer: z
      .union([z.string(), z.record(z.string(), z.unknown())])
      .optional()
      .describe('For answer: the decision, or the whole resolution.'),
    reason: z.string().min(1).optional().describe('For end: the reason of the end. Default: `no-answer`.'),
  })
  .refine(({ after, at }) => (after === undefined) !== (at === undefined), 'Give either after or at.')
  .refine((step) => needs[step.then] === undefined || step[needs[step.then] ?? 'to'] !== undefined, {
    message: 'Give what it does: to for escalate, node for go_to, answer for answer.',
  })
  .meta({ id: 'Deadline', description: 'A time limit for the answer, and what happens after it.' });

const needs: Readonly<Record<string, 'to' | 'node' | 'answer' | undefined>> = {
  escalate: 'to',
  go_to: 'node',
  answer: 'answer',
};

const company = z
  .strictObject({
    every: durationSchema
      .optional()
      .describe('How long the caller may be silent before the agent says a line. Default: 20s.'),
    say: spokenTextSchema.optional().describe('Lines that the agent says in turn. Default: the built-in lines.'),
    functions: z
      .array(z.string().min(1))
      .optional()
      .describe('Names of registered functions that the model may call during the wait.'),
  })
  .meta({ id: 'Meanwhile', description: 'Lines and functions for the caller during the wait.' });

/** The common input of waiting nodes. */
const waiting = {
  say: spokenTextSchema.optional().describe('A line for the caller at the beginning of the wait.'),
  meanwhile: company.optional().describe('How the agent keeps the caller company. Default: the built-in lines.'),
  deadline: z
    .union([deadlineStep, z.array(deadlineStep).min(1)])
    .optional()
    .describe('The deadline for an answer. Several deadlines follow each other.'),
  reach: z
    .enum(['wait', 'message', 'call'])
    .optional()
    .describe(
      'How the result reaches a caller who has hung up: in their next call (default), by a message, or by a call.',
    ),
};

const asking = {
  question: z.string().min(1).describe('The question.'),
  facts: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('The facts to show. An answer counts for these facts only. Default: the question.'),
};

const decision = z.looseObject({ decision: z.string().describe('The chosen option.') });

type Deadlines = z.output<typeof waiting.deadline>;

const literal = ['say', 'meanwhile'];

const escalate = defineNodeType({
  name: 'interrupt.escalate',
  description: 'Asks a person with authority and waits for the decision. Meanwhile the agent talks to the caller.',
  literal,
  input: z.strictObject({
    to: z.string().min(1).describe('The queue or person to ask.'),
    ...asking,
    options: z
      .array(z.string().min(1))
      .min(1)
      .refine((all) => new Set(all).size === all.length, 'Two options are the same.')
      .optional()
      .describe('The possible decisions. Default: approve and reject.'),
    ...waiting,
  }),
  output: decision,
  interrupts: true,
  options: ({ options = approval }) => [options].flat(),
  faults: ({ options = approval, deadline }) => answersFaults(deadline, options),
  opens: ({ to, options = approval, deadline, reach, ...asked }) => ({
    ...deciding({ ...asked, options }),
    ...rest('admin_resolution', to, reach),
    due: null,
    deadlines: deadlinesOf(deadline, 'decision'),
  }),
});

const approval: readonly string[] = ['approve', 'reject'];
const yesOrNo: readonly string[] = ['yes', 'no'];

const confirm = defineNodeType({
  name: 'interrupt.confirm',
  description: 'Asks the caller, or a named person, for a yes or no.',
  literal,
  input: z.strictObject({
    of: z.string().min(1).optional().describe('The queue or person to ask. Default: the caller.'),
    ...asking,
    ...waiting,
  }),
  output: decision,
  interrupts: true,
  asksCaller: ({ of }) => of === undefined,
  options: () => yesOrNo,
  faults: ({ of, deadline, meanwhile, reach }) => [
    ...answersFaults(deadline, yesOrNo),
    ...(of === undefined ? callerFaults({ deadline, meanwhile, reach }) : []),
  ],
  opens: ({ of, deadline, reach, ...asked }) => ({
    ...deciding({ ...asked, options: yesOrNo }),
    ...rest('confirm', of ?? null, reach),
    due: null,
    deadlines: deadlinesOf(deadline, 'decision'),
  }),
});

const wait = defineNodeType({
  name: 'interrupt.wait',
  description: 'Waits for a time, for an event from outside, or for a person who answers for the caller.',
  literal,
  input: z
    .strictObject({
      for: durationSchema.optional().describe('How long to wait.'),
      until: timeSchema.optional().describe('When the wait ends.'),
      event: z.string().min(1).optional().describe('The name of the event to wait for.'),
      proxy: z.string().min(1).optional().describe('The queue or person who answers for the caller.'),
      question: z.string().min(1).optional().describe('For proxy: the question.'),
      facts: asking.facts,
      ...waiting,
    })
    .refine(
      (input) => [input.for, input.until, input.event, input.proxy].filter((one) => one !== undefined).length === 1,
      'Give one of for, until, event and proxy.',
    ),
  output: z.looseObject({
    text: z.string().optional().describe('The person’s words.'),
  }),
  interrupts: true,
  opens({ for: duration, until, event, proxy, question = '', facts, deadline, reach }) {
    const isTimed = duration !== undefined || until !== undefined;
    const due: DueTime | null =
      duration !== undefined ? { afterMs: durationMs(duration) } : until === undefined ? null : { at: until };
    return {
      ...rest(
        proxy !== undefined ? 'proxy_input' : until !== undefined ? 'scheduler' : 'timeout',
        proxy ?? null,
        reach,
      ),
      question,
      facts: (facts ?? (question === '' ? {} : { question })) as JsonObject, // A bound input is JSON.
      options: [],
      schema: proxy === undefined ? anything : words,
      ...(event === undefined ? {} : { event }),
      due,
      deadlines: isTimed ? [] : deadlinesOf(deadline, 'text'),
    };
  },
});

/** The nodes that wait for a person or an event outside the call. */
export const interruptNodes: readonly NodeType[] = [confirm, escalate, wait];

const anything: JsonObject = { type: 'object' };
const words: JsonObject = {
  type: 'object',
  properties: { text: { type: 'string', minLength: 1, pattern: '\\S' } },
  required: ['text'],
};

function rest(wait: WaitRequest['wait'], to: string | null, reach: Reach = 'wait') {
  return { wait, to, reach };
}

interface Asked {
  readonly question: string;
  readonly facts?: Readonly<Record<string, unknown>> | undefined;
  readonly options: readonly string[];
}

function deciding({ question, facts, options }: Asked): Pick<WaitRequest, 'question' | 'facts' | 'options' | 'schema'> {
  return {
    question,
    facts: (facts ?? { question }) as JsonObject, // A bound input is JSON.
    options,
    schema: {
      type: 'object',
      properties: { decision: { type: 'string', enum: [...options] }, comment: { type: 'string' } },
      required: ['decision'],
    },
  };
}

/** Converts deadlines. `field` is the field of an answer that is given as a text. */
function deadlinesOf(deadline: Deadlines, field: 'decision' | 'text'): readonly LaterDeadline[] {
  return [deadline ?? []].flat().map((step) => {
    const { after, at, answer } = step;
    const due: DueTime = after === undefined ? { at: at ?? '' } : { afterMs: durationMs(after) };
    return { due, policy: policyOf(step, typeof answer === 'string' ? { [field]: answer } : (answer as JsonObject)) };
  });
}

function policyOf(
  { then, to = '', node = '', reason = 'no-answer' }: z.output<typeof deadlineStep>,
  resolution: JsonObject = {},
): DeadlinePolicy {
  switch (then) {
    case 'remind':
      return { act: 'remind' };
    case 'answer':
      return { act: 'answer', resolution };
    case 'escalate':
      return { act: 'escalate', to };
    case 'go_to':
      return { act: 'go_to', node };
    case 'end':
      return { act: 'end', reason };
  }
}

/** Reports default answers that are not among the options. */
function answersFaults(deadline: Deadlines, options: readonly string[]): readonly InputFault[] {
  const isList = Array.isArray(deadline);
  return [deadline ?? []].flat().flatMap(({ answer }, index) => {
    const chosen = typeof answer === 'object' ? answer['decision'] : answer;
    if (typeof chosen !== 'string' || options.includes(chosen) || chosen.includes('{{')) return [];
    const at = ['deadline', ...(isList ? [index] : []), 'answer'];
    return [{ at, message: `"${chosen}" is not one of the options.`, hint: `Name one of ${options.join(', ')}.` }];
  });
}

/** Reports keys that a question to the caller cannot have. */
function callerFaults(given: Readonly<Record<string, unknown>>): readonly InputFault[] {
  return Object.entries(given).flatMap(([key, value]) =>
    value === undefined
      ? []
      : [
          {
            at: [key],
            message: `the caller is asked, so ${key} means nothing.`,
            hint: 'Remove it, or name the person to ask under of. The ladder of the node decides about an unanswered question.',
          },
        ],
  );
}
