import pLimit from 'p-limit';
import { z } from 'zod';
import { FlowError } from '../errors.ts';
import type { Json, JsonObject } from '../events/json.ts';
import type { CompiledWhen } from '../expression/when.ts';
import { defineNodeType, type NodeType, type RunContext } from '../graph/node-type.ts';
import { compiledOnce, conditionSchema } from './condition.ts';
import { asJson, jsonObject } from './json-fields.ts';

const iteration = z.strictObject({
  item: z.unknown().describe('The member.'),
  index: z.number().describe('Its place, from 0.'),
  count: z.number().describe('How many members there are.'),
  outputs: jsonObject.describe('What the nodes of the body gave, by id.'),
});

const controlForeach = defineNodeType({
  name: 'control.foreach',
  description: 'Runs the nodes of its `body`, a key of the node beside `input`, once for each member of a list.',
  input: z.strictObject({
    list: z.array(z.unknown()).describe('The list.'),
    as: z
      .string()
      .regex(/^[\p{L}_][\p{L}\p{M}\p{N}_-]*$/u, 'Write a name such as member.')
      .refine((name) => name !== 'index' && name !== 'count', 'The body knows this name already. Write another.')
      .default('item')
      .describe('What the body calls the member; item where absent. It knows index, from 0, and count as well.'),
    concurrency: z
      .number()
      .int()
      .min(1)
      .max(100)
      .default(1)
      .describe('How many members are worked on at once; one after the other where absent.'),
  }),
  output: z.strictObject({
    count: z.number().describe('How many members there are.'),
    iterations: z.array(iteration).describe('What came of each member, in order.'),
  }),
  bodyNames: ({ as }) => [typeof as === 'string' ? as : 'item', 'index', 'count'],
  async run({ list, as, concurrency }, context) {
    const count = list.length;
    const iterations = await eachOf(list, concurrency, async (member, index) => {
      const item = asJson(member);
      // fromEntries defines own properties, so that a name such as __proto__ is an ordinary one.
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
      'Asked before each iteration; every name of the flow may be used, iteration (how many have run) and previous ' +
        '(the outputs of the last one, by node). Where only previous could tell, the first iteration runs.',
    ),
    maxIterations: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe('The loop ends after so many, too; without it 10,000 are a failure.'),
  }),
  output: z.strictObject({
    iteration: z.number().describe('How many iterations have run.'),
    outputs: jsonObject.describe('What the nodes of the body gave in the last one, by id.'),
  }),
  reads: (input) => [{ at: ['while'], when: input.while, local: loopNames }],
  bodyNames: () => loopNames,
  async run(input, context) {
    const condition = compiledOnce(input.while);
    let previous: JsonObject = {};
    for (let iteration = 0; ; iteration += 1) {
      const names: JsonObject = { iteration, previous };
      const truth = condition.truth((name) => (Object.hasOwn(names, name) ? names[name] : context.lookup(name)));
      // What the condition asks of the last iteration no iteration has answered yet.
      const begins = truth === undefined && iteration === 0 && readsPrevious(condition);
      if ((truth !== true && !begins) || iteration === input.maxIterations) return { iteration, outputs: previous };
      if (iteration === mostIterations) throw endless();
      previous = await runBody(context, iteration, names);
    }
  },
});

const controlSubflow = defineNodeType({
  name: 'control.subflow',
  description: 'Runs another flow to its outputs.',
  input: z.strictObject({
    name: z.string().min(1).describe('The name under which the flow is registered.'),
    input: jsonObject.optional().describe('What it is given.'),
  }),
  output: z.strictObject({ outputs: jsonObject.describe('What its nodes gave, by id.') }),
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
 * What becomes of each member, in order, so many of them at once. After a failure no other is begun, and those begun are
 * waited for.
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
  // What was not begun stands behind what was, so the failure told is that of a member.
  return Promise.all(results);
}
