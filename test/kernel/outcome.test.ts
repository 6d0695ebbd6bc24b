import { expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { outcomeFields, reportingFlow } from '../../src/kernel/outcome.ts';
import { conversation, graphOf, noon } from './session.ts';

const flow: ConversationFlow = {
  name: 'outer',
  initialNode: 'ask',
  state: { desk: 'front', seen: { at: 9 } },
  slots: {
    size: { type: 'integer', ask: 'How many?' },
    who: { type: 'text', ask: 'Which name?', confirm: 'readback' },
    other: { type: 'text', ask: 'Anything else?' },
  },
  outcome: {
    fields: {
      guests: '{{ size }}',
      by: 'desk {{ desk }}',
      at: '{{ seen.at }}',
      name: '{{ who }}',
      open: '{{ other }}',
    },
  },
  nodes: {
    ask: { collect: ['size', 'who', 'other'], defaultTransition: 'bye' },
    bye: { say: 'Bye.', end: 'booked' },
  },
};

function begun(graph = graphOf(flow)) {
  const call = conversation(graph);
  call.start();
  call.batch([{ name: 'record', arguments: { size: 4, who: 'Ada' } }]);
  return { graph, call };
}

test('fields keep the types of their values, and a field without a value is absent', () => {
  const { graph, call } = begun();
  expect(outcomeFields(graph, call.state)).toEqual({
    fields: { guests: 4, by: 'desk front', at: 9, name: 'Ada' },
    unconfirmed: expect.arrayContaining(['who']),
    unsettled: [],
  });
});

test('a list of fields names slots, variables and outputs', () => {
  const { graph, call } = begun(graphOf({ ...flow, outcome: { fields: ['desk', 'size', 'other'] } }));
  expect(outcomeFields(graph, call.state).fields).toEqual({ desk: 'front', size: 4 });
});

test('a conversation that ends in a called flow is reported by the flow that called it', () => {
  const { graph, call } = begun();
  const talk = { say: 'Hm?', functions: [{ name: 'back', transitionTo: 'done' }] };
  call.call(graphOf({ name: 'inner', initialNode: 'talk', nodes: { talk, done: { end: true } } }), {});
  expect(call.state.position.flow.id).toBe('inner');
  expect(reportingFlow(call.state)).toEqual({ id: 'outer', hash: graph.hash });
  expect(outcomeFields(graph, call.state).fields).toMatchObject({ guests: 4, by: 'desk front' });
  expect(outcomeFields(null, call.state).fields).toEqual({});
});

test.each([
  ['caller-left', { reason: 'caller-left', outcome: 'caller_gone' }],
  ['room-closed', { reason: 'room-closed', outcome: 'caller_gone' }],
  ['worker-stopped', { reason: 'worker-stopped', outcome: 'stopped' }],
  ['abandoned', { reason: 'abandoned' }],
])('an end from outside for %s has its own name', (reason, data) => {
  const { call } = begun();
  call.send({ type: 'session:ended', at: noon, reason });
  expect(call.told('flow:ended')).toEqual([data]);
});

test('a caller who leaves while a person talks to them was handed over', () => {
  const { call } = begun();
  call.send({ type: 'takeover:started', at: noon, actor: { id: 'ada' } });
  call.send({ type: 'session:ended', at: noon, reason: 'caller-left' });
  expect(call.told('flow:ended')).toEqual([{ reason: 'caller-left', outcome: 'handed_over' }]);
});

test('a flow that was saying its last words has its own outcome', () => {
  const { call } = begun();
  call.send({ type: 'node:requested', at: noon, to: 'bye' });
  expect(call.state.status).toBe('ending');
  call.send({ type: 'session:ended', at: noon, reason: 'caller-left' });
  expect(call.told('flow:ended')).toEqual([{ reason: 'booked' }]);
});
