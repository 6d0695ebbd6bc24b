import { z } from 'zod';
import { evaluateWhen } from '../expression/when.ts';
import { defineNodeType, type NodeType } from '../graph/nodes/node-type.ts';
import { compiledOnce, conditionSchema } from './condition.ts';
import { asJson } from './json-fields.ts';

/** The route of a switch if no case is true. */
const defaultRoute = 'default';

const value = z.unknown().optional();

const controlSwitch = defineNodeType({
  name: 'control.switch',
  description: `Chooses the route of the first case that holds, or "${defaultRoute}"; edges then follow the route.`,
  input: z.strictObject({
    value: value.describe('The value for the cases, which can read it as `value`. It is also part of the output.'),
    cases: z
      .array(
        z
          .strictObject({
            when: conditionSchema.describe('A condition. It may read every name of the flow, and `value`.'),
            route: z.string().describe('The route of the output if the condition is true.'),
          })
          .describe('A route and its condition.'),
      )
      .describe('The cases, tried from first to last.'),
  }),
  output: z.strictObject({
    route: z.string().describe('The chosen route.'),
    value: z.unknown().describe('The value from the input.'),
  }),
  reads: ({ value: own, cases }) =>
    cases.map(({ when }, index) => ({ at: ['cases', index, 'when'], when, local: own === undefined ? [] : ['value'] })),
  evaluate(input, { lookup }) {
    const lookupHere = (name: string): unknown =>
      name === 'value' && input.value !== undefined ? input.value : lookup(name);
    const chosen = input.cases.find(({ when }) => evaluateWhen(compiledOnce(when), lookupHere));
    return { ok: true, output: { route: chosen?.route ?? defaultRoute, value: asJson(input.value) } };
  },
});

const controlIf = defineNodeType({
  name: 'control.if',
  description: 'Evaluates a condition; edges then follow the result.',
  input: z.strictObject({
    condition: conditionSchema.describe(
      'A condition, such as { equals: { var: size, value: large } }. It may read every name of the flow.',
    ),
  }),
  output: z.strictObject({ condition: z.boolean().describe('Whether the condition is true.') }),
  reads: ({ condition }) => [{ at: ['condition'], when: condition }],
  evaluate: ({ condition }, { lookup }) => ({
    ok: true,
    output: { condition: evaluateWhen(compiledOnce(condition), lookup) },
  }),
});

const controlMerge = defineNodeType({
  name: 'control.merge',
  description: 'Merges paths: continues when all of them have arrived or were skipped, or when the first one arrives.',
  literal: ['mode'],
  input: z.strictObject({
    mode: z.enum(['all', 'any']).default('all').describe('any continues once, at the first path. Default: all.'),
  }),
  output: z.strictObject({ merged: z.literal(true).describe('Always true.') }),
  waitsFor: ({ mode }) => (mode === 'any' ? 'any' : 'all'),
  evaluate: () => ({ ok: true, output: { merged: true } }),
});

const controlFail = defineNodeType({
  name: 'control.fail',
  description: 'Fails, so that the flow takes `on_error`.',
  input: z.strictObject({ message: z.string().describe('The reason, for logs.') }),
  output: z.never(),
  capabilities: { fails: true },
  evaluate: ({ message }) => ({ ok: false, code: 'control-fail', message }),
});

const controlNoop = defineNodeType({
  name: 'control.noop',
  description: 'Does nothing. Use it to join paths or to decide by edges.',
  input: z.strictObject({ value: value.describe('A value for the output.') }),
  output: z.strictObject({ value: value.describe('The value from the input.') }),
  evaluate: (input) => ({ ok: true, output: input.value === undefined ? {} : { value: asJson(input.value) } }),
});

/** The nodes that route a flow. */
export const controlNodes: readonly NodeType[] = [controlSwitch, controlIf, controlMerge, controlFail, controlNoop];
