import pLimit from 'p-limit';
import { z } from 'zod';
import { FlowError } from '../../model/errors.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { CompiledWhen } from '../expression/when.ts';
import { defineNodeType, type NodeType, type RunContext } from '../graph/nodes/node-type.ts';
import { compiledOnce, conditionSchema } from './condition.ts';
import { asJson, jsonObject } from './json-fields.ts';

const iteration = z.strictObject({
  item: z.unknown().describe('The item.'),
  index: z.number().describe('The index of the item, from 0.'),
  count: z.number().describe('The number of items.'),
  outputs: jsonObject.describe('The outputs of the body’s nodes, by id.'),
});

const controlForeach = defineNodeType({
  name: 'control.foreach',
  description: 'Runs the nodes of its `body`, a key of the node beside `input`, once for each item of a list.',
  input: z.strictObject({
    list: z.array(z.unknown()).describe('The list.'),
    as: z
      .string()
      .regex(/^[\p{L}_][\p{L}\p{M}\p{N}_-]*$/u, 'Write a name such as member.')
      .refine((name) => name !== 'index' && name !== 'count', 'The body knows this name already. Write another.')
      .default('item')
      .describe('The name of the item in the body. Default: item. The body also has index, from 0, and count.'),
    concurrency: z
      .number()
      .int()
      .min(1)
      .max(100)
      .default(1)
      .describe('Maximum number of items that run at once. Default: 1.'),
  }),
  output: z.strictObject({
    count: z.number().describe('The number of items.'),
    iterations: z.array(iteration).describe('The result of each item, in order.'),
  }),
  bodyNames: ({ as }) => [typeof as === 'string' ? as : 'item', 'index', 'count'],
  async run({ list, as, concurrency }, context) {
    const count = list.length;
    const iterations = await eachOf(list, concurrency, async (member, index) => {
      const item = asJson(member);
      // fromEntries defines own properties, so a name such as __proto__ is safe.
      const names = Object.fromEntries<Json>([
        [as, item],
        ['index', index],
        ['count', count],
      ]);
      return { item, index, count, outputs: await runBody(context, index, names) };
    });
    return { count, iterations };
  },
});

const controlLoop = defineNodeType({
  name: 'control.loop',
  description:
    'Runs the nodes of its `body`, a key of the node beside `input`, again and again while a condition holds.',
  input: z.strictObject({
    while: conditionSchema.describe(
      'Checked before each iteration. It may use every name of the flow, iteration (the number of finished iterations) and ' +
        'previous (the outputs of the last iteration, by node). If the result depends on previous, the first iteration runs.',
    ),
    maxIterations: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe('Maximum number of iterations, after which the loop ends. Without it the loop fails after 10,000.'),
  }),
  output: z.strictObject({
    iteration: z.number().describe('The number of iterations.'),
    outputs: jsonObject.describe('The outputs of the body’s nodes in the last iteration, by id.'),
  }),
  reads: (input) => [{ at: ['while'], when: input.while, local: loopNames }],
  bodyNames: () => loopNames,
  async run(input, context) {
    const condition = compiledOnce(input.while);
    let previous: JsonObject = {};
    for (let iteration = 0; ; iteration += 1) {
      const names: JsonObject = { iteration, previous };
      const truth = condition.truth((name) => (Object.hasOwn(names, name) ? names[name] : context.lookup(name)));
      // `previous` has no value before the first iteration.
      const begins = truth === undefined && iteration === 0 && readsPrevious(condition);
      if ((truth !== true && !begins) || iteration === input.maxIterations) return { iteration, outputs: previous };
      if (iteration === mostIterations) throw endless();
      previous = await runBody(context, iteration, names);
    }
  },
});

const controlSubflow = defineNodeType({
  name: 'control.subflow',
  description: 'Runs another flow and returns its outputs.',
  input: z.strictObject({
    name: z.string().min(1).describe('The registered name of the flow.'),
    input: jsonObject.optional().describe('The input of the flow.'),
  }),
  output: z.strictObject({ outputs: jsonObject.describe('The outputs of its nodes, by id.') }),
  runsFlow: 'name',
  run: async ({ name, input = {} }, context) => ({ outputs: await context.runFlow(name, input) }),
});

/** The nodes that run other nodes. */
export const controlBodyNodes: readonly NodeType[] = [controlForeach, controlLoop, controlSubflow];

const loopNames = ['iteration', 'previous'] as const;

function readsPrevious({ references }: CompiledWhen): boolean {
  return references.some(({ path }) => path[0] === 'previous');
}

const mostIterations = 10_000;

function endless(): FlowError {
  const fact = `the condition of the loop still holds after ${mostIterations} iterations.`;
  return new FlowError('loop-endless', `${fact} Change it, or give max_iterations.`);
}

async function runBody(context: RunContext, index: number, names: JsonObject): Promise<JsonObject> {
  if (context.runBody !== undefined) return context.runBody(index, names);
  throw new FlowError('no-body', 'the node has nothing to repeat. Give it a body: { nodes: … }.');
}

/**
 * Runs the body for each item, with limited concurrency, and returns the results in order. After a failure it starts no
 * other item and awaits the running ones.
 */
async function eachOf<Result>(
  list: readonly unknown[],
  concurrency: number,
  work: (member: unknown, index: number) => Promise<Result>,
): Promise<Result[]> {
  const limit = pLimit({ concurrency, rejectOnClear: true });
  const results = list.map((member, index) =>
    limit(async () => {
      try {
        return await work(member, index);
      } catch (error) {
        limit.clearQueue();
        throw error;
      }
    }),
  );
  await Promise.allSettled(results);
  // Items that did not start come after the failed one, so the reported failure is that of an item.
  return Promise.all(results);
}
