import { expect, test } from 'vitest';
import { pretendedResult } from '../../src/cli/run/pretended-result.ts';
import { checkFlow } from '../../src/index.ts';

test.each([
  ['a node', 'done', { ok: true }],
  ['one of its cases by what it answers anyway', { field: 'ok', cases: { true: 'done' } }, { ok: true }],
  ['a default', { field: 'status', cases: { free: 'done' }, default: 'ask' }, { ok: true }],
  ['cases of its own', { field: 'state.kind', cases: { free: 'done' } }, { ok: true, state: { kind: 'free' } }],
])('a function that is only pretended and leads to %s leads on', (_, target, result) => {
  const functions = [{ name: 'look', handler: 'look', transition_to: target }];
  const { graph } = checkFlow({
    initial_node: 'ask',
    nodes: { ask: { task_messages: ['Ask.'], functions }, done: { end: true } },
  });
  const offered = graph?.nodes.get('ask')?.functions ?? [];
  expect(pretendedResult(offered, { day: 'today' })).toEqual({ day: 'today', ...result });
});
