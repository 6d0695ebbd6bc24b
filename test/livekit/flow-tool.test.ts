import { expect, test } from 'vitest';
import { z } from 'zod';
import { flowTool, type FlowToolOptions } from '../../src/livekit/tools/flow-tool.ts';
import { live } from './live.ts';

const flow = {
  initialNode: 'desk',
  nodes: {
    desk: {
      taskMessages: [{ role: 'system' as const, content: 'Book.' }],
      functions: [{ name: 'book', description: 'Books.', handler: 'book', transitionTo: 'done' }],
    },
    done: { say: 'Booked.', end: true as const },
  },
};
const script = { '*': [{ calls: [{ name: 'book' }] }] };

test('a tool is offered only by the runner that lists it, even if another runner has one of the same name', async () => {
  const booked: string[] = [];
  const bookAt = (place: string) =>
    flowTool({ name: 'book', description: 'Books.', execute: () => void booked.push(place) });
  const [clinic, restaurant] = [bookAt('clinic'), bookAt('restaurant')];
  for (const tool of [clinic, restaurant]) {
    const { runner } = await live(flow, script, { tools: [tool] });
    await runner.send('book it');
    await runner.ended;
  }
  expect(booked).toEqual(['clinic', 'restaurant']);
});

test('a tool that is not listed is never offered', async () => {
  flowTool({ name: 'book', description: 'Books.', execute: () => 'booked' });
  await expect(live(flow, script)).rejects.toThrow(/book/);
});

test.each([
  [{ name: 'book it' }, 'name: must be a word of letters, digits, "_" and "-", at most 64 long.'],
  [{ name: undefined }, 'name: is missing: it must be text.'],
  [{ execute: undefined }, 'execute: is missing: it must be a function.'],
  [{ parameters: z.string() }, 'parameters: must be a zod object: z.object({ … }).'],
  [{ effekt: 'write' }, '(tool): there is no "effekt". Did you mean "effect"?'],
  [{ returns: 'tuple' }, 'returns: is not one of value, pair.'],
])('options that no compiler has seen are refused by a name: %j', (part, fault) => {
  const options = { name: 'book', description: 'Books.', execute: () => 'booked', ...part };
  expect(() => flowTool(options as FlowToolOptions<z.ZodObject>)).toThrow(`tool-invalid: ${fault}`);
});

test('two tools of one name in one list are refused, and both are named', async () => {
  const bookAt = (place: string) => flowTool({ name: 'book', description: `At the ${place}.`, execute: () => place });
  const [clinic, restaurant] = [bookAt('clinic'), bookAt('restaurant')];
  await expect(live(flow, script, { tools: [clinic, restaurant] })).rejects.toThrow(
    'tool-name-taken: tools[0] and tools[1] are both named "book" ("At the clinic." and "At the restaurant.").',
  );
  await live(flow, script, { tools: [clinic, clinic] });
});

test('a registered tool is offered to every flow, and its name is reserved', async () => {
  let runs = 0;
  const options = { name: 'book', description: 'Books.', execute: () => (runs += 1), register: true };
  flowTool(options);
  expect(() => flowTool(options)).toThrow(expect.objectContaining({ code: 'tool-name-taken' }));
  const { runner } = await live(flow, script);
  await runner.send('book it');
  await runner.ended;
  expect(runs).toBe(1);
});
