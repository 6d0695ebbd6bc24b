import { describe, expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document.ts';
import { conversation, graphOf } from './session.ts';

const flow: ConversationFlow = {
  initialNode: 'hello',
  slots: {
    size: { type: 'enum', values: ['small', 'large'], ask: 'Which size would you like?' },
    who: { type: 'name', ask: 'Who is calling?' },
  },
  nodes: {
    hello: { say: 'Welcome to the shop. Shall we start?', functions: [{ name: 'start', transitionTo: 'order' }] },
    order: { collect: ['size', 'who'], defaultTransition: 'bye' },
    bye: { say: 'Bye.', end: true },
  },
};

/** Asked for the size. */
function asked() {
  const call = conversation(graphOf(flow));
  call.start();
  call.turn('yes');
  call.batch([{ name: 'start' }]);
  expect(call.outcome).toEqual(['say: Which size would you like?']);
  return call;
}

/** The caller says what neither rules nor model understand. */
function unclear(call: ReturnType<typeof asked>): readonly string[] {
  call.turn('blah');
  call.batch([]);
  return call.outcome;
}

describe('a question that is not answered', () => {
  test('is put in other words, then with what can be said, and then the conversation ends with the reason', () => {
    const call = asked();
    expect(unclear(call)).toEqual(['say: Sorry, I did not get that. Which size would you like?']);
    expect(unclear(call)).toEqual(['say: Please say small or large. Which size would you like?']);
    expect(unclear(call)).toEqual([
      'say: I am sorry, I cannot help you any further here, so I have to end this conversation. Goodbye.',
      'end no-match',
    ]);
  });

  test('is counted for those who watch and for conditions, without a word that was said', () => {
    const call = asked();
    unclear(call);
    expect(call.told('question:missed')).toEqual([{ cause: 'no-match', attempt: 1, of: 3 }]);
    expect(call.state.attempts).toEqual({ order: 1, size: 1 });
  });

  test('that is answered after all leaves the next one a whole ladder', () => {
    const call = asked();
    unclear(call);
    unclear(call);
    call.turn('small');
    call.batch([{ name: 'record', arguments: { size: 'small' } }]);
    expect(call.outcome).toEqual(['say: Who is calling?']);
    expect(call.state.attempts).toEqual({});
    expect(unclear(call)).toEqual(['say: Sorry, I did not get that. Who is calling?']);
  });

  test('at the end of a greeting is put again without the greeting', () => {
    const call = conversation(graphOf(flow));
    call.start();
    expect(unclear(call)).toEqual(['say: Sorry, I did not get that. Shall we start?']);
  });
});
