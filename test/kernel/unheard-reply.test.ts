import { describe, expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { conversation, graphOf } from './session.ts';

const task = [{ role: 'system' as const, content: 'Help.' }];
const flow: ConversationFlow = {
  initialNode: 'desk',
  slots: { size: { type: 'enum', values: ['small', 'large'], ask: 'Which size?' } },
  nodes: {
    desk: {
      taskMessages: task,
      functions: [
        { name: 'to_other', transitionTo: 'other' },
        { name: 'to_line', transitionTo: 'line' },
        { name: 'to_form', transitionTo: 'form' },
        { name: 'to_silence', transitionTo: 'silence' },
        { name: 'save', effect: 'write', transitionTo: 'other' },
        { name: 'leave', transitionTo: 'bye' },
      ],
    },
    other: { taskMessages: task, functions: [{ name: 'back', transitionTo: 'desk' }] },
    line: { say: 'A line.', taskMessages: task, functions: [{ name: 'back', transitionTo: 'desk' }] },
    form: { collect: ['size'], defaultTransition: 'bye' },
    silence: { respondImmediately: false, taskMessages: task, functions: [{ name: 'back', transitionTo: 'desk' }] },
    bye: { say: 'Bye.', end: true },
  },
};

/** The caller has spoken, and the model is replying. The key is that of its speech. */
function replying() {
  const call = conversation(graphOf(flow, ['save']));
  call.start();
  call.batch([], 'Hello.');
  const key = call.turn('go on')[0]?.key ?? '';
  expect(call.outcome).toEqual(['reply desk']);
  return { call, key };
}

describe('a reply that was cut off before a word of it was heard', () => {
  test('is given anew, for the caller has no answer yet', () => {
    const { call, key } = replying();
    call.batch([], 'Let me see.');
    call.heard(key, '', 'cancelled');
    expect(call.outcome).toEqual(['reply desk']);
  });

  test.each([
    ['to_other', ['reply other']],
    ['to_form', ['say: Which size?']],
    ['to_silence', []],
    ['leave', []],
  ])('leaves the word to the node that its call %s led to', (name, outcome) => {
    const { call, key } = replying();
    call.batch([{ name }], 'Let me see.');
    call.heard(key, '', 'cancelled');
    expect(call.outcome).toEqual(outcome);
  });

  test('is no answer either where its call settles only later', () => {
    const { call, key } = replying();
    call.heard(key, '', 'cancelled');
    expect(call.outcome).toEqual([]);
    call.batch([{ name: 'save' }], 'Let me see.');
    expect(call.outcome).toEqual(['reply other']);
  });

  test('is not given anew where another line is still to be said', () => {
    const { call, key } = replying();
    call.batch([{ name: 'to_line' }], 'Let me see.');
    expect(call.outcome).toEqual(['say: A line.']);
    call.heard(key, '', 'cancelled');
    expect(call.outcome).toEqual([]);
  });

  test('is void once the caller has said something else', () => {
    const { call, key } = replying();
    call.batch([], 'Let me see.');
    call.turn('no, wait');
    call.heard(key, '', 'cancelled');
    expect(call.outcome).toEqual([]);
    expect(Object.values(call.state.effects).filter(({ kind }) => kind === 'reply')).toHaveLength(1);
  });

  test('is given anew only as often as the model may reply in one turn; then comes the fallback line', () => {
    const { call, key } = replying();
    let last = key;
    let replies = 1;
    do {
      call.batch([], 'Let me see.');
      call.heard(last, '', 'cancelled');
      last = call.effects[0]?.key ?? '';
      replies += 1;
    } while (call.outcome[0] === 'reply desk');
    expect(replies).toBe(2 * 10 + 1);
    expect(call.outcome).toEqual(['say: Sorry, I did not get that. Could you say it again?']);
  });
});

test('a reply of which a word was heard is over', () => {
  const { call, key } = replying();
  call.batch([], 'Let me see.');
  call.heard(key, 'Let', 'cancelled');
  expect(call.outcome).toEqual([]);
});
