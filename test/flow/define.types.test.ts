import { voice } from '@livekit/agents';
import { describe, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { defineConfig } from '../../src/config/define-config.ts';
import { defineFlow } from '../../src/flow/document/define.ts';
import { defineNodeType } from '../../src/flow/graph/nodes/node-type.ts';
import { type FlowTool, flowTool, type FlowToolContext, type NextOf } from '../../src/livekit/tools/flow-tool.ts';
import { next } from '../../src/livekit/tools/next.ts';
import { createFlowRun } from '../../src/runner/create-flow-run.ts';
import { FlowRunner } from '../../src/runner/flow-runner.ts';
import type { FlowRunnerOptions } from '../../src/runner/options/flow-runner-options.ts';

// Checked by the compiler (`npm run check`): a line under @ts-expect-error that compiles is an error. Nothing here runs.

const table = defineFlow({
  initialNode: 'ask',
  slots: {
    day: { type: 'date' },
    guests: { type: 'integer' },
    terrace: { type: 'boolean' },
    room: { type: 'enum', values: ['blue', 'green'] },
  },
  state: { tries: 0 },
  nodes: {
    ask: {
      collect: ['day', { slot: 'guests', again: true }],
      forget: ['room'],
      functions: [
        { name: 'find', saveAs: 'found', transitionTo: 'book' },
        { name: 'leave', transitionTo: 'done' },
      ],
    },
    book: { functions: [{ name: 'book', handler: 'book_table', effect: 'write', transitionTo: 'done' }] },
    count: { type: 'data.reduce', input: { list: [] }, defaultTransition: 'done' },
    done: { say: 'Goodbye.', end: 'done' },
  },
});
const greeting = defineFlow({
  initialNode: 'hello',
  input: {
    name: { type: 'string' },
    visits: { type: 'integer', default: 0 },
    vip: { type: 'boolean', optional: true },
  },
  nodes: { hello: { say: 'Hello, {{ name }}.', end: 'done' } },
});
const find = flowTool({ name: 'find', description: 'Finds.', execute: () => ({ free: true }) });
const book = flowTool({
  name: 'book_table',
  description: 'Books.',
  parameters: z.object({ day: z.string() }),
  execute: async ({ day }) => (day === '' ? next({ free: false }, 'ask') : next({ free: true }, null)),
});
const session = {} as FlowRunnerOptions['session'];
const tools = [find, book] as const;

/** Compiles a use, and does not run it. */
function compiled(use: () => unknown): void {
  expectTypeOf(use).toBeFunction();
}

describe('the types of a flow of defineFlow', () => {
  it('know its nodes, slots and functions', () => {
    expectTypeOf<keyof (typeof table)['nodes']>().toEqualTypeOf<'ask' | 'book' | 'count' | 'done'>();
    expectTypeOf<keyof (typeof table)['slots']>().toEqualTypeOf<'day' | 'guests' | 'terrace' | 'room'>();
    compiled(() =>
      defineFlow({
        initialNode: 'ask',
        slots: { day: { type: 'date' } },
        // @ts-expect-error "don" is not a node
        onTrouble: 'don',
        nodes: {
          ask: {
            // @ts-expect-error "dai" is not a slot
            collect: ['day', { slot: 'dai' }],
            // @ts-expect-error "dai" is not a slot
            forget: ['dai'],
          },
        },
      }),
    );
  });

  it('check the names that a function gets and sets, and type the values of slots', () => {
    compiled((context?: FlowToolContext<typeof table>) => {
      expectTypeOf(context?.get('guests')).toEqualTypeOf<number | undefined>();
      expectTypeOf(context?.get('room')).toEqualTypeOf<'blue' | 'green' | undefined>();
      expectTypeOf(context?.get('terrace')).toEqualTypeOf<boolean | undefined>();
      context?.get('count');
      context?.get('found');
      context?.set('tries', 1);
      context?.set('guests', null);
      // @ts-expect-error "gests" is not a slot
      context?.get('gests');
      // @ts-expect-error "gests" is not a slot
      context?.set('gests', 4);
      // @ts-expect-error the output of a node is not set by code
      context?.set('count', 4);
      // @ts-expect-error guests is a number
      context?.set('guests', 'four');
      // @ts-expect-error "red" is not a value of room
      context?.set('room', 'red');
    });
    compiled(() =>
      flowTool({
        name: 'find',
        description: 'Finds.',
        execute: (_input, context: FlowToolContext<typeof table>) => context.get('guests'),
        // @ts-expect-error "gests" is not a slot
        after: (_value, _input, context: FlowToolContext<typeof table>) => context.set('gests', 4),
      }),
    );
  });
});

describe('the types of flowTool', () => {
  it('have the name, the arguments, the value and the nodes', () => {
    expectTypeOf(book.name).toEqualTypeOf<'book_table'>();
    expectTypeOf(book.execute).parameter(0).toEqualTypeOf<{ day: string }>();
    expectTypeOf(book.execute).returns.resolves.toEqualTypeOf<{ free: boolean }>();
    expectTypeOf<NextOf<typeof book>>().toEqualTypeOf<'ask' | null>();
    expectTypeOf<NextOf<typeof find>>().toEqualTypeOf<never>();
    expectTypeOf(book).toExtend<FlowTool>();
    compiled(() => new voice.Agent({ instructions: '', tools: [book, find] }));
    // @ts-expect-error day is missing
    compiled(() => book.execute({}, {} as never));
  });
});

describe('the types of FlowRunner', () => {
  it('demand every tool that the flow calls', () => {
    compiled(() => new FlowRunner({ session, flow: table, tools }));
    compiled(() => new FlowRunner({ session, flow: table, tools: [find, book] }));
    // @ts-expect-error book_table is missing
    compiled(() => new FlowRunner({ session, flow: table, tools: [find] }));
    // @ts-expect-error there are no tools
    compiled(() => new FlowRunner({ session, flow: table }));
    // @ts-expect-error a flow of `flows` calls tools too
    compiled(() => new FlowRunner({ session, flow: 'desk.yaml', flows: { table } }));
  });

  it('demand that next leads to a node of a flow', () => {
    const astray = flowTool({ name: 'find', description: 'Finds.', execute: () => next({}, 'boook') });
    // @ts-expect-error "boook" is not a node
    compiled(() => new FlowRunner({ session, flow: table, tools: [astray, book] }));
  });

  it('check the nodes to enter', () => {
    compiled(async (runner = new FlowRunner({ session, flow: table, tools })) => {
      await runner.enter('book');
      // @ts-expect-error "boook" is not a node
      await runner.enter('boook');
      await runner.swapFlow(greeting, { node: 'hello' });
      // @ts-expect-error "book" is a node of the other flow
      await runner.swapFlow(greeting, { node: 'book' });
    });
    compiled(
      async (
        runner = new FlowRunner({ session, flow: table, flows: { greeting }, tools, agent: { fallback: 'greeting' } }),
      ) => runner.enter('hello'),
    );
    compiled(
      () =>
        new FlowRunner({
          ...{ session, flow: table, tools },
          flows: { greeting },
          // @ts-expect-error "greting" is not a flow
          agent: { fallback: 'greting' },
        }),
    );
  });

  it('check the names in handlers', () => {
    // @ts-expect-error "gests" is not a slot
    compiled(() => new FlowRunner({ session, flow: table, tools, handlers: { log: (_, { get }) => get('gests') } }));
  });

  it('demand the input of the flow', () => {
    compiled(() => new FlowRunner({ session, flow: greeting, input: { name: 'Maria', vip: true } }));
    // @ts-expect-error input is missing
    compiled(() => new FlowRunner({ session, flow: greeting }));
    // @ts-expect-error name is missing
    compiled(() => new FlowRunner({ session, flow: greeting, input: { visits: 1 } }));
    // @ts-expect-error visits is a number
    compiled(() => new FlowRunner({ session, flow: greeting, input: { name: 'Maria', visits: 'one' } }));
    compiled(() => createFlowRun(greeting, { input: { name: 'Maria' } }));
    // @ts-expect-error input is missing
    compiled(() => createFlowRun(greeting));
    // @ts-expect-error book_table is missing
    compiled(() => createFlowRun(table, { tools: [find] }));
  });

  it('accept any name for a file, a text and a document that is data', () => {
    compiled(async (runner = new FlowRunner({ session, flow: 'desk.yaml', input: { any: 1 }, tools: [find] })) => {
      await runner.enter('anywhere');
    });
    compiled((options?: FlowRunnerOptions) => options !== undefined && new FlowRunner(options).enter('anywhere'));
    compiled((runner: FlowRunner = new FlowRunner({ session, flow: table, tools })) => runner.currentNode);
    compiled((context?: FlowToolContext) => context?.set('anything', context.get('any') ?? null));
    compiled(() => createFlowRun('desk.yaml', { input: { any: 1 } }).run());
  });
});

describe('the types of defineConfig', () => {
  it('check the names of flows, and demand tools', () => {
    compiled(() => defineConfig({ flows: { table, desk: 'desk.yaml' }, initialFlow: 'desk', tools: [find, book] }));
    // @ts-expect-error "dsk" is not a flow
    compiled(() => defineConfig({ flows: { desk: 'desk.yaml' }, initialFlow: 'dsk' }));
    // @ts-expect-error book_table is missing
    compiled(() => defineConfig({ flows: { table }, tools: [find] }));
  });
});

describe('the types of defineNodeType', () => {
  const schemas = {
    description: 'A price.',
    input: z.object({ price: z.number() }),
    output: z.object({ price: z.number() }),
  };

  it('check the output of evaluate and run', () => {
    compiled(() =>
      defineNodeType({
        ...schemas,
        name: 'shop.price',
        evaluate: ({ price }) =>
          price < 0 ? { ok: false, code: 'below', message: '' } : { ok: true, output: { price } },
      }),
    );
    // @ts-expect-error price is a number
    compiled(() => defineNodeType({ ...schemas, name: 'a.b', evaluate: () => ({ ok: true, output: { price: '1' } }) }));
    // @ts-expect-error price is missing
    compiled(() => defineNodeType({ ...schemas, name: 'a.b', evaluate: () => ({ ok: true, output: { prise: 1 } }) }));
    // @ts-expect-error price is a number
    compiled(() => defineNodeType({ ...schemas, name: 'a.b', run: () => Promise.resolve({ price: '1' }) }));
  });
});
