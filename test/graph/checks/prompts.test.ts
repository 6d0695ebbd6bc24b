import { describe, expect, test } from 'vitest';
import { flow, found } from './found.ts';

const prompt = [{ role: 'system', content: 'Be kind.' }];
const to = (node: object, parts: object = {}): object =>
  flow({ node, start: { say: 'Hi.', defaultTransition: 'node' } }, parts);
const functions = [{ name: 'go', transitionTo: 'done' }];

describe('the model is given a prompt', () => {
  const slots = { slots: { x: { type: 'text' } } };
  test.each([
    ['a node with functions', to({ say: 'Well?', functions })],
    ['a node that collects a slot without a question', to({ collect: ['x'], defaultTransition: 'done' }, slots)],
  ])('in %s', (_what, document) => {
    expect(found('model-without-prompt', document)).toEqual(['warning key of nodes.node']);
    expect(found('model-without-prompt', { ...document, roleMessages: prompt })).toEqual([]);
  });

  test('and a persona without messages is none', () => {
    const start = { say: 'Hi.', roleMessages: [], functions };
    expect(found('model-without-prompt', flow({ start }, { roleMessages: [] }))).toEqual([
      'warning key of nodes.start',
    ]);
  });

  test.each([
    ['a message of the node', to({ functions, taskMessages: prompt })],
    ['a file', to({ functions, promptFile: 'prompts/node.md' })],
    ['a persona that lasts', flow({ start: { say: 'Hi.', roleMessages: prompt, functions } })],
    ['nothing where no model is called', to({ say: 'Hi.', defaultTransition: 'done' })],
    [
      'nothing where the question stands',
      to({ collect: ['x'], defaultTransition: 'done' }, { slots: { x: { type: 'text', ask: 'X?' } } }),
    ],
  ])('and %s will do', (_what, document) => {
    expect(found('model-without-prompt', document)).toEqual([]);
  });
});

test('a node says or asks something before it waits', () => {
  expect(found('silent-node', to({ defaultTransition: 'done' }))).toEqual(['warning key of nodes.node']);
  for (const sound of [
    { say: 'Well?' },
    { taskMessages: prompt },
    { functions },
    { respondImmediately: false },
    { preActions: [{ type: 'beep' }] },
    { end: true },
    { type: 'test.pure' },
  ])
    expect(found('silent-node', to({ defaultTransition: 'done', ...sound }))).toEqual([]);
});

test('a prompt beside a say is read, or it is reported', () => {
  const both = { say: 'Well.', taskMessages: prompt };
  expect(found('say-and-prompt', to({ ...both, defaultTransition: 'done' }))).toEqual([
    'warning key of nodes.node.taskMessages',
  ]);
  expect(found('say-and-prompt', to({ ...both, end: true }))).toHaveLength(1);
  expect(found('say-and-prompt', to({ say: 'Well.', promptFile: 'a.md', end: true }))).toEqual([
    'warning key of nodes.node.promptFile',
  ]);

  expect(found('say-and-prompt', to({ taskMessages: prompt, defaultTransition: 'done' }))).toEqual([]);
  expect(found('say-and-prompt', to({ ...both, functions }))).toEqual([]);
  expect(found('say-and-prompt', to({ ...both, defaultTransition: 'done' }, { functions }))).toEqual([]);
  const edges = [{ from: 'node', to: 'done', when: { exists: { var: 'x' } } }];
  expect(found('say-and-prompt', to(both, { edges }))).toEqual([]);
});

test('a prompt has its limits', () => {
  const long = (length: number): object[] => [...prompt, { role: 'system', content: 'x'.repeat(length) }];
  expect(found('prompt-too-long', flow({}, { roleMessages: long(8_001) }))).toEqual([
    'warning roleMessages[1].content',
  ]);
  const node = { say: 'Hi.', functions, roleMessages: long(8_001), taskMessages: long(8_001) };
  expect(found('prompt-too-long', flow({ start: node }))).toEqual([
    'warning nodes.start.roleMessages[1].content',
    'warning nodes.start.taskMessages[1].content',
  ]);
  expect(found('prompt-too-long', flow({}, { roleMessages: long(8_000) }))).toEqual([]);
});
