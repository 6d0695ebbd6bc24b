import { z } from 'zod';
import { FlowError } from '../../model/errors.ts';
import { defineNodeType, type NodeType } from '../graph/nodes/node-type.ts';
import type { Answer } from '../../model/ports/channel.ts';
import type { EventPattern } from '../../model/ports/hub.ts';

const longestMs = 2_147_483_647;

const controlWait = defineNodeType({
  name: 'control.wait',
  description: 'Waits for a time, for an event, or for the first of both.',
  input: z
    .strictObject({
      ms: z.number().int().min(0).max(longestMs).optional().describe('The time, or the maximum time, in milliseconds.'),
      until: z
        .string()
        .regex(/^[a-z]+(:[a-z*-]+)+$/i, 'Write the type of an event, such as session:message, or a family: agent:*.')
        .optional()
        .describe('The type of the event that ends the wait, such as session:message, or a family such as agent:*.'),
    })
    .refine(({ ms, until }) => ms !== undefined || until !== undefined, 'Give ms, until or both.'),
  output: z.strictObject({ waitedMs: z.number().describe('The waiting time in milliseconds.') }),
  capabilities: { neverFails: true },
  opens: ({ ms, until }) => ({
    ...{ wait: 'timeout', to: null, question: '', facts: {}, options: [], schema: { type: 'object' }, reach: 'wait' },
    ...(until === undefined ? {} : { event: until }),
    due: ms === undefined ? null : { afterMs: ms },
    deadlines: [],
  }),
  resolved: (_resolution, waitedMs) => ({ waitedMs }),
  run({ ms, until }, { beganAt, clock, hub, signal }) {
    return new Promise((resolve, reject) => {
      const ends: (() => void)[] = [];
      const stop = (): void => {
        for (const end of ends.splice(0)) end();
      };
      const finish = (): void => {
        stop();
        // The clock may have been set back.
        resolve({ waitedMs: Math.max(0, clock.now() - beganAt) });
      };
      const give = (): void => {
        stop();
        reject(new FlowError('aborted', 'the run that waited for the node was aborted.'));
      };
      if (signal.aborted) {
        give();
        return;
      }
      signal.addEventListener('abort', give);
      ends.push(() => signal.removeEventListener('abort', give));
      if (ms !== undefined) ends.push(clock.schedule(Math.max(0, beganAt + ms - clock.now()), finish));
      // An unknown event type is not an error: the wait then ends by its time limit, or by the node's.
      if (until !== undefined) ends.push(hub.subscribe(until as EventPattern, finish));
    });
  },
});

const controlGate = defineNodeType({
  name: 'control.gate',
  description: 'Asks a person, and waits for the answer.',
  input: z
    .strictObject({
      prompt: z.string().min(1).describe('The question.'),
      choices: z
        .array(z.string().trim().min(1))
        .min(1)
        .refine((choices) => new Set(choices.map(plain)).size === choices.length, 'Two choices read alike.')
        .optional()
        .describe('The possible answers, chosen by words or number. Other words repeat the question.'),
      allowText: z.boolean().optional().describe('Whether words other than the choices are an answer.'),
      to: z
        .string()
        .min(1)
        .optional()
        .describe(
          'The queue or person to ask, in a stored task flow; no process waits meanwhile. Default: the person at the channel.',
        ),
    })
    .refine(({ choices, allowText }) => choices !== undefined || allowText !== false, {
      path: ['allowText'],
      message: 'Without choices text is the only answer. Give choices, or leave this out.',
    }),
  output: z.strictObject({
    response: z
      .strictObject({
        content: z.string().describe('The answer, word for word.'),
        choice: z.string().optional().describe('The chosen option.'),
      })
      .describe('The answer.'),
  }),
  capabilities: { asksPerson: true },
  opens({ prompt, choices = [], allowText, to }) {
    if (to === undefined) return null;
    const takesText = choices.length === 0 || allowText === true;
    return {
      wait: 'admin_resolution',
      ...{ to, question: prompt, facts: { question: prompt }, options: choices, reach: 'wait', due: null },
      schema: {
        type: 'object',
        properties: {
          ...(choices.length === 0 ? {} : { decision: { type: 'string', enum: [...choices] } }),
          ...(takesText ? { text: { type: 'string', minLength: 1, pattern: '\\S' } } : {}),
          comment: { type: 'string' },
        },
        anyOf: [
          ...(choices.length === 0 ? [] : [{ required: ['decision'] }]),
          ...(takesText ? [{ required: ['text'] }] : []),
        ],
      },
      deadlines: [],
    };
  },
  resolved: ({ decision, text }) => ({
    // The schema guarantees that one of them is a text.
    response: typeof decision === 'string' ? { content: decision, choice: decision } : { content: text as string },
  }),
  asksOutside: ({ to }) => to !== undefined,
  async run({ prompt, choices = [], allowText, to }, context) {
    if (to !== undefined)
      throw new FlowError(
        'wait-not-stored',
        'the question names a person, and only a task flow with a store can wait for the answer. Give the run a store, use interrupt.escalate in a conversation, or leave out to.',
      );
    if (context.ask === undefined)
      throw new FlowError(
        'no-channel',
        'no channel is attached that can ask the question. Attach one before the flow runs.',
      );
    const takesText = choices.length === 0 || allowText === true;
    // A conversation and a voice channel count misses themselves. Other channels leave that to the gate.
    for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
      const { content, choice } = answerOf(await context.ask({ prompt, choices, takesText }), choices);
      if (choice !== undefined) return { response: { content, choice } };
      if (takesText) return { response: { content } };
    }
    throw new FlowError('unanswered', `none of the choices was taken, though they were offered ${mostAttempts} times.`);
  },
});

/** The nodes that wait. */
export const controlWaitNodes: readonly NodeType[] = [controlGate, controlWait];

const mostAttempts = 3;

function plain(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[.!]+$/, '');
}

/** Validates the answer of a channel, which may be the author's code. Throws `no-answer`. */
function answerOf(given: unknown, choices: readonly string[]): Answer {
  const { content, choice } =
    typeof given === 'object' && given !== null ? (given as Partial<Answer>) : { content: given };
  if (typeof content !== 'string')
    throw new FlowError('no-answer', 'the channel has given no text. Let its ask resolve to what was said, or reject.');
  const taken = choice !== undefined && choices.includes(choice) ? choice : chosen(content, choices);
  return { content, ...(taken === undefined ? {} : { choice: taken }) };
}

/** Returns the choice with exactly these words, or this number. A part of the answer never selects a choice. */
function chosen(answer: string, choices: readonly string[]): string | undefined {
  const said = plain(answer);
  const byWords = choices.find((choice) => plain(choice) === said);
  return byWords ?? (/^[1-9]\d{0,3}$/.test(said) ? choices[Number(said) - 1] : undefined);
}
