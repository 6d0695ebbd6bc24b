import { z } from 'zod';
import { spokenTextSchema } from './spoken-text.ts';
import { transferSchema } from './people/transfer.ts';

/** A target that depends on a field of the function's result. */
const branchSchema = z
  .strictObject({
    field: z.string().describe('The field of the result to branch on; a path such as status.code is allowed.'),
    cases: z.record(z.string(), z.string()).describe('The node to go to for each value of the field.'),
    default: z.string().optional().describe('The node for any other value. Without it the flow stays in the node.'),
  })
  .meta({ id: 'Branch', description: 'A target chosen by a field of the result.' });

/** A name of a function without a server. */
export const wordSchema = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/, 'must be a word of letters, digits, "_" and "-", at most 64 long');

/** Returns the name of a function for models, whose names have no dot: `crm__find` for `crm.find`. */
export function functionNameOf(name: string): string {
  return name.replaceAll('.', '__');
}

/** Returns the server of a tool such as `crm.find`; null for any other function. */
export function serverOf(name: string): string | null {
  const [server = '', ...rest] = name.split('.');
  return rest.length === 0 ? null : server;
}

/** A function that a node offers to the model. */
export const functionSchema = z
  .strictObject({
    name: z
      .string()
      .regex(
        /^(?:[A-Za-z_][A-Za-z0-9_-]{0,63}|[A-Za-z_][A-Za-z0-9_-]{0,19}\.[A-Za-z0-9_-]{1,42})$/,
        'must be a word of letters, digits, "_" and "-", at most 64 long, or SERVER.TOOL',
      )
      .describe(
        'The name for the model. It is also the name of the registered tool, or SERVER.TOOL of an MCP server, unless `handler` names another.',
      ),
    description: z.string().optional().describe('A description of when the model should call the function.'),
    parameters: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('JSON Schema of the arguments. All keywords are enforced.'),
    handler: z.string().optional().describe('The registered tool to run, if its name differs from the function’s.'),
    run: z.string().optional().describe('The task flow that is the body of this function.'),
    effect: z
      .enum(['read', 'write'])
      .optional()
      .describe(
        '`write`: the function changes the world. It has strict arguments and an idempotency key, and is not run twice.',
      ),
    confirm: z
      .union([z.boolean(), ...spokenTextSchema.options])
      .optional()
      .describe('Asks the caller for a yes first: true, or the question with {{ args.NAME }}.'),
    onRefuse: z
      .string()
      .optional()
      .describe('The node to go to if the caller says no to `confirm`. Without it the agent asks for another wish.'),
    answers: z
      .enum(['yes', 'no'])
      .optional()
      .describe(
        'Whether a plain yes or no to the node’s question calls the function without the model. Default: as its description suggests.',
      ),
    saveAs: z.string().optional().describe('The variable that stores the result.'),
    transitionTo: z
      .union([z.string(), branchSchema])
      .optional()
      .describe('The target after the function succeeded: a node, or a branch on its result.'),
    transitionCallback: z.string().optional().describe('A registered handler that returns the next node.'),
    transitionOnly: z
      .boolean()
      .optional()
      .describe('The function only moves the flow: it has no handler and no arguments.'),
    transfer: transferSchema.optional().describe('The transfer of the caller when the function is called.'),
    digression: z.boolean().optional().describe('Whether a later transition to `$return` comes back to this node.'),
    timeoutMs: z.number().int().positive().optional().describe('Time limit of the handler in milliseconds.'),
    retry: z
      .strictObject({
        maxAttempts: z.number().int().min(1).max(10).describe('Total number of attempts, including the first.'),
        backoffMs: z
          .number()
          .int()
          .min(0)
          .optional()
          .describe('Milliseconds before the second attempt; doubles each time.'),
      })
      .optional()
      .describe('Attempts of a failing handler.'),
    cancelOnInterruption: z
      .boolean()
      .optional()
      .describe(
        'Whether the caller’s next words cancel the function and its transition. Default: true. A write is always awaited.',
      ),
  })
  .meta({ id: 'Function', description: 'A function that a node offers to the model.' });

/** A function of a node or a flow as written by its author. */
export type FunctionRef = z.input<typeof functionSchema>;

export type FunctionDocument = z.output<typeof functionSchema>;

/** The built-in function that records slots. */
export const recordFunctionName = 'record';

/** The built-in function for the caller's yes or no. It is offered while a question of the flow is open. */
export const answerFunctionName = 'answer';

/** The built-in function that changes the language. A flow with `languages` offers it. */
export const languageFunctionName = 'set_language';

/** The target that returns from a digression. */
export const returnTarget = '$return';

/** The name in conditions for the number of unanswered attempts in a row, by node or slot. */
export const attemptsName = 'attempts';
