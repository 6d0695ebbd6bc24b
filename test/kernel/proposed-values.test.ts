import { describe, expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { readUtterance } from '../../src/engine/words/read-utterance.ts';
import type { Json } from '../../src/model/json.ts';
import type { ValueReading } from '../../src/model/provenance.ts';
import { conversation, graphOf, noon, noonCivil } from './session.ts';

const flow: ConversationFlow = {
  initialNode: 'details',
  slots: {
    day: { type: 'date', ask: 'Which day?', after: 'today' },
    who: { type: 'name', ask: 'Who is calling, please?' },
    email: { type: 'email', ask: 'Your email?' },
  },
  nodes: {
    details: { collect: ['day', 'who'], defaultTransition: 'contact' },
    contact: { collect: ['email'], defaultTransition: 'done' },
    done: { say: 'See you on {{ day }}.', end: 'done' },
  },
};

const said = { grounded: true };
const invented = { grounded: false };

/** The day is known, and the model gives another one beside the name, the last answer of the node. */
function invents(of: ConversationFlow = flow) {
  const call = conversation(graphOf(of));
  call.start();
  call.turn('December first');
  call.batch([{ name: 'record', arguments: { day: '2026-12-01' }, readings: { day: said } }]);
  call.turn('Ada Park');
  call.batch([
    {
      name: 'record',
      arguments: { who: 'Ada Park', day: '2026-12-05' },
      readings: { who: said, day: invented },
    },
  ]);
  const says = (text: string): void => {
    const utterance = readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, text);
    call.send({ type: 'user:turn', at: noon, eventId: `ev${call.log.length}`, text, via: 'text', utterance });
  };
  return { call, says };
}

const readBack = 'wait: Day Saturday, December 5, is that right?';

describe('a value that nobody was heard to say, for a slot whose value was said', () => {
  test('is read back, and the known value stays meanwhile', () => {
    const { call } = invents();
    expect(call.outcome).toEqual([readBack]);
    expect(call.known).toMatchObject({ day: '2026-12-01', who: 'Ada Park' });
    expect(call.facts).toContainEqual({ type: 'slot:proposed', data: { slot: 'day' } });
  });

  test('is forgotten by a no, and the conversation goes on with what was said', () => {
    const { call, says } = invents();
    says('No.');
    expect(call.outcome).toEqual(['say: Your email?']);
    expect(call.state.knowledge.slots['day']).toMatchObject({ value: '2026-12-01', confirmed: true, grounded: true });
    expect(call.state.knowledge.slots['day']).not.toHaveProperty('proposed');
  });

  test('is not chosen by words that only refer to its read-back', () => {
    const { call, says } = invents();
    says('Then reserve it for my wife.');
    const readings = { day: { grounded: true, isOffered: true } } as const;
    call.batch([{ name: 'record', arguments: { day: '2026-12-05' }, readings }]);
    expect(call.known).toMatchObject({ day: '2026-12-01' });
    says('No.');
    expect(call.state.knowledge.slots['day']).toMatchObject({ value: '2026-12-01', confirmed: true });
  });

  test('does not take its place if the model gives it again beside a no with other words', () => {
    const { call, says } = invents();
    says('Not two.');
    call.batch([{ name: 'record', arguments: { day: '2026-12-05' }, readings: { day: invented } }]);
    expect(call.known).toMatchObject({ day: '2026-12-01' });
  });

  test('takes its place by a yes', () => {
    const { call, says } = invents();
    says('Yes.');
    expect(call.outcome).toEqual(['say: Your email?']);
    expect(call.state.knowledge.slots['day']).toMatchObject({ value: '2026-12-05', confirmed: true, grounded: true });
    expect(call.facts).toContainEqual({
      type: 'slot:filled',
      data: { slot: 'day', corrected: true, source: 'correction', grounded: true },
    });
  });

  test.each([
    ['by a no that the model has understood', [{ name: 'answer', arguments: { agrees: false } }], '2026-12-01'],
    ['by a yes that the model has understood', [{ name: 'answer', arguments: { agrees: true } }], '2026-12-05'],
  ])('is settled %s', (_how, calls, day) => {
    const { call } = invents();
    call.turn('yes, I would say so', undefined, { leansYes: true });
    call.batch(calls);
    expect(call.known).toMatchObject({ day });
    expect(call.outcome).toEqual(['say: Your email?']);
  });

  test('gives way to a third value that the caller says, and to what they say again', () => {
    const third = invents();
    third.says('No, December eighth.');
    third.call.failReply('empty');
    expect(third.call.known).toMatchObject({ day: '2026-12-08' });
    expect(third.call.state.knowledge.slots['day']).not.toHaveProperty('proposed');
    const again = invents();
    again.call.turn('It is December first');
    again.call.batch([{ name: 'record', arguments: { day: '2026-12-01' }, readings: { day: said } }]);
    expect(again.call.known).toMatchObject({ day: '2026-12-01' });
    expect(again.call.outcome).toEqual(['say: Your email?']);
  });

  test('is not asked about again once it was refused', () => {
    const { call, says } = invents();
    says('No.');
    call.turn('ada@park.org');
    call.batch([
      {
        name: 'record',
        arguments: { email: 'ada@park.org', day: '2026-12-05' },
        readings: { email: said, day: invented },
      },
    ]);
    expect(call.known).toMatchObject({ day: '2026-12-01' });
    expect(call.outcome).toContain('say: See you on Tuesday, December 1.');
  });

  test('decides nothing before the caller has agreed to it', () => {
    const { call, says } = invents({
      ...flow,
      nodes: { ...flow.nodes, late: { say: 'That is late.', end: 'late' } },
      edges: [{ from: 'details', to: 'late', when: { greater: { var: 'day', value: '2026-12-04' } } }],
    });
    expect(call.outcome).toEqual([readBack]);
    says('Yes.');
    expect(call.outcome[0]).toBe('say: That is late.');
  });
});

describe('a value that the model invents while another question is open', () => {
  const kinds: readonly (readonly [type: string, more: object, first: Json, other: Json])[] = [
    ['enum', { values: ['small', 'large'] }, 'small', 'large'],
    ['text', {}, 'by the door', 'by the pool'],
    ['integer', {}, 2, 3],
    ['number', {}, 2.5, 3.5],
    ['date', {}, '2026-12-01', '2026-12-05'],
    ['time', {}, '19:00', '20:00'],
    ['name', {}, 'Ada Park', 'Ida Park'],
    ['phone', { region: 'US' }, '+14155552671', '+12025550123'],
    ['email', {}, 'ada@park.org', 'ida@park.org'],
  ];
  /** The detail is known, the price is asked for, and the model invents another detail for these words. */
  const invent = ([type, more, first, other]: (typeof kinds)[number], words: string, confirm?: 'readback') => {
    const slots = {
      detail: { type, ...more, ask: 'Which one?', ...(confirm === undefined ? {} : { confirm }) },
      price: { type: 'number', ask: 'What may it cost?' },
    } as unknown as ConversationFlow['slots']; // Its lists are read-only.
    const nodes = {
      details: { collect: ['detail', 'price'], defaultTransition: 'done' },
      done: { say: 'See you.', end: 'done' },
    };
    const call = conversation(graphOf({ ...flow, slots, nodes }));
    const says = (text: string): void => {
      const utterance = readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, text);
      call.send({ type: 'user:turn', at: noon, eventId: `ev${call.log.length}`, text, via: 'text', utterance });
    };
    const records = (detail: Json, reading: ValueReading): void =>
      void call.batch([{ name: 'record', arguments: { detail }, readings: { detail: reading } }]);
    call.start();
    call.turn('That is it.');
    records(first, said);
    if (confirm === undefined) expect(call.outcome).toEqual(['say: What may it cost?']);
    says(words);
    records(other, invented);
    return { call, says, records };
  };

  test.each(kinds)('does not interrupt it, and the answer is kept: %s', (...kind) => {
    const { call, says } = invent(kind, 'My dog is barking.');
    expect(call.outcome).toEqual([expect.stringMatching(/^say: .*What may it cost\?$/i)]);
    says('Twelve.');
    expect(call.known).toMatchObject({ detail: kind[2], price: 12 });
    expect(call.outcome).toEqual([expect.stringMatching(/^wait: .+, is that right\?$/)]);
    says('No.');
    expect(call.known).toMatchObject({ detail: kind[2], price: 12 });
    expect(call.outcome.at(-1)).toBe('end done');
  });

  test.each(kinds)('does not void the read-back of the said value: %s', (...kind) => {
    const yes = invent(kind, 'My dog is barking.', 'readback');
    expect(yes.call.outcome).toEqual([expect.stringMatching(/^say: .+, is that right\?$/)]);
    yes.says('Yes.');
    expect(yes.call.state.knowledge.slots['detail']).toMatchObject({ value: kind[2], confirmed: true });
    expect(yes.call.outcome).toEqual(['say: What may it cost?']);
    const no = invent(kind, 'My dog is barking.', 'readback');
    no.says('No.');
    expect(no.call.known).not.toHaveProperty('detail');
    expect(no.call.outcome).toEqual(['say: Which one?']);
  });

  test('is read back at once if the words of the caller may mean it', () => {
    const { call } = invent(['enum', { values: ['small', 'large'] }, 'small', 'large'], 'My dog is barking.');
    call.turn('the bigger thing');
    call.batch([{ name: 'record', arguments: { detail: 'large' }, readings: { detail: { grounded: null } } }]);
    expect(call.outcome).toEqual(['wait: Detail large, is that right?']);
  });
});

test.each([
  ['boolean', {}, false, true],
  ['enum', { values: ['small', 'large'] }, 'small', 'large'],
  ['text', {}, 'by the door', 'by the pool'],
  ['integer', {}, 2, 3],
  ['number', {}, 2.5, 3.5],
  ['date', {}, '2026-12-01', '2026-12-05'],
  ['time', {}, '19:00', '20:00'],
  ['name', {}, 'Ada Park', 'Ida Park'],
  ['phone', { region: 'US' }, '+14155552671', '+12025550123'],
  ['email', {}, 'ada@park.org', 'ida@park.org'],
] as const)('a %s that rules cannot find in the words does not displace a said one', (type, more, first, other) => {
  const slots = { ...flow.slots, detail: { type, ...more, ask: 'Which one?' } } as ConversationFlow['slots'];
  const nodes = { ...flow.nodes, details: { collect: ['detail', 'day', 'who'], defaultTransition: 'done' } };
  const call = conversation(graphOf({ ...flow, slots, nodes }));
  const records = (detail: typeof first | typeof other, grounded: boolean | null): void =>
    void call.batch([{ name: 'record', arguments: { detail }, readings: { detail: { grounded } } }]);
  call.start();
  call.turn('That is it.');
  records(first, true);
  for (const [answer, agrees, value] of [
    ['No.', false, first],
    ['Yes.', true, other],
  ] as const) {
    call.turn('Is there a swimming pool?');
    records(other, null);
    expect(call.outcome).toEqual([expect.stringMatching(/^wait: .+, is that right\?$/)]);
    expect(call.known).toMatchObject({ detail: first });
    call.turn(answer, answer, { answer: agrees ? 'yes' : 'no' });
    expect(call.state.knowledge.slots['detail']).toMatchObject({ value, confirmed: true, grounded: true });
    expect(call.outcome).toEqual(['say: Which day?']);
  }
});

/** The caller's day is read back, and the model gives another one for these words. */
function answersReadBack(text: string) {
  const slots = { ...flow.slots, day: { ...flow.slots?.['day'], type: 'date' as const, confirm: 'readback' as const } };
  const call = conversation(graphOf({ ...flow, slots }));
  call.start();
  call.turn('December first');
  call.batch([{ name: 'record', arguments: { day: '2026-12-01' }, readings: { day: said } }]);
  expect(call.outcome).toEqual(['wait: Tuesday, December 1, is that right?']);
  const says = (words: string): void => {
    const utterance = readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, words);
    call.send({ type: 'user:turn', at: noon, eventId: words, text: words, via: 'text', utterance });
  };
  says(text);
  call.batch([{ name: 'record', arguments: { day: '2026-12-05' }, readings: { day: invented } }]);
  return { call, says };
}

test('a value that was read back and denied is not kept for another that was found nowhere', () => {
  const { call } = answersReadBack('no, not Tuesday');
  expect(call.state.knowledge.slots['day']).toMatchObject({ value: '2026-12-05', grounded: false });
  expect(call.state.knowledge.slots['day']).not.toHaveProperty('proposed');
});

test('a value that was read back is not denied by "Not two.", and an invented one does not take its place', () => {
  const { call, says } = answersReadBack('Not two.');
  expect(call.outcome).toEqual(['say: So: Tuesday, December 1, is that right?']);
  says('Yes.');
  expect(call.state.knowledge.slots['day']).toMatchObject({ value: '2026-12-01', confirmed: true });
  expect(call.outcome).toEqual(['say: Who is calling, please?']);
});

test('a value that was read back and refused with other words is asked for again, also beside an invented one', () => {
  const { call } = answersReadBack('I would rather not say.');
  expect(call.known).not.toHaveProperty('day');
  expect(call.outcome).toEqual(['say: Which day?']);
});

test.each(['hold on, five, no, six people', 'five, no, six', 'no, six people', 'no, six'])(
  'a number that is corrected changes no day: %s',
  (text) => {
    const slots = {
      day: flow.slots?.['day'] ?? { type: 'date' as const },
      people: { type: 'integer' as const, ask: 'For how many?' },
      email: { type: 'email' as const, ask: 'Your email?' },
    };
    const nodes = { ...flow.nodes, details: { collect: ['day', 'people'], defaultTransition: 'done' } };
    const call = conversation(graphOf({ ...flow, slots, nodes }));
    call.start();
    call.turn('December first');
    call.batch([{ name: 'record', arguments: { day: '2026-12-01' }, readings: { day: said } }]);
    const utterance = readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, text);
    call.send({ type: 'user:turn', at: noon, eventId: 'number', text, via: 'text', utterance });
    call.failReply('empty');
    expect(call.known).toMatchObject({ day: '2026-12-01' });
    expect(call.state.knowledge.slots['day']).not.toHaveProperty('proposed');
  },
);

/** The name, given as Ada Park, must be read back. */
function named(readBack: 'whole' | 'cut') {
  const slots = { ...flow.slots, who: { ...flow.slots?.['who'], type: 'name' as const, confirm: 'readback' as const } };
  const nodes = { ...flow.nodes, details: { collect: ['who', 'day'], defaultTransition: 'done' } };
  const call = conversation(graphOf({ ...flow, slots, nodes }));
  const says = (text: string): void => {
    const utterance = readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, text);
    call.send({ type: 'user:turn', at: noon, eventId: `ev${call.log.length}`, text, via: 'text', utterance });
  };
  call.start();
  call.turn('Ada Park');
  call.batch([{ name: 'record', arguments: { who: 'Ada Park' }, readings: { who: said } }]);
  const text = 'Ada Park, is that right?';
  expect(call.outcome).toEqual([`wait: ${text}`]);
  const key = Object.values(call.state.effects).find(({ kind }) => kind === 'wait')?.key ?? '';
  if (readBack === 'cut') call.fold({ type: 'speech:settled', at: noon, key, state: 'cancelled', text, heard: 'Ada' });
  else says('Yes.');
  return { call, says };
}

const robert = { name: 'record', arguments: { who: 'Robert Smith' } };
const robertReadBack = 'wait: Robert Smith, is that right?';

test('a value that the agent has named and the caller only chose is read back before it replaces what they said', () => {
  const { call, says } = named('whole');
  call.turn('the second one');
  call.batch([{ ...robert, readings: { who: { grounded: true, isOffered: true } } }]);
  expect(call.outcome).toEqual([robertReadBack]);
  expect(call.known).toMatchObject({ who: 'Ada Park' });
  says('No.');
  expect(call.known).toMatchObject({ who: 'Ada Park' });
  expect(call.outcome).toEqual(['say: Which day?']);
});

test('a no with other words to a read-back that was cut off refuses it, and accepts no invented value', () => {
  const { call, says } = named('cut');
  says('No, that is my dog.');
  call.batch([{ ...robert, readings: { who: invented } }]);
  expect(call.outcome).toEqual(['say: Who is calling, please?']);
  expect(call.known).not.toHaveProperty('who');
});

test('a no to a correction in words that may mean a name leaves neither value: both were denied', () => {
  const { call, says } = named('whole');
  says('No, Robert Smith.');
  call.batch([], 'Okay, one moment, please.');
  expect(call.outcome).toEqual([robertReadBack]);
  says('No.');
  expect(call.known).not.toHaveProperty('who');
  expect(call.outcome).toEqual(['say: Who is calling, please?']);
});

test('a value in the own words of a caller who then refuses the write is read back, not dropped', () => {
  const slots = { ...flow.slots, who: { ...flow.slots?.['who'], type: 'name' as const, confirm: 'readback' as const } };
  const call = conversation(
    graphOf(
      {
        language: 'de',
        initialNode: 'details',
        slots,
        nodes: {
          details: { collect: ['who', 'day'], defaultTransition: 'book' },
          book: {
            call: 'book',
            functions: [
              {
                name: 'book',
                effect: 'write',
                parameters: { type: 'object', properties: { who: { type: 'string' }, day: { type: 'string' } } },
                confirm: 'Am {{ day }}. Soll ich das jetzt buchen?',
                onRefuse: 'change',
                transitionTo: 'done',
              },
            ],
          },
          change: { say: 'Was möchten Sie ändern?', functions: [{ name: 'go_on', transitionTo: 'book' }] },
          done: { say: 'Gebucht.', end: 'done' },
        },
      },
      ['book'],
    ),
  );
  const says = (text: string): void => {
    const utterance = readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, text);
    call.send({ type: 'user:turn', at: noon, eventId: `ev${call.log.length}`, text, via: 'text', utterance });
  };
  const asks = (): void => {
    const [key, effect] = Object.entries(call.state.effects).find(([, { kind }]) => kind === 'tool') ?? [];
    if (key === undefined || effect?.kind !== 'tool') throw new Error('Nothing is called.');
    const { name, arguments: given } = effect.payload;
    call.batch([{ name, key, arguments: given, state: 'waiting' }], '', { reply: null });
  };
  call.start();
  says('Anna Berg.');
  call.batch([{ name: 'record', arguments: { who: 'Anna Berg' }, readings: { who: said } }]);
  says('Ja.');
  says('Am ersten Dezember.');
  asks();
  says('Nein, Robert Schmidt.');
  call.batch([{ name: 'answer', arguments: { agrees: true } }]);
  says('Nein, so nicht.');
  expect(call.outcome).toContain('say: Was möchten Sie ändern?');
  call.turn('Also weiter.');
  call.batch([{ name: 'go_on' }]);
  expect(call.outcome).toEqual([expect.stringMatching(/^wait: Robert Schmidt, /)]);
});

test('a value in the question about a write gives way to the known one, said again, also if the model does not record it', () => {
  const book: ConversationFlow = {
    ...flow,
    nodes: {
      details: { collect: ['day'], defaultTransition: 'book' },
      book: {
        call: 'book',
        functions: [
          {
            name: 'book',
            effect: 'write',
            parameters: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
            confirm: 'That is {{ day }}. Shall I book it?',
            transitionTo: 'done',
          },
        ],
      },
      done: { say: 'See you.', end: 'done' },
    },
  };
  const call = conversation(graphOf(book, ['book']));
  const says = (text: string): void => {
    const utterance = readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, text);
    call.send({ type: 'user:turn', at: noon, eventId: `ev${call.log.length}`, text, via: 'text', utterance });
  };
  call.start();
  says('December first.');
  const [key = '', effect] = Object.entries(call.state.effects).find(([, { kind }]) => kind === 'tool') ?? [];
  if (effect?.kind !== 'tool') throw new Error('Nothing is called.');
  call.batch([{ name: 'book', key, arguments: effect.payload.arguments, state: 'waiting' }], '', { reply: null });
  says('My dog is barking.');
  call.batch([{ name: 'record', arguments: { day: '2026-12-05' }, readings: { day: invented } }]);
  expect(call.outcome).toEqual(['wait: That is Saturday, December 5. Shall I book it?']);
  says('No, December first.');
  expect(call.outcome).toEqual(['wait: That is Tuesday, December 1. Shall I book it?']);
  expect(call.state.knowledge.slots['day']).not.toHaveProperty('proposed');
});

test('a value that was said to a question of the model and read back is not replaced by an invented one', () => {
  const phone = { type: 'phone', region: 'US', ask: 'Your number?', confirm: 'readback' } as const;
  const nodes = { ...flow.nodes, details: { collect: ['phone', 'day'], defaultTransition: 'done' } };
  const call = conversation(graphOf({ ...flow, slots: { ...flow.slots, phone }, nodes }));
  const says = (text: string): void => {
    const utterance = readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, text);
    call.send({ type: 'user:turn', at: noon, eventId: `ev${call.log.length}`, text, via: 'text', utterance });
  };
  const records = (value: string): void =>
    void call.batch([{ name: 'record', arguments: { phone: value }, readings: { phone: invented } }]);
  const asksBack = (): void => void call.batch([], 'Sorry, what do you mean?', { asks: true });
  call.start();
  says('My dog is barking.');
  asksBack();
  says('415 555 2671');
  records('+14155552671');
  expect(call.outcome).toEqual(['wait: 4 1 5, 5 5 5, 2 6 7 1, is that right?']);
  says('My dog is barking.');
  asksBack();
  says('Yes.');
  records('+12025550123');
  expect(call.outcome).toEqual([expect.stringMatching(/4 1 5, 5 5 5, 2 6 7 1, is that right\?$/)]);
  says('Yes.');
  expect(call.state.knowledge.slots['phone']).toMatchObject({ value: '+14155552671', confirmed: true });
  expect(call.outcome).toEqual(['say: Which day?']);
});
