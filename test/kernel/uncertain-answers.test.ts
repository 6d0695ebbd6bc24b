import { describe, expect, test } from 'vitest';
import { readUtterance } from '../../src/engine/words/read-utterance.ts';
import { conversation, graphOf, noonCivil } from './session.ts';

describe('an uncertain answer to the question of a slot', () => {
  const heardIn = (language: string, slot: 'who' | 'at') => {
    const call = conversation(
      graphOf({
        language,
        initialNode: 'details',
        slots: { who: { type: 'name', ask: 'Who?' }, at: { type: 'time', ask: 'When?' } },
        nodes: { details: { collect: [slot], defaultTransition: 'bye' }, bye: { say: 'Bye.', end: true } },
      }),
    );
    call.start();
    return Object.assign(Object.create(call) as typeof call, {
      says(text: string, reply = 'I see.'): readonly string[] {
        const utterance = readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, text);
        call.turn(text, undefined, utterance);
        call.batch([], reply, { asks: reply.endsWith('?') });
        return call.outcome;
      },
    });
  };

  test.each([
    ['en', 'miller', 'wait: Miller, is that right?'],
    ['en', 'it is miller', 'wait: Miller, is that right?'],
    ['de', 'Anna Müller', 'wait: Anna Müller, ist das richtig?'],
    ['de', 'krüger', 'wait: Krüger, ist das richtig?'],
    ['fr', 'dupont', "wait: Dupont, c'est bien ça ?"],
    ['es', 'garcía', 'wait: García, ¿es correcto?'],
    ['pt', 'silva', 'wait: Silva, está certo?'],
  ] as const)('that has the form of a name is read back (%s): %s', (language, words, line) => {
    expect(heardIn(language, 'who').says(words)).toEqual([line]);
  });

  test.each([
    ['en', 'I have no idea what you mean'],
    ['de', 'Das sage ich nicht'],
    ['es', 'no entiendo'],
    ['pt', 'não entendi'],
  ] as const)('that has no such form is not (%s): %s', (language, words) => {
    expect(heardIn(language, 'who').says(words)[0]).toMatch(/^say: .*Who\?$/);
  });

  test.each([
    ['en', "nine o'clock", 'wait: At 9:00 AM, is that right?'],
    ['de', 'um neun', 'wait: At 9 Uhr vormittags, ist das richtig?'],
  ] as const)('that leaves the half of the day open is read back (%s): %s', (language, words, line) => {
    expect(heardIn(language, 'at').says(words)).toEqual([line]);
  });

  test('is left to a model that asks about it', () => {
    const call = heardIn('en', 'at');
    expect(call.says("nine o'clock", 'In the morning or in the evening?')).toEqual([]);
    expect(call.known).toEqual({});
  });

  test.each([
    ['es', 'cinco no cuatro', 'say: Eso puede significar 5 o 4. Count?'],
    ['pt', 'cinco não quatro', 'say: Isso pode significar 5 ou 4. Count?'],
  ] as const)('that only a pause would decide is asked for, without the model (%s): %s', (language, words, line) => {
    const call = conversation(
      graphOf({
        language,
        initialNode: 'details',
        slots: { count: { type: 'integer', ask: 'Count?' } },
        nodes: { details: { collect: ['count'], defaultTransition: 'bye' }, bye: { say: 'Bye.', end: true } },
      }),
    );
    call.start();
    call.turn(words, undefined, readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, words));
    expect(call.outcome).toEqual([line]);
  });
});

describe('a time out of the bounds of its slot', () => {
  const graphWithHours = (language = 'en') =>
    graphOf({
      language,
      initialNode: 'details',
      slots: { at: { type: 'time', ask: 'When?', after: '17:00', before: '22:00' } },
      nodes: { details: { collect: ['at'], defaultTransition: 'bye' }, bye: { say: 'Bye.', end: true } },
    });

  test.each([
    ['en', "Ten o'clock", /^say: It must be before 10:00 PM\. When\?$/],
    ['en', 'Noon', /^say: It must be after 5:00 PM\. When\?$/],
    ['de', 'um zehn', /^say: Es muss .* 22 Uhr sein\. When\?$/],
  ] as const)('is rejected with the reason (%s): %s', (language, words, line) => {
    const bounded = graphWithHours(language);
    const call = conversation(bounded);
    call.start();
    call.turn(words, undefined, readUtterance({ graph: bounded, state: call.state, civil: noonCivil }, words));
    call.batch([], 'I see.', { asks: false });
    expect(call.outcome[0]).toMatch(line);
    expect(call.known).toEqual({});
  });

  test.each([
    ['Five.', '17:00'],
    ['Half past nine.', '21:30'],
  ])('decides the half of the day: %s', (words, value) => {
    const bounded = graphWithHours();
    const call = conversation(bounded);
    call.start();
    call.turn(words, undefined, readUtterance({ graph: bounded, state: call.state, civil: noonCivil }, words));
    call.batch([], 'I see.', { asks: false });
    expect(call.known).toEqual({ at: value });
  });
});

describe('beside a model that records another slot', () => {
  const table = graphOf({
    initialNode: 'details',
    slots: {
      guests: { type: 'integer', ask: 'How many of you?', maximum: 8 },
      size: { type: 'enum', values: { small: [], large: ['big'] }, ask: 'The small or the large table?' },
      phone: { type: 'phone', ask: 'Your number?', optional: true },
      note: { type: 'text', ask: 'Anything else?' },
    },
    nodes: {
      details: { collect: ['guests', 'size', 'phone', 'note'], defaultTransition: 'bye' },
      bye: { say: 'Bye.', end: true },
    },
  });
  const start = () => {
    const call = conversation(table);
    call.start();
    const says = (text: string, recorded: Readonly<Record<string, string | number>>): readonly string[] => {
      // The caller speaks over the question, so the model is asked.
      const line = Object.values(call.state.effects).findLast((one) => one.kind === 'say' && one.state === 'intended');
      if (line !== undefined) call.heard(line.key, '', 'cancelled');
      const utterance = readUtterance({ graph: table, state: call.state, civil: noonCivil }, text);
      call.turn(text, undefined, utterance);
      call.batch([{ name: 'record', arguments: recorded }], 'Of course.', { asks: false });
      return call.outcome;
    };
    return { call, says };
  };

  test('the value that the caller said is kept', () => {
    const { call, says } = start();
    says('four of us', { note: 'by the window' });
    expect(call.known).toMatchObject({ guests: 4 });
    says('the big table', { note: 'by the window' });
    expect(call.known).toMatchObject({ guests: 4, size: 'large' });
  });

  test('a correction of another slot is kept', () => {
    const { call, says } = start();
    says('four', { note: 'by the window' });
    says('actually there are five of us', { note: 'outside' });
    expect(call.known).toMatchObject({ guests: 5 });
  });

  test('an optional value is left out by words that refuse it', () => {
    const { call, says } = start();
    says('four', { note: 'by the window' });
    says('large', {});
    const utterance = readUtterance({ graph: table, state: call.state, civil: noonCivil }, 'skip it');
    expect(utterance.acts).toContainEqual({ by: 'rules', act: 'decline' });
  });
});

test('a no to a write is a no, whatever values a model adds to it', () => {
  const offer = graphOf(
    {
      initialNode: 'book',
      slots: { day: { type: 'date', ask: 'Which day?', after: 'today' } },
      nodes: {
        book: {
          collect: ['day'],
          functions: [
            {
              name: 'charge',
              handler: 'charge',
              effect: 'write',
              description: 'Books.',
              parameters: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
              confirm: 'Shall I book {{ day }}?',
              onRefuse: 'bye',
            },
          ],
        },
        bye: { say: 'Bye.', end: true },
      },
    },
    ['charge'],
  );
  const call = conversation(offer);
  const says = (text: string): void => {
    const utterance = readUtterance({ graph: offer, state: call.state, civil: noonCivil }, text);
    call.turn(text, undefined, utterance);
  };
  call.start();
  says('November 27, 2026');
  call.batch([{ name: 'charge', state: 'waiting', arguments: { day: '2026-11-27' } }]);
  says('No that is too much.');
  call.batch([
    { name: 'answer', arguments: { agrees: true } },
    { name: 'record', arguments: { day: '2026-12-24' }, readings: { day: { grounded: false } } },
  ]);
  expect(call.outcome[0]).toBe('say: Bye.');
});
