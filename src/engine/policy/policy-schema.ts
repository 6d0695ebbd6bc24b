import { z } from 'zod';
import { compilePattern } from '../../flow/expression/pattern.ts';
import { schemaFaults } from '../../flow/document/problems/schema-faults.ts';
import type { Command, Commands } from '../commands.ts';
import type { Embed } from './example-scores.ts';
import type { Hooks } from './hooks.ts';
import type { DetectorRouter, RouterConfig } from './router.ts';
import { assertOutput, type OutputSchema } from '../reply/structured-output.ts';

const confidence = z.number().min(0).max(1).optional();
const fallback = z.string().min(1).optional();

const rule = z.strictObject({
  patterns: z
    .array(
      z.string().superRefine((source, issues) => {
        const pattern = compilePattern(source, 'iu');
        if (pattern.ok) return;
        issues.addIssue({ code: 'custom', message: `${pattern.reason} ${pattern.hint ?? 'Correct the expression.'}` });
      }),
    )
    .readonly()
    .optional(),
  examples: z.array(z.string()).readonly().optional(),
});

/** Schema of `router` in a configuration. */
export const routerSchema: z.ZodType<RouterConfig, RouterConfig> = z.discriminatedUnion(
  'mode',
  [
    z.strictObject({
      mode: z.literal('detector'),
      prompt: z.string().min(1),
      outputSchema: z.custom<DetectorRouter['outputSchema']>(isSchema, 'must be a zod schema'),
      minConfidence: confidence,
      fallback,
    }),
    z.strictObject({ mode: z.literal('schema_intent'), field: z.string().min(1), fallback }),
    z.strictObject({
      mode: z.literal('rules'),
      rules: z.record(z.string(), rule),
      minConfidence: confidence,
      fallback,
      embed: functionOf<Embed>().optional(),
    }),
  ],
  // Zod's own message does not list the modes.
  { error: (issue) => (issue.code === 'invalid_union' ? 'must be "detector", "schema_intent" or "rules"' : undefined) },
);

const command = z.union([z.literal(false), functionOf<Command>()], 'must be a function, or false to disable one');

// A command is found by its first word after the slash, in lower case. Only commands of `flow` have two words.
const commandName = /^(?:[\p{Ll}\p{Lo}\p{N}_-]+|flow (?:start|stop|status))$/u;

/** Schema of `commands` in a configuration. */
export const commandsSchema: z.ZodType<Commands, Commands> = z
  .record(z.string(), command)
  .superRefine((commands, issues) => {
    const message = 'must be one word in lower case, without the slash';
    for (const name of Object.keys(commands))
      if (!commandName.test(name)) issues.addIssue({ code: 'custom', path: [name], message });
  });

const onHookError = z.enum(['continue', 'block']);

/** Schema of `hooks` in a configuration. */
export const hooksSchema: z.ZodType<Hooks, Hooks> = z.strictObject({
  beforeLLM: functionOf<NonNullable<Hooks['beforeLLM']>>().optional(),
  beforeResponse: functionOf<NonNullable<Hooks['beforeResponse']>>().optional(),
  onResponse: functionOf<NonNullable<Hooks['onResponse']>>().optional(),
  timeoutMs: z.number().int().min(1).max(600_000).optional(),
  decideBy: z.enum(['reply', 'sentence']).optional(),
  onHookError: z
    .union(
      [onHookError, z.strictObject({ beforeLLM: onHookError.optional(), beforeResponse: onHookError.optional() })],
      'must be "continue" or "block", or one of them for each of beforeLLM and beforeResponse',
    )
    .optional(),
  blockedLine: z.string().trim().min(1).optional(),
});

/** Schema of `output` in a configuration. */
export const outputSchema: z.ZodType<OutputSchema, OutputSchema> = z
  .custom<OutputSchema>((value) => isSchema(value) && 'shape' in Object(value), 'must be a zod object')
  .superRefine((schema, issues) => {
    try {
      assertOutput(schema);
    } catch {
      issues.addIssue({ code: 'custom', path: ['reply'], message: 'must be a required string: z.string()' });
    }
  });

/** Policy options of an agent, before validation. */
export interface PolicyChoices {
  readonly router?: unknown;
  readonly commands?: unknown;
  readonly hooks?: unknown;
  readonly output?: unknown;
}

const policySchema = z.object({
  router: routerSchema.optional(),
  commands: commandsSchema.optional(),
  hooks: hooksSchema.optional(),
  output: outputSchema.optional(),
});

/** Returns the faults of policy options: place, fact and remedy of each. */
export function policyFaults({ router, commands, hooks, output }: PolicyChoices): readonly string[] {
  const given = { router, commands, hooks, output };
  const issues = policySchema.safeParse(given).error?.issues ?? [];
  return schemaFaults(policySchema, issues, given);
}

function functionOf<Shape>() {
  return z.custom<Shape>((value) => typeof value === 'function', 'must be a function');
}

function isSchema(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'safeParse' in value && 'toJSONSchema' in value;
}
