import { z } from 'zod';
import { spokenTextSchema } from './spoken-text.ts';

/** A target chosen by a field of the function's result. */
export const branchSchema = z
  .strictObject({
    field: z.string().describe('The field of the result that decides; a path such as status.code is allowed.'),
    cases: z.record(z.string(), z.string()).describe('Value of the field: the node to go to.'),
    default: z.string().optional().describe('The node for any other value; without it the flow stays.'),
  })
  .meta({ id: 'Branch', description: 'A target chosen by a field of the result.' });

/** Something that a node offers the model. */
export const functionSchema = z
  .strictObject({
    name: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/, 'must be a word of letters, digits, "_" and "-", at most 64 long')
      .describe('What the model calls; also the name looked up in the registry unless `handler` names another.'),
    description: z.string().optional().describe('When the model should call it.'),
    parameters: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('JSON Schema of the arguments; pattern, minimum and enum are enforced.'),
    handler: z.string().optional().describe('The registered tool to run, where it is not called like the function.'),
    run: z.string().optional().describe('The task flow that is the body of this function.'),
    effect: z
      .enum(['read', 'write'])
      .optional()
      .describe('`write`: changes the world; strict arguments, an idempotency key, never run twice.'),
    confirm: z
      .union([z.boolean(), ...spokenTextSchema.options])
      .optional()
      .describe('The caller must say yes first: true, or the question with {{ args.NAME }}.'),
    onRefuse: z
      .string()
      .optional()
      .describe('The node to go to when the caller says no to `confirm`; where absent the caller is asked what else.'),
    answers: z
      .enum(['yes', 'no'])
      .optional()
      .describe(
        'A plain yes (or no) to the question of the node calls it, without the model. Where absent, its description tells.',
      ),
    saveAs: z.string().optional().describe('The variable that keeps the result.'),
    transitionTo: z
      .union([z.string(), branchSchema])
      .optional()
      .describe('Where the flow goes when the function succeeded: a node, or a branch on its result.'),
    transitionCallback: z.string().optional().describe('A registered handler that returns the next node.'),
    transitionOnly: z.boolean().optional().describe('It only moves: no handler, no arguments.'),
    digression: z
      .boolean()
      .optional()
      .describe('Its move can be undone: a later move to `$return` comes back to this node.'),
    timeoutMs: z.number().int().positive().optional().describe('How long the handler may take.'),
    retry: z
      .strictObject({
        maxAttempts: z.number().int().min(1).max(10).describe('Attempts in all, the first included.'),
        backoffMs: z.number().int().min(0).optional().describe('The wait before the second; doubles each time.'),
      })
      .optional()
      .describe('How often a failing handler is tried again.'),
    cancelOnInterruption: z
      .boolean()
      .optional()
      .describe(
        'Whether the caller’s next words abort it and void its move: true where absent. A write is always waited for.',
      ),
  })
  .meta({ id: 'Function', description: 'Something that a node offers the model.' });

/** A function of a node or a flow as an author writes it. */
export type FunctionRef = z.input<typeof functionSchema>;

export type FunctionDocument = z.output<typeof functionSchema>;

/** The function that a flow with slots offers by itself. */
export const recordFunctionName = 'record';

/** The function by which a model says whether the caller agreed to a question of the flow's; offered while one is open. */
export const answerFunctionName = 'answer';

/** The function by which a model goes on in another language; offered by a flow that lists `languages`. */
export const languageFunctionName = 'set_language';

/** The target that comes back from a digression. */
export const returnTarget = '$return';

/** The name under which conditions read how often in a row the open question was left unanswered, by its node or slot. */
export const attemptsName = 'attempts';
