import { expect, it } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { simulateRoom } from '../../src/testing/simulate-room.ts';

const chain: ConversationFlow = {
  initialNode: 'first',
  nodes: {
    first: { type: 'control.noop', defaultTransition: 'second' },
    second: { type: 'control.noop', defaultTransition: 'desk' },
    desk: { say: 'Hello.', functions: [{ name: 'go', transitionTo: 'third' }] },
    third: { type: 'control.noop', defaultTransition: 'bye' },
    bye: { say: 'Bye.', end: 'done' },
  },
};

it('each event of a chain of moves names the node and the visit that it is about', async () => {
  const { events } = await simulateRoom(chain, [{ say: 'go' }], { model: { desk: [{ calls: [{ name: 'go' }] }] } });
  const told = events
    .filter(({ type }) => type.startsWith('node:') || type.startsWith('transition:') || type === 'flow:ended')
    .map(({ type, nodeId, visit }) => `${type} ${nodeId} ${visit}`);
  expect(told).toEqual([
    'node:entered first 1',
    'node:left first 1',
    'transition:taken first 1',
    'node:entered second 2',
    'node:left second 2',
    'transition:taken second 2',
    'node:entered desk 3',
    'node:left desk 3',
    'transition:taken desk 3',
    'node:entered third 4',
    'node:left third 4',
    'transition:taken third 4',
    'node:entered bye 5',
    'flow:ended bye 5',
  ]);
});

it('each turn is told when it is over: how often the model was asked, and how many transitions were taken', async () => {
  const model = { desk: [{ when: 'go', calls: [{ name: 'go' }] }, { text: 'What is it?' }] };
  const { events } = await simulateRoom(chain, [{ say: 'hm' }, { say: 'go' }], { model });
  const told = events.flatMap(({ type, turnId, data }) => {
    if (type !== 'turn:completed') return [];
    const { inferences, transitions } = data;
    return [{ turnId, data: { inferences, transitions } }];
  });
  const session = told[0]?.turnId?.split('/')[0] ?? '';
  expect(told).toEqual([
    { turnId: `${session}/1`, data: { inferences: 0, transitions: 2 } },
    { turnId: `${session}/2`, data: { inferences: 1, transitions: 0 } },
    { turnId: `${session}/3`, data: { inferences: 1, transitions: 2 } },
  ]);
});
