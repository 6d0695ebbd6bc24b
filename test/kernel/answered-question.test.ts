import { expect, test } from 'vitest';
import { readUtterance } from '../../src/engine/words/read-utterance.ts';
import { conversation, graphOf, noon, noonCivil } from './session.ts';

function talk() {
  const graph = graphOf({
    initialNode: 'details',
    slots: {
      who: { type: 'name', ask: 'Who is calling?', confirm: 'readback' },
      wishes: { type: 'text', optional: true, ask: 'Any wishes?' },
    },
    nodes: {
      details: { collect: ['wishes'], defaultTransition: 'book' },
      named: { collect: ['who'], defaultTransition: 'book' },
      book: {
        taskMessages: [{ role: 'system', content: 'Book a table.' }],
        functions: [{ name: 'finish', transitionTo: 'done' }],
      },
      done: { say: 'Thank you.', end: 'done' },
    },
  });
  const call = conversation(graph);
  call.start();
  return Object.assign(Object.create(call) as typeof call, {
    says(text: string): void {
      const utterance = readUtterance({ graph, state: call.state, civil: noonCivil }, text);
      call.send({ type: 'user:turn', at: noon, eventId: `ev${call.log.length}`, text, via: 'text', utterance });
    },
  });
}

test('an optional question that was refused is not put again where the model of the next node is silent', () => {
  const call = talk();
  call.says('no');
  expect(call.state.knowledge.declined).toEqual(['wishes']);
  for (let turn = 0; turn < 3; turn += 1) {
    call.batch([], '');
    expect(call.outcome.join(' ')).not.toContain('Any wishes?');
    if (call.state.status === 'active') call.says('hm');
  }
});

test('a read-back that was agreed to is not put again there either', () => {
  const call = talk();
  call.request('named');
  call.says('Ada Park');
  call.batch([{ name: 'record', arguments: { who: 'Ada Park' }, readings: { who: { grounded: true } } }]);
  call.says('yes');
  expect(call.state.position.node).toBe('book');
  call.batch([], '');
  expect(call.outcome.join(' ')).not.toContain('is that right');
});
