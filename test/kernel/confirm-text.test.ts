import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import { conversation, graphOf } from './session.ts';

const parameters = {
  type: 'object',
  properties: { upgrade: { type: 'string' }, guests: { type: 'integer' } },
  required: ['upgrade'],
} as const;

/** Returns the question before a call, and its published event. */
function asked(confirm: string | string[], given: JsonObject, state: JsonObject, grounded: boolean | null = true) {
  const book = { name: 'book', handler: 'book', effect: 'write' as const, parameters, confirm, transitionTo: 'done' };
  const graph = graphOf(
    {
      initialNode: 'offer',
      state,
      slots: { guests: { type: 'integer', ask: 'How many?' } },
      nodes: {
        offer: { taskMessages: [{ role: 'system', content: 'Sell.' }], functions: [book] },
        done: { say: 'Done.', end: 'done' },
      },
    },
    ['book'],
  );
  const call = conversation(graph);
  call.start();
  const readings = Object.fromEntries(Object.keys(given).map((name) => [name, { grounded }]));
  call.batch([{ name: 'book', arguments: given, state: 'waiting', readings }]);
  return [...call.outcome, ...call.told('confirm:replaced')];
}

const upgrade = { name: 'Suite', price: 40 };

test('a confirm text is put as it is written though an argument hides a variable of it', () => {
  const text = 'The {{ upgrade }} costs {{ upgrade.price }} more. Shall I?';
  expect(asked(text, { upgrade: 'suite' }, { upgrade })).toEqual(['wait: The suite costs 40 more. Shall I?']);
});

test('an argument comes before a slot, and that before a variable', () => {
  expect(asked('{{ upgrade }} for {{ guests }}?', { upgrade: 'suite', guests: 2 }, { upgrade: 'room' })).toEqual([
    'wait: suite for 2?',
  ]);
});

test('a plural form of a number is that of the argument', () => {
  const texts = ['{{ upgrade }} for {{ guests.one }} guest?', '{{ upgrade }} for {{ guests.other }} guests?'];
  expect(asked(texts, { upgrade: 'suite', guests: 1 }, {})).toEqual(['wait: suite for 1 guest?']);
  expect(asked(texts, { upgrade: 'suite', guests: 2 }, {})).toEqual(['wait: suite for 2 guests?']);
});

test('an event tells that the question is made, where a name of the text has no value', () => {
  expect(asked('{{ upgrade }} for {{ guests }}?', { upgrade: 'suite' }, {})).toEqual([
    'wait: Shall I book, upgrade suite?',
    { function: 'book', reason: 'no-value', names: ['guests'] },
  ]);
});

test('an event tells that the question is made, where the text does not say what the caller never gave', () => {
  expect(asked('The {{ upgrade }}?', { upgrade: 'suite', guests: 2 }, {}, false)).toEqual([
    'wait: Shall I book, upgrade suite, guests 2?',
    { function: 'book', reason: 'not-said', names: ['guests'] },
  ]);
});

test('the question says an argument that is other than the value of a slot which the text says', () => {
  const table = { type: 'object', properties: { n: { type: 'integer' }, fee: { type: 'integer' } } } as const;
  const put = (given: JsonObject): readonly string[] => {
    const graph = graphOf(
      {
        initialNode: 'ask',
        state: { fee: 30 },
        slots: { party: { type: 'integer', ask: 'How many?' } },
        nodes: {
          ask: { collect: ['party'], defaultTransition: 'book' },
          book: {
            taskMessages: [{ role: 'system', content: 'Book.' }],
            functions: [
              {
                name: 'book',
                handler: 'book',
                effect: 'write',
                parameters: table,
                confirm: 'For {{ party }}. Shall I?',
              },
            ],
          },
        },
      },
      ['book'],
    );
    const call = conversation(graph);
    call.start();
    call.turn('Fifteen.');
    call.batch([{ name: 'record', arguments: { party: 15 } }]);
    call.batch([{ name: 'book', arguments: given, state: 'waiting' }]);
    return call.outcome;
  };
  expect(put({ n: 4 })).toEqual(['wait: Shall I book, n 4?']);
  expect(put({ n: 15 })).toEqual(['wait: For 15. Shall I?']);
  // The fee is known.
  expect(put({ n: 15, fee: 30 })).toEqual(['wait: For 15. Shall I?']);
  expect(put({ fee: 30 })).toEqual(['wait: For 15. Shall I?']);
});
