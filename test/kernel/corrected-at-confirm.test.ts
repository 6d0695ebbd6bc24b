import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { readUtterance } from '../../src/engine/words/read-utterance.ts';
import { conversation, graphOf, noon, noonCivil } from './session.ts';
import { isConfirmation } from '../../src/kernel/state/draft.ts';

const bookService = (confirm: string) => ({
  name: 'book_service',
  parameters: {
    type: 'object' as const,
    properties: { day: { type: 'string', format: 'date' }, bike: { type: 'string' } },
    required: ['day'],
  },
  effect: 'write' as const,
  confirm,
  transitionTo: 'done',
});

const flow: ConversationFlow = {
  initialNode: 'details',
  slots: {
    who: { type: 'name', ask: 'Who is calling, please?' },
    day: { type: 'date', ask: 'Which day?', after: 'today' },
    bike: { type: 'enum', ask: 'Which bike?', values: { city: [], race: [] }, optional: true },
  },
  nodes: {
    details: { collect: ['who', 'day'], defaultTransition: 'book' },
    book: {
      call: 'book_service',
      functions: [bookService('There is a place. Shall I book {{ day }} for {{ who }}?')],
    },
    done: { say: 'Booked.', end: 'done' },
  },
};

/** A conversation at the question about the booking. */
function asked(of: ConversationFlow = flow, more: JsonObject = { bike: 'city' }) {
  const call = conversation(graphOf(of, ['book_service']));
  call.start();
  call.turn('Robert Smith, on December first');
  call.batch([{ name: 'record', arguments: { who: 'Robert Smith', day: '2026-12-01', ...more } }]);
  const [key, effect] = Object.entries(call.state.effects).find(([, { kind }]) => kind === 'tool') ?? [];
  if (key === undefined || effect?.kind !== 'tool') throw new Error('Nothing is called.');
  call.batch([{ name: 'book_service', key, arguments: effect.payload.arguments, state: 'waiting' }], '', {
    reply: null,
  });
  const says = (text: string): void => {
    const utterance = readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, text);
    call.send({ type: 'user:turn', at: noon, eventId: `ev${call.log.length}`, text, via: 'text', utterance });
  };
  return { call, says };
}

const question = (day: string, who: string): string => `wait: There is a place. Shall I book ${day} for ${who}?`;

describe('what a question about a call names is corrected by its answer, though the model has nothing to say to it', () => {
  test.each([
    ['No, Ada Park.', question('Tuesday, December 1', 'Ada Park')],
    ['No, December second.', question('Wednesday, December 2', 'Robert Smith')],
    ['no, the second', question('Wednesday, December 2', 'Robert Smith')],
    ['sorry, I meant the second', question('Wednesday, December 2', 'Robert Smith')],
  ])('%s', (words, next) => {
    const { call, says } = asked();
    expect(call.outcome).toEqual([question('Tuesday, December 1', 'Robert Smith')]);
    says(words);
    // Words that the rules leave open go to the model.
    if (call.effects.some(({ kind }) => kind === 'reply')) call.failReply('empty');
    expect(call.outcome).toEqual([next]);
  });

  test.each([
    ['de', 'Soll ich {{ day }} buchen?', 'nicht am Dienstag, am Mittwoch'],
    ['de', 'Soll ich {{ day }} buchen?', 'nein, nicht Dienstag, sondern Mittwoch'],
    ['fr', 'Je réserve {{ day }} ?', 'pas le mardi, le mercredi'],
    ['es', '¿Reservo el {{ day }}?', 'no el martes, sino el miércoles'],
    ['pt', 'Reservo {{ day }}?', 'não na terça, mas na quarta'],
  ])('by a denied value beside another one: %s, %s "%s"', (language, confirm, words) => {
    const nodes = { ...flow.nodes, book: { call: 'book_service', functions: [bookService(confirm)] } };
    const { call, says } = asked({ ...flow, language, nodes }, {});
    const before = call.outcome;
    says(words);
    // The model only talks.
    if (call.effects.some(({ kind }) => kind === 'reply')) call.batch([]);
    expect(call.state.knowledge.slots['day']?.value).toBe('2026-11-25');
    expect(call.outcome).toEqual([expect.stringMatching(/^wait: .*\?$/)]);
    expect(call.outcome).not.toEqual(before);
  });

  test('also where the words are a number that another slot of the question cannot be', () => {
    const slots = {
      ...flow.slots,
      guests: { type: 'integer' as const, maximum: 20 },
      phone: { type: 'phone' as const, region: 'ES' },
    };
    const book = {
      call: 'book_service',
      functions: [
        {
          name: 'book_service',
          parameters: { type: 'object', properties: { guests: { type: 'integer' } }, required: ['guests'] },
          effect: 'write' as const,
          confirm: '¿Reservo mesa para {{ guests }}?',
        },
      ],
    };
    const spanish = { ...flow, language: 'es', slots, nodes: { ...flow.nodes, book } };
    const { call, says } = asked(spanish, { guests: 4, phone: '+34612345679' });
    says('612 345 678');
    call.batch([], 'Vale.', { asks: false });
    expect(call.known).toMatchObject({ guests: 4, phone: '+34612345678' });
  });

  test('also where the model records nothing', () => {
    const { call, says } = asked();
    says('No, it is Ada Park.');
    call.batch([{ name: 'record', arguments: {} }]);
    expect(call.outcome).toEqual([question('Tuesday, December 1', 'Ada Park')]);
  });

  test.each(['No, Ada Park.', 'Oh, wait, it is Ada Park.', 'Sorry, I meant Ada Park.'])(
    'also where the model takes the words for a yes: %s',
    (words) => {
      const { call, says } = asked();
      says(words);
      if (call.effects.some(({ kind }) => kind === 'reply'))
        call.batch([{ name: 'answer', arguments: { agrees: true } }]);
      expect(call.outcome).toEqual([question('Tuesday, December 1', 'Ada Park')]);
    },
  );

  test.each([
    ['de', 'Nein, Anna Berg.', 'Anna Berg'],
    ['de', 'Ach, Moment, es ist Anna Berg.', 'Anna Berg'],
    ['es', 'Ah, espere, es Ana Torres.', 'Ana Torres'],
    ['fr', "Ah, attendez, c'est Anne Martin.", 'Anne Martin'],
    ['pt', 'Desculpe, é Ana Silva.', 'Ana Silva'],
  ])('in %s as well: %s', (language, words, name) => {
    for (const calls of [[], [{ name: 'answer', arguments: { agrees: true } }]]) {
      const { call, says } = asked({ ...flow, language });
      says(words);
      if (call.effects.some(({ kind }) => kind === 'reply')) call.batch(calls);
      expect(call.outcome.join()).toContain(name);
    }
  });

  test.each([
    ['de', 'Ach, Moment, es ist Allergie.'],
    ['es', 'Ah, espere, es Alergia.'],
    ['en', 'Oh, wait, it is Allergies.'],
  ])('but one word without a no is not taken for another name, in %s: %s', (language, words) => {
    const { call, says } = asked({ ...flow, language });
    says(words);
    if (call.effects.some(({ kind }) => kind === 'reply')) call.batch([]);
    expect(call.known).toMatchObject({ who: 'Robert Smith' });
    expect(call.outcome.join()).not.toMatch(/al+ergi/i);
  });

  test.each([
    ['Yesterday.', '1984-03-04'],
    ['No, sorry, I meant May sixth, 1983.', '1983-05-06'],
  ])('what is of a kind that it names takes words that correct, if it does not name that itself: %s', (words, born) => {
    const properties = { day: { type: 'string', format: 'date' }, born: { type: 'string', format: 'date' } };
    const parameters = { type: 'object', properties, required: ['day', 'born'] };
    const booking = { name: 'book_service', parameters, effect: 'write' as const, transitionTo: 'done' };
    const functions = [{ ...booking, confirm: 'Shall I book {{ day }} for {{ who }}?' }];
    const slots = { ...flow.slots, born: { type: 'date' as const, ask: 'When were you born?', before: 'today' } };
    const nodes = { ...flow.nodes, book: { call: 'book_service', functions } };
    const { call, says } = asked({ ...flow, slots, nodes }, { born: '1984-03-04' });
    says(words);
    if (call.effects.some(({ kind }) => kind === 'reply')) call.batch([]);
    expect(call.known).toMatchObject({ born, day: '2026-12-01' });
  });

  test.each([
    ['My number is 415 555 0000.', '+14155550000'],
    ['415 555 0000', '+14155550000'],
    ['The number of the other driver is 415 555 0000.', '+14155552671'],
    ['Is it 415 555 0000?', '+14155552671'],
  ])('a number that the question does not name is corrected by another one alone: %s', (words, phone) => {
    const slots = {
      ...flow.slots,
      phone: { type: 'phone' as const, region: 'US', ask: 'Your number?', optional: true },
    };
    const { call, says } = asked({ ...flow, slots }, { phone: '+14155552671' });
    says(words);
    if (call.effects.some(({ kind }) => kind === 'reply')) call.failReply('empty');
    expect(call.known).toMatchObject({ phone, day: '2026-12-01' });
  });

  test('not by a value that stands among other words', () => {
    const { call, says } = asked();
    says('No, my sister Ada Park had a race bike.');
    call.failReply('empty');
    expect(call.known).toMatchObject({ who: 'Robert Smith', day: '2026-12-01' });
  });

  test.each(['Je ne comprends pas.', 'no thanks mate', 'Silly Billy'])(
    'nor by words that may be a name: %s',
    (words) => {
      const { call, says } = asked();
      says(words);
      call.failReply('empty');
      expect(call.known).toMatchObject({ who: 'Robert Smith', day: '2026-12-01' });
    },
  );
});

describe('a question that does not name the person', () => {
  const aboutDay: ConversationFlow = {
    ...flow,
    slots: { ...flow.slots, note: { type: 'text', ask: 'Anything to note?', optional: true } },
    nodes: { ...flow.nodes, book: { call: 'book_service', functions: [bookService('Shall I book {{ day }}?')] } },
  };
  const outcomes = [[], [{ name: 'answer', arguments: { agrees: false } }]];

  test.each([
    ['en', 'No, Allergies.'],
    ['en', 'No, I meant Allergies.'],
    ['de', 'Nein, Allergie.'],
    ['fr', 'Non, Allergie.'],
    ['es', 'No, Alergia.'],
    ['pt', 'Não, Alergia.'],
  ])('takes no name from words behind a no, in %s: %s', (language, words) => {
    const noted = words.replace(/^.*?, /, '').replace('.', '');
    for (const calls of [...outcomes, [{ name: 'record', arguments: { note: noted } }]]) {
      const { call, says } = asked({ ...aboutDay, language });
      says(words);
      if (call.effects.some(({ kind }) => kind === 'reply')) call.batch(calls);
      expect(call.known).toMatchObject({ who: 'Robert Smith' });
      expect(call.state.knowledge.slots['who']).not.toHaveProperty('proposed');
      expect(call.outcome.join()).not.toMatch(/who/);
    }
  });

  test.each([
    ['en', 'No, Severe Allergies.'],
    ['de', 'Nein, Heuschnupfen Asthma.'],
    ['fr', 'Non, Allergie Sévère.'],
    ['es', 'No, Alergia Fuerte.'],
    ['pt', 'Não, Alergia Forte.'],
  ])('takes two words behind a no for an uncertain name, in %s: %s', (language, words) => {
    const { call, says } = asked({ ...aboutDay, language });
    const { acts } = readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, words);
    expect(acts).not.toContainEqual(expect.objectContaining({ slot: 'who', certain: true }));
    const note = words.replace(/^.*?, /, '').replace('.', '');
    says(words);
    call.batch([{ name: 'record', arguments: { note } }]);
    expect(call.known).toMatchObject({ who: 'Robert Smith', note });
    expect(call.state.knowledge.slots['who']).not.toHaveProperty('proposed');
  });

  const noted = { ...aboutDay.slots, phone: { type: 'phone', region: 'US', ask: 'Your number?' } } as const;
  const ending = { done: { say: 'Done.', end: 'done' } };
  test.each([
    [
      'a read-back of another value',
      { ...noted, phone: { ...noted.phone, confirm: 'readback' as const } },
      { form: { collect: ['who', 'phone'], defaultTransition: 'done' }, ...ending },
    ],
    ['a question for any words', noted, { form: { collect: ['who', 'note'], defaultTransition: 'done' }, ...ending }],
    [
      'a gate',
      noted,
      {
        form: { collect: ['who'], defaultTransition: 'gate' },
        gate: {
          say: 'Shall I go on?',
          functions: [
            { name: 'go_on', answers: 'yes' as const, transitionTo: 'done' },
            { name: 'change', answers: 'no' as const, transitionTo: 'done' },
          ],
        },
        ...ending,
      },
    ],
  ])('is %s as well', (_what, slots, nodes) => {
    for (const [language, words] of [
      ['en', 'No, Allergies.'],
      ['fr', 'Non, Allergie.'],
    ] as const) {
      const call = conversation(graphOf({ initialNode: 'form', language, slots, nodes }));
      call.start();
      call.turn('Robert Smith, 415 555 0123');
      const phone = 'confirm' in slots.phone ? { phone: '+14155550123' } : {};
      call.batch([{ name: 'record', arguments: { who: 'Robert Smith', ...phone } }]);
      const { acts } = readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, words);
      expect(acts).not.toContainEqual(expect.objectContaining({ slot: 'who' }));
      expect(acts).toContainEqual(expect.objectContaining({ act: 'answer', yes: false }));
    }
  });

  test.each([
    ['en', 'No, my name is Young.', 'Young'],
    ['de', 'Nein, ich heiße Jung.', 'Jung'],
    ['fr', "Non, je m'appelle Dupont.", 'Dupont'],
    ['es', 'No, me llamo Torres.', 'Torres'],
    ['pt', 'Não, meu nome é Silva.', 'Silva'],
  ])('takes a name that is introduced, in %s: %s', (language, words, name) => {
    const { call, says } = asked({ ...aboutDay, language });
    says(words);
    if (call.effects.some(({ kind }) => kind === 'reply')) call.batch([]);
    const { value, proposed } = call.state.knowledge.slots['who'] ?? {};
    expect([value, proposed?.value]).toContain(name);
  });

  test.each([
    ['en', 'No, Allergies.', 'Allergies'],
    ['fr', 'Non, Allergie.', 'Allergie'],
  ])('a question that names the person: a note takes the words, in %s: %s', (language, words, note) => {
    const { call, says } = asked({ ...aboutDay, language, nodes: flow.nodes });
    says(words);
    call.batch([{ name: 'record', arguments: { note } }]);
    expect(call.known).toMatchObject({ who: 'Robert Smith', note });
    expect(call.state.knowledge.slots['who']).not.toHaveProperty('proposed');
  });
});

test.each([
  ['no, December second', 'reply details'],
  ["no, I'd rather not", 'say: I do need this to go on. Your email?'],
])('what corrects an earlier value is no refusal to say what is asked for: %s', (words, next) => {
  const slots = { ...flow.slots, bike: { type: 'email', ask: 'Your email?' } } as const;
  const nodes = {
    details: { collect: ['day', 'who', 'bike'], defaultTransition: 'done' },
    done: { say: 'Done.', end: 'done' },
  };
  const call = conversation(graphOf({ initialNode: 'details', slots, nodes }));
  call.start();
  call.turn('December first');
  call.batch([{ name: 'record', arguments: { day: '2026-12-01' } }]);
  call.turn('Ada Park');
  call.batch([{ name: 'record', arguments: { who: 'Ada Park' } }]);
  const utterance = readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, words);
  call.send({ type: 'user:turn', at: noon, eventId: 'last', text: words, via: 'text', utterance });
  expect(call.outcome).toEqual([next]);
});

test('a question that has just been put and comes again for other facts is put whole, behind another lead-in', () => {
  const { call, says } = asked();
  says('By the way, a race bike.');
  const [effect] = call.effects;
  if (effect === undefined || !isConfirmation(effect)) throw new Error('Nothing is asked.');
  expect(effect.payload.put).toMatch(/: There is a place\. Shall I book Tuesday, December 1 for Robert Smith\?$/);
  says('yes');
  expect(call.outcome).toEqual(['tool book_service']);
  expect(call.effects[0]).toMatchObject({ payload: { arguments: { bike: 'race' } } });
});

test.each([
  ['tells no more than that', []],
  ['makes both calls again', ['pay', 'note']],
  ['makes the first call again', ['pay']],
] as const)('a call that waits behind the question is corrected as well, where the model %s', (_what, again) => {
  const ask = (name: string, confirm: string) => ({
    name,
    handler: name,
    parameters: { type: 'object', properties: { day: { type: 'string', format: 'date' } }, required: ['day'] },
    effect: 'write' as const,
    confirm,
  });
  const functions = [ask('pay', 'Pay on {{ day }}?'), { ...ask('note', 'Note {{ day }}?'), transitionTo: 'done' }];
  const { day } = flow.slots ?? {};
  const call = conversation(
    graphOf(
      {
        initialNode: 'desk',
        slots: { day: { ...day, type: 'date', optional: true } },
        nodes: {
          desk: { taskMessages: [{ role: 'system', content: 'Help.' }], functions },
          done: { say: 'Done.', end: 'done' },
        },
      },
      ['pay', 'note'],
    ),
  );
  call.start();
  const told = (value: string) => ({ name: 'record', arguments: { day: value } });
  const made = (value: string) => (name: string) => ({ name, arguments: { day: value }, state: 'waiting' }) as const;
  call.turn('On December first');
  call.batch([told('2026-12-01'), ...['pay', 'note'].map(made('2026-12-01'))]);
  expect(call.outcome).toEqual(['wait: Pay on Tuesday, December 1?']);
  call.turn('rather the second');
  call.batch([told('2026-12-02'), ...again.map(made('2026-12-02'))]);
  expect(call.outcome).toEqual(['wait: Pay on Wednesday, December 2?']);
  call.turn('yes');
  const [key] = Object.keys(call.state.effects);
  call.batch([{ name: 'pay', arguments: { day: '2026-12-02' }, ...(key === undefined ? {} : { key }) }], '', {
    reply: null,
  });
  expect(call.outcome).toEqual(['wait: Note Wednesday, December 2?']);
  call.turn('yes');
  expect(call.effects).toMatchObject([{ kind: 'tool', payload: { arguments: { day: '2026-12-02' } } }]);
});

describe('what a call is given changes with what the caller has told', () => {
  const book = flow.nodes as Readonly<Record<string, object>>;
  const named = (input: object, properties: readonly string[], type = 'string'): ConversationFlow => ({
    ...flow,
    nodes: {
      ...book,
      book: {
        ...book['book'],
        input,
        functions: [
          {
            name: 'book_service',
            parameters: {
              type: 'object',
              properties: Object.fromEntries(properties.map((name) => [name, { type }])),
            },
            effect: 'write',
            confirm: 'Shall I book {{ day }} for {{ who }}?',
            transitionTo: 'done',
          },
        ],
      },
    } as ConversationFlow['nodes'],
  });

  test.each([
    ['a value that it is bound to', { on: '{{ day }}', by: '{{ who }}' }, ['on', 'by'], { day: '2026-12-02' }],
    ['an optional value that was not known', {}, ['day', 'bike'], { bike: 'race' }],
    ['the same where another name is bound to it', { kind: '{{ bike }}' }, ['kind'], { bike: 'race' }],
  ])('by %s', (_what, input, properties, told) => {
    const { call, says } = asked(named(input, properties), {});
    says('By the way, here is something else.');
    call.batch([{ name: 'record', arguments: told }]);
    says('yes');
    expect(call.outcome).toEqual(['tool book_service']);
    const given: readonly unknown[] = Object.values(
      call.effects[0]?.kind === 'tool' ? call.effects[0].payload.arguments : {},
    );
    expect(given).toEqual(expect.arrayContaining(Object.values(told)));
    expect(given).toHaveLength(properties.length);
  });

  test.each([
    ['yes, we have one', 2],
    ['no, one', 1],
    ['yes, we are three', 3],
  ])('but “one” beside a yes counts nothing: “%s”', (words, count) => {
    const slots = { ...flow.slots, bike: { type: 'integer', ask: 'How many have you got?', optional: true } } as const;
    const { call, says } = asked({ ...named({}, ['bike'], 'integer'), slots }, { bike: 2 });
    says(words);
    call.failReply('empty');
    expect(call.known).toMatchObject({ bike: count });
  });
});

describe('what a node has computed from a value that is corrected is computed anew before anybody agrees to it', () => {
  const string = { type: 'string' };
  const send = {
    name: 'send',
    parameters: { type: 'object', properties: { lock: string, at: string }, required: ['lock', 'at'] },
    effect: 'write' as const,
    confirm: 'A {{ lock }} lock at {{ at }} costs {{ quote.price }}. Shall I send somebody?',
  };
  const priced: ConversationFlow = {
    initialNode: 'details',
    slots: {
      lock: { type: 'enum', ask: 'Which lock?', values: { car: [], safe: [] } },
      at: { type: 'time', ask: 'What time?' },
    },
    nodes: {
      details: { collect: ['lock'], defaultTransition: 'region' },
      region: {
        call: 'kind',
        functions: [
          {
            name: 'kind',
            parameters: { type: 'object', properties: { lock: string }, required: ['lock'] },
            saveAs: 'class',
            transitionTo: 'price',
          },
        ],
      },
      price: {
        call: 'cost',
        input: { class: '{{ class }}' },
        functions: [
          {
            name: 'cost',
            parameters: { type: 'object', properties: { class: string }, required: ['class'] },
            saveAs: 'quote',
            transitionTo: { field: 'status', cases: { ok: 'rest', none: 'sorry' } },
          },
        ],
      },
      rest: { collect: ['at'], defaultTransition: 'order' },
      order: { call: 'send', functions: [{ ...send, transitionTo: 'more' }] },
      more: { call: 'send', functions: [{ ...send, transitionTo: 'done' }] },
      sorry: { say: 'We cannot open that.', end: 'none' },
      done: { say: 'Sent.', end: 'sent' },
    },
  };

  /** Settles the open call as its tool would, and returns its name. */
  function run(call: ReturnType<typeof conversation>, prices: Record<string, number | null>): string {
    const [key, effect] = Object.entries(call.state.effects).find(([, { kind }]) => kind === 'tool') ?? [];
    if (key === undefined || effect?.kind !== 'tool') throw new Error('Nothing is called.');
    const { confirmed, name } = effect.payload;
    const { class: kind = '', lock = '' } = effect.payload.arguments as Record<string, string>; // Given by their schemas.
    const price = prices[kind];
    if (name === 'kind') call.settleTool(key, { result: `class of ${lock}` });
    else if (name === 'cost')
      call.settleTool(key, { result: price === null ? { status: 'none' } : { status: 'ok', price: price ?? 0 } });
    else call.settleTool(key, { state: confirmed ? 'done' : 'waiting' });
    return name;
  }
  const prices = { 'class of car': 300, 'class of safe': 700 };

  function quoted(prices: Record<string, number | null>) {
    const call = conversation(graphOf(priced, ['kind', 'cost', 'send']));
    call.start();
    call.turn('a car');
    call.batch([{ name: 'record', arguments: { lock: 'car' } }]);
    expect([run(call, prices), run(call, prices)]).toEqual(['kind', 'cost']);
    return call;
  }

  function asksAtNine(prices: Record<string, number | null>) {
    const call = quoted(prices);
    call.turn('at nine');
    call.batch([{ name: 'record', arguments: { at: '09:00' } }]);
    run(call, prices);
    expect(call.outcome).toEqual(['wait: A car lock at 9:00 AM costs 300. Shall I send somebody?']);
    return call;
  }

  test('also what was computed from that, where the question about it is answered by the correction', () => {
    const call = asksAtNine(prices);
    call.turn('no, a safe');
    call.batch([{ name: 'record', arguments: { lock: 'safe' } }]);
    expect(call.moves).toEqual(['order -> region by stale']);
    expect([run(call, prices), run(call, prices), run(call, prices)]).toEqual(['kind', 'cost', 'send']);
    expect(call.outcome).toEqual(['wait: A safe lock at 9:00 AM costs 700. Shall I send somebody?']);
    call.turn('no, a car after all');
    call.batch([{ name: 'record', arguments: { lock: 'car' } }]);
    run(call, prices);
    run(call, prices);
    run(call, prices);
    expect(call.outcome).toEqual(['wait: A car lock at 9:00 AM costs 300. Shall I send somebody?']);
  });

  test('where the correction comes on the way to the question', () => {
    const call = quoted(prices);
    call.turn('at nine, and it is a safe');
    call.batch([{ name: 'record', arguments: { at: '09:00', lock: 'safe' } }]);
    expect(call.moves).toEqual(['rest -> order by default', 'order -> region by stale']);
    expect([run(call, prices), run(call, prices), run(call, prices)]).toEqual(['kind', 'cost', 'send']);
    expect(call.outcome).toEqual(['wait: A safe lock at 9:00 AM costs 700. Shall I send somebody?']);
  });

  test('and what it brings leads where it leads', () => {
    const call = asksAtNine({ ...prices, 'class of safe': null });
    call.turn('no, a safe');
    call.batch([{ name: 'record', arguments: { lock: 'safe' } }]);
    run(call, { 'class of safe': null });
    run(call, { 'class of safe': null });
    expect(call.outcome[0]).toBe('say: We cannot open that.');
  });

  test('not where it was not computed from that value', () => {
    const call = asksAtNine(prices);
    call.turn('no, at ten');
    call.batch([{ name: 'record', arguments: { at: '10:00' } }]);
    expect(call.moves).toEqual([]);
    expect(call.outcome).toEqual(['wait: A car lock at 10:00 AM costs 300. Shall I send somebody?']);
  });

  test('nor where a write was made with it: nothing of that is done once more', () => {
    const call = asksAtNine(prices);
    call.turn('yes');
    run(call, prices);
    run(call, prices);
    expect(call.outcome[0]).toMatch(/^wait: /);
    call.turn('no, a safe');
    call.batch([{ name: 'record', arguments: { lock: 'safe' } }]);
    expect(call.moves).toEqual([]);
  });
});

describe('whoever misheard what a question about a call names hears all of it again', () => {
  const whole = question('Tuesday, December 1', 'Robert Smith').replace('wait: ', '');

  test('when they say what is right, though the model has nothing to say to it', () => {
    const { call, says } = asked();
    says('No, December first.');
    call.failReply('empty');
    expect(call.outcome).toEqual([expect.stringContaining(whole)]);
  });

  test('when the model records again what is known', () => {
    const { call, says } = asked();
    says('I said the first');
    call.batch([{ name: 'record', arguments: { day: '2026-12-01' } }], 'I see.');
    expect(call.outcome).toEqual([expect.stringContaining(whole)]);
  });

  test('behind each question of their own', () => {
    const { call, says } = asked();
    const heard = ['is it warm there', 'and is it far', 'and is it loud'].map((words) => {
      says(words);
      call.batch([], 'I cannot tell.');
      return call.outcome.join();
    });
    expect(heard.map((text) => text.includes(whole))).toEqual([true, true, true]);
    expect(heard.map((text) => text.includes('Shall I book'))).toEqual([true, true, true]);
  });
});

test.each([
  ['said', true, { day: '2026-12-01', bike: 'race' }],
  ['not said', false, { day: '2026-12-01' }],
])('a value that comes at the question and was %s goes into the call, or stays out', (_how, grounded, given) => {
  const { call, says } = asked(flow, {});
  says('By the way, a race bike.');
  call.batch([{ name: 'record', arguments: { bike: 'race' }, readings: { bike: { grounded } } }], 'I see.');
  says('yes');
  const [effect] = call.effects;
  expect(effect?.kind === 'tool' && effect.payload.arguments).toEqual(given);
});
