import { z } from 'zod';
import { evaluateWhen } from '../expression/when.ts';
import { defineNodeType, type NodeType } from '../graph/node-type.ts';
import { compiledOnce, conditionSchema } from './condition.ts';
import { asJson } from './json-fields.ts';

/** What a switch gives as its route where no case holds. */
const defaultRoute = 'default';

const value = z.unknown().optional();

const controlSwitch = defineNodeType({
  name: 'control.switch',
  description: `Chooses the route of the first case that holds, or "${defaultRoute}"; edges then follow the route.`,
  input: z.strictObject({
    value: value.describe('What the cases decide on; they may call it `value`. Also part of the output.'),
    cases: z
      .array(
        z
          .strictObject({
            when: conditionSchema.describe('Holds or not; every name of the flow may be used, and `value`.'),
            route: z.string().describe('The output’s route where the condition holds.'),
          })
          .describe('A route and when it is chosen.'),
      )
      .describe('The cases, tried from first to last.'),
  }),
  output: z.strictObject({
    route: z.string().describe('The route that was chosen.'),
    value: z.unknown().describe('The value that was decided on.'),
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
  description: 'Tells whether a condition holds; edges then follow the answer.',
  input: z.strictObject({
    condition: conditionSchema.describe(
      'A condition, such as { equals: { var: size, value: large } }. Every name of the flow may be used.',
    ),
  }),
  output: z.strictObject({ condition: z.boolean().describe('Whether it holds.') }),
  reads: ({ condition }) => [{ at: ['condition'], when: condition }],
  evaluate: ({ condition }, { lookup }) => ({
    ok: true,
    output: { condition: evaluateWhen(compiledOnce(condition), lookup) },
  }),
});

const controlMerge = defineNodeType({
  name: 'control.merge',
  description: 'Brings paths together: goes on once all of them have come or been skipped, or at the first that comes.',
  literal: ['mode'],
  input: z.strictObject({
    mode: z.enum(['all', 'any']).default('all').describe('any goes on at the first path, once; all where absent.'),
  }),
  output: z.strictObject({ merged: z.literal(true).describe('Always true.') }),
  waitsFor: ({ mode }) => (mode === 'any' ? 'any' : 'all'),
  evaluate: () => ({ ok: true, output: { merged: true } }),
});

const controlFail = defineNodeType({
  name: 'control.fail',
  description: 'Fails, so that the flow goes on at `on_error`.',
  input: z.strictObject({ message: z.string().describe('Why, for the author’s logs.') }),
  output: z.never(),
  capabilities: { fails: true },
  evaluate: ({ message }) => ({ ok: false, code: 'control-fail', message }),
});

const controlNoop = defineNodeType({
  name: 'control.noop',
  description: 'Does nothing: a place where paths meet, or where edges decide.',
  input: z.strictObject({ value: value.describe('Passed on as the output’s value.') }),
  output: z.strictObject({ value: value.describe('What was passed on.') }),
  evaluate: (input) => ({ ok: true, output: input.value === undefined ? {} : { value: asJson(input.value) } }),
});

/** The nodes that decide where a flow goes. */
export const controlNodes: readonly NodeType[] = [controlSwitch, controlIf, controlMerge, controlFail, controlNoop];
