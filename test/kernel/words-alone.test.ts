import { expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { readUtterance } from '../../src/engine/words/read-utterance.ts';
import { conversation, graphOf, noon, noonCivil } from './session.ts';

const task = [{ role: 'system' as const, content: 'Help.' }];
const pay = { name: 'pay', handler: 'pay', effect: 'write' as const, confirm: 'Shall I pay?', transitionTo: 'done' };
const later = { name: 'later', description: 'The caller wants to pay later.', transitionTo: 'done' };
const flow: ConversationFlow = {
  initialNode: 'pay',
  nodes: {
    pay: { taskMessages: task, functions: [pay, later] },
    bound: { taskMessages: task, call: 'pay', functions: [pay, later] },
    chat: { taskMessages: task, functions: [later] },
    done: { say: 'It is done.', end: 'done' },
  },
};

function talk(initialNode: string) {
  const graph = graphOf({ ...flow, initialNode }, ['pay']);
  const call = conversation(graph);
  call.start();
  return Object.assign(Object.create(call) as typeof call, {
    says(text: string): readonly string[] {
      const utterance = readUtterance({ graph, state: call.state, civil: noonCivil }, text);
      call.send({ type: 'user:turn', at: noon, eventId: `ev${call.log.length}`, text, via: 'text', utterance });
      return call.outcome;
    },
    /** The model only talks. */
    talks(text: string): readonly string[] {
      call.batch([], text, { asks: text.endsWith('?') });
      return call.outcome;
    },
  });
}

test('a model that asks nothing where a yes is needed is asked once more, and then the caller is', () => {
  const call = talk('pay');
  expect(call.talks('I see.')).toEqual(['reply pay']);
  expect(call.talks('All right.')).toEqual([expect.stringMatching(/^say: .+\?$/)]);
  expect(call.says('I have money')).toEqual(['reply pay']);
  const [line] = call.talks('I see.');
  expect(line).toMatch(/^say: .+\?$/);
  call.says('well');
  expect(call.talks('I see.')).not.toEqual([line]);
});

test('and its own question stands', () => {
  const call = talk('pay');
  expect(call.talks('Would you like to pay now?')).toEqual([]);
});

test('the call that a node makes itself is asked about again once the caller has spoken since their no', () => {
  const call = talk('bound');
  const asked = (): readonly string[] => {
    const [open] = Object.values(call.state.effects).filter(({ kind }) => kind === 'tool');
    call.settleTool(open?.key ?? '', { state: 'waiting' });
    return call.outcome;
  };
  expect(asked()).toEqual(['wait: Shall I pay?']);
  expect(call.says('no')).toEqual(['reply bound']);
  expect(call.talks('Alright.')).toEqual([expect.stringMatching(/^say: What .+\?$/)]);
  expect(call.says('nothing comes to my mind')).toEqual(['reply bound']);
  expect(call.talks('I see.')).toEqual(['tool pay']);
  expect(asked()).toEqual(['wait: Shall I pay?']);
});

test('after the yes the model’s talk is the conversation again', () => {
  const call = talk('pay');
  call.batch([{ name: 'pay', state: 'waiting' }]);
  call.says('yes');
  const [open] = Object.values(call.state.effects).filter(({ kind }) => kind === 'tool');
  call.settleTool(open?.key ?? '', { state: 'failed' });
  expect(call.outcome).toEqual(['reply pay']);
  expect(call.talks('It did not work.')).toEqual([]);
});

test('where no yes is needed, the model’s talk is the conversation', () => {
  expect(talk('chat').talks('It rains.')).toEqual([]);
});
