import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import { hashOf } from '../../src/flow/graph/hash.ts';
import { conversation, graphOf } from './session.ts';

const task = [{ role: 'system' as const, content: 'Help.' }];
const graph = graphOf(
  {
    initialNode: 'desk',
    nodes: {
      desk: {
        taskMessages: task,
        functions: [
          { name: 'make', handler: 'make' },
          { name: 'leave', transitionTo: 'bye' },
        ],
      },
      bye: { say: 'Bye.', end: true },
    },
    functions: [{ name: 'make_more', handler: 'make' }],
  },
  ['make'],
);

const made = (document: JsonObject, to = hashOf(document)) => ({ kind: 'dynamic' as const, to, node: document });
const offer = {
  taskMessages: [{ role: 'system', content: 'Offer tea.' }],
  functions: [{ name: 'leave', transitionTo: 'bye' }],
};

function atDesk() {
  const call = conversation(graph);
  call.start();
  return call;
}

describe('a node made on the spot', () => {
  test('is entered like any other, and offers its functions', () => {
    const call = atDesk();
    call.batch([{ name: 'make', next: made(offer) }]);
    expect(call.state.position.node).toBe(hashOf(offer));
    expect(call.moves).toEqual([`desk -> ${hashOf(offer)} by dynamic`]);
    expect(call.outcome).toEqual([`reply ${hashOf(offer)}`]);
    call.batch([{ name: 'leave' }]);
    expect(call.state.position.node).toBe('bye');
  });

  test('is data in the state, and the same content is the same node', () => {
    const call = atDesk();
    call.batch([{ name: 'make', next: made(offer) }]);
    call.batch([{ name: 'make_more', next: made({ ...offer }) }]);
    expect(call.state.position.dynamicNodes).toEqual({ [hashOf(offer)]: offer });
    expect(call.state.position.visit).toBe(3);
  });

  test('goes by its own id, where it has one', () => {
    const call = atDesk();
    const named = { ...offer, id: 'tea' };
    call.batch([{ name: 'make', next: made(named, 'tea') }]);
    expect(call.state).toMatchObject({ position: { node: 'tea', dynamicNodes: { tea: named } } });
    call.batch([{ name: 'leave' }]);
    expect(call.state.position.node).toBe('bye');
  });

  test('that its host has found to be none is not entered, and says what is wrong', () => {
    const call = atDesk();
    const problem = 'end: must be text.';
    call.batch([{ name: 'make', next: { kind: 'invalid', to: 'tea', problem } }]);
    expect(call.state).toMatchObject({ position: { node: 'desk', dynamicNodes: {} } });
    expect(call.told('transition:dropped')).toEqual([{ to: 'tea', function: 'make', reason: 'invalid-node', problem }]);
  });

  test.each<[string, JsonObject, string | undefined]>([
    ['that is broken', { functions: 'none' }, undefined],
    ['with a key nobody knows', { sya: 'Hi.' }, undefined],
    ['under a name that is neither its id nor its hash', { ...offer, id: 'tea' }, 'other'],
  ])('%s is not entered, and the model goes on', (_, document, to) => {
    const call = atDesk();
    call.batch([{ name: 'make', next: made(document, to) }]);
    expect(call.state).toMatchObject({ position: { node: 'desk', dynamicNodes: {} } });
    expect(call.told('transition:dropped')).toEqual([expect.objectContaining({ reason: 'unknown-node' })]);
    expect(call.outcome).toEqual(['reply desk']);
  });

  test('that leads to an unknown node gets stuck there, not in silence', () => {
    const call = atDesk();
    call.batch([{ name: 'make', next: made({ say: 'Hm.', defaultTransition: 'nowhere' }) }]);
    call.turn('and?');
    expect(call.told('flow:stuck')).toEqual([{ reason: 'unknown-node' }]);
    expect(call.outcome).toHaveLength(1);
  });

  test('is forgotten after thirty-two others, so that the state does not grow', () => {
    const call = atDesk();
    for (let n = 0; n < 100; n += 1) {
      call.batch([{ name: n === 0 ? 'make' : 'make_more', next: made({ ...offer, description: `${n}` }) }]);
      call.turn('another');
    }
    expect(Object.keys(call.state.position.dynamicNodes)).toHaveLength(32);
    expect(call.outcome).toEqual([`reply ${call.state.position.node}`]);
  });
});
