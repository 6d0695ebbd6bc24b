import { describe, expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { viewOf } from '../../src/kernel/state/view.ts';
import { conversation, graphOf, noonCivil } from './session.ts';

const offer = [{ role: 'system' as const, content: 'Offer the newsletter.' }];
const flow: ConversationFlow = {
  initialNode: 'form',
  slots: { who: { type: 'name', confirm: 'readback' }, newsletter: { type: 'boolean' } },
  nodes: {
    form: {
      collect: ['who'],
      functions: [{ name: 'save', effect: 'write', confirm: true }],
      defaultTransition: 'offer',
    },
    offer: { taskMessages: offer, collect: ['newsletter'], defaultTransition: 'bye' },
    bye: { say: 'Bye.', end: true },
  },
};
const spent = /last words were the answer to the question about (\w+), and to nothing else/;

/** Shown to the model about the caller's last words: the slot or function that they answered. */
function started() {
  const graph = graphOf(flow, ['save']);
  const call = conversation(graph);
  call.start();
  return { call, answered: () => spent.exec(viewOf(graph, call.state, noonCivil).knowledge)?.[1] };
}

/** A conversation in which the caller's name is being read back. */
function readBack() {
  const { call, answered } = started();
  call.batch([{ name: 'record', arguments: { who: 'Maria Delgado' } }]);
  expect(call.outcome).toEqual(['wait: Maria Delgado, is that right?']);
  return { call, answered };
}

describe('a plain answer to a read-back is spent: the model is told so', () => {
  test('in the node that the yes leads to', () => {
    const { call, answered } = readBack();
    call.turn('yes');
    expect(call.outcome).toEqual(['reply offer']);
    expect(answered()).toBe('who');
  });

  test('where the no has the model ask again', () => {
    const { call, answered } = readBack();
    call.turn('no');
    expect(call.outcome).toEqual(['reply form']);
    expect(answered()).toBe('who');
  });

  test('in each further reply of the same turn', () => {
    const { call, answered } = readBack();
    call.turn('yes');
    call.batch([{ name: 'record', state: 'failed' }]);
    expect(call.outcome).toEqual(['reply offer']);
    expect(answered()).toBe('who');
  });

  test('but not of the words after it, nor while none are to be answered', () => {
    const { call, answered } = readBack();
    call.turn('yes');
    call.batch([], 'Would you like our newsletter?');
    expect(answered()).toBeUndefined();
    call.turn('yes');
    expect(call.outcome).toEqual(['reply offer']);
    expect(answered()).toBeUndefined();
  });

  test('and not of words that were no plain answer', () => {
    const { call, answered } = readBack();
    call.turn('yes, but spell it with a c');
    expect(call.outcome).toEqual(['reply form']);
    expect(answered()).toBeUndefined();
  });
});

test.each(['yes', 'no'])('a plain %s to what a call will do is spent as well', (answer) => {
  const { call, answered } = started();
  call.batch([{ name: 'save', state: 'waiting' }]);
  const [effect] = call.turn(answer);
  if (effect?.kind === 'tool') call.settleTool(effect.key, { next: { kind: 'stay' } });
  expect(call.outcome).toEqual(['reply form']);
  expect(answered()).toBe('save');
});
