import { z } from 'zod';
import { wordSchema } from '../../flow/document/function.ts';
import { schemaFaults } from '../../flow/document/problems/schema-faults.ts';

const method = z.custom((value) => typeof value === 'function', 'must be a function');

/** Schema of the options of `flowTool`, for untyped code. */
const toolSchema = z.strictObject({
  // The name by which documents call it.
  name: wordSchema,
  description: z.string().optional(),
  register: z.boolean().optional(),
  parameters: z
    .custom(
      (value) => typeof value === 'object' && value !== null && !isOtherZod(value),
      'must be a zod object: z.object({ … })',
    )
    .optional(),
  effect: z.enum(['read', 'write']).optional(),
  before: method.optional(),
  execute: method,
  returns: z.enum(['value', 'pair']).optional(),
  after: method.optional(),
});

/** Returns the faults of a tool's options, one text each. */
export function toolFaults(options: unknown): readonly string[] {
  return schemaFaults(toolSchema, toolSchema.safeParse(options).error?.issues ?? [], options, '(tool)');
}

/** Checks for a zod schema of anything but an object, because a model passes arguments by name. */
function isOtherZod(value: object): boolean {
  return value instanceof z.ZodType && !(value instanceof z.ZodObject);
}
