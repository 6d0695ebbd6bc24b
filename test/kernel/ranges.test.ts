import { describe, expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { readUtterance } from '../../src/engine/words/read-utterance.ts';
import { conversation, graphOf, noonCivil } from './session.ts';

// Noon of the tests is on Saturday, 2026-11-21.
function stayIn(language: string) {
  const flow: ConversationFlow = {
    language,
    initialNode: 'stay',
    slots: {
      arrival: { type: 'date', ask: 'Arrival?', after: 'today' },
      departure: { type: 'date', ask: 'Departure?', after: 'today', ends: 'arrival' },
      guests: { type: 'integer', ask: 'Guests?' },
    },
    nodes: {
      stay: { collect: ['arrival', 'departure', 'guests'], defaultTransition: 'bye' },
      bye: { say: 'Bye.', end: true },
    },
  };
  const call = conversation(graphOf(flow));
  call.start();
  return Object.assign(Object.create(call) as typeof call, {
    /** The model has nothing to say. */
    says(text: string): readonly string[] {
      const utterance = readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, text);
      call.turn(text, undefined, utterance);
      if (call.outcome.some((one) => one.startsWith('reply'))) call.failReply('empty');
      return call.outcome;
    },
  });
}

describe.each([
  ['en', 'from Monday to Friday', 'from the third to the fifth of December', 'no, from Tuesday to Friday'],
  ['de', 'von Montag bis Freitag', 'vom dritten bis zum fünften Dezember', 'nein, von Dienstag bis Freitag'],
  ['fr', 'de lundi à vendredi', 'du trois au cinq décembre', 'non, de mardi à vendredi'],
  ['es', 'del lunes al viernes', 'del tres al cinco de diciembre', 'no, del martes al viernes'],
  ['pt', 'de segunda a sexta', 'do dia três ao dia cinco de dezembro', 'não, de terça a sexta'],
] as const)('a range of days (%s)', (language, week, month, corrected) => {
  test('fills both slots without the model', () => {
    const call = stayIn(language);
    expect(call.says(week)).toEqual(['say: Guests?']);
    expect(call.known).toEqual({ arrival: '2026-11-23', departure: '2026-11-27' });
  });

  test('shares the month of its end', () => {
    const call = stayIn(language);
    call.says(month);
    expect(call.known).toEqual({ arrival: '2026-12-03', departure: '2026-12-05' });
  });

  test('corrects both slots later', () => {
    const call = stayIn(language);
    call.says(week);
    call.says(corrected);
    expect(call.known).toEqual({ arrival: '2026-11-24', departure: '2026-11-27' });
  });
});

describe('a range', () => {
  test('that answers the question for its end corrects its beginning', () => {
    const call = stayIn('en');
    call.says('Monday');
    expect(call.says('Tuesday to Friday')).toEqual(['say: Guests?']);
    expect(call.known).toEqual({ arrival: '2026-11-24', departure: '2026-11-27' });
  });

  test('may end in the week after', () => {
    const call = stayIn('en');
    call.says('from Friday to Monday');
    expect(call.known).toEqual({ arrival: '2026-11-27', departure: '2026-11-30' });
  });

  test.each(['not from Monday to Friday', 'Monday or Tuesday', 'from Monday', 'is Monday to Friday free?'])(
    'is not read in "%s"',
    (text) => {
      const call = stayIn('en');
      call.says(text);
      expect(call.known).not.toHaveProperty('departure');
    },
  );

  test('that the model records is what the caller said', () => {
    const call = stayIn('en');
    const text = 'from Monday to Friday';
    const utterance = readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, text);
    expect(utterance.acts).toMatchObject([
      { act: 'inform', slot: 'arrival', value: '2026-11-23', certain: true },
      { act: 'inform', slot: 'departure', value: '2026-11-27', certain: true },
    ]);
  });

  test.each([
    ['time', 'between two and four pm', { from: '14:00', until: '16:00' }],
    ['time', 'from 9:30 am to 5 pm', { from: '09:30', until: '17:00' }],
    ['integer', 'between two and four', { from: 2, until: 4 }],
  ] as const)('of type %s fills both slots: %s', (type, text, known) => {
    const call = conversation(
      graphOf({
        initialNode: 'ask',
        slots: { from: { type, ask: 'From?' }, until: { type, ask: 'Until?', ends: 'from' } },
        nodes: { ask: { collect: ['from', 'until'], defaultTransition: 'bye' }, bye: { say: 'Bye.', end: true } },
      }),
    );
    call.start();
    call.turn(text, undefined, readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, text));
    expect(call.known).toEqual(known);
  });
});
