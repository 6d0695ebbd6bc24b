import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { conversation, graphOf } from './session.ts';

const flow: ConversationFlow = {
  initialNode: 'stay',
  slots: {
    arrival: { type: 'date', ask: 'Arrival?', after: 'today' },
    departure: { type: 'date', ask: 'Departure?', after: 'today' },
    guests: { type: 'integer', ask: 'Guests?' },
  },
  computed: {
    nights: { daysBetween: ['arrival', 'departure'] },
    checkout: { var: 'departure' },
    long: { add: ['nights', 'guests'] },
  },
  nodes: {
    stay: { collect: ['arrival', 'departure'], defaultTransition: 'guests' },
    guests: { collect: ['guests'], defaultTransition: 'book' },
    week: { say: 'Please call us for {{ nights }} nights.', end: 'week' },
    book: {
      call: 'book',
      input: { nights: '{{ nights }}' },
      functions: [
        {
          name: 'book',
          effect: 'write',
          parameters: { type: 'object', properties: { nights: { type: 'integer' } }, required: ['nights'] },
          confirm: '{{ nights }} nights until {{ checkout }}. Shall I book?',
          transitionTo: 'done',
        },
      ],
    },
    done: { say: 'Booked.', end: 'booked' },
  },
  edges: [{ from: 'stay', to: 'week', when: { greater: { var: 'nights', value: 6 } } }],
};

function atConfirm() {
  const call = conversation(graphOf(flow, ['book']));
  const records = (given: JsonObject): void => {
    const readings = Object.fromEntries(Object.keys(given).map((name) => [name, { grounded: true }]));
    call.turn('I see');
    call.batch([{ name: 'record', arguments: given, readings }]);
  };
  const waits = (): JsonObject => {
    const [key, effect] = Object.entries(call.state.effects).find(([, { kind }]) => kind === 'tool') ?? [];
    if (key === undefined || effect?.kind !== 'tool') throw new Error('Nothing is called.');
    const { arguments: given, name } = effect.payload;
    call.batch([{ name, key, arguments: given, state: 'waiting' }], '', { reply: null });
    return given;
  };
  call.start();
  records({ arrival: '2026-12-01', departure: '2026-12-04' });
  records({ guests: 2 });
  return { call, records, waits };
}

test('a computed value is an argument and a part of the question, and a day in it is spoken', () => {
  const { call, waits } = atConfirm();
  expect(waits()).toEqual({ nights: 3 });
  expect(call.outcome).toEqual(['wait: 3 nights until Friday, December 4. Shall I book?']);
});

test('a corrected slot changes the call and its question', () => {
  const { call, records, waits } = atConfirm();
  waits();
  records({ departure: '2026-12-05' });
  if (call.outcome.includes('tool book')) waits();
  expect(call.outcome.at(-1)).toContain('4 nights until Saturday, December 5');
});

test('a decision by a computed value is taken again when a slot behind it is corrected', () => {
  const { call, records, waits } = atConfirm();
  waits();
  records({ departure: '2026-12-11' });
  expect(call.told('decision:retaken')).toHaveLength(1);
  expect(call.outcome).toEqual(['say: Please call us for 10 nights.', 'end week']);
});

test('a computed value is unknown while one of its parts is', () => {
  const call = conversation(graphOf(flow, ['book']));
  call.start();
  call.turn('The first');
  call.batch([{ name: 'record', arguments: { arrival: '2026-12-01' } }]);
  expect(call.outcome).toEqual(['say: Departure?']);
});
