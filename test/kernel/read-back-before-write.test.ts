import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { readUtterance } from '../../src/engine/words/read-utterance.ts';
import { conversation, graphOf, noon, noonCivil } from './session.ts';

const bookedBy = (confirm: string, isByNode: boolean): ConversationFlow => ({
  initialNode: 'details',
  slots: {
    phone: { type: 'phone', ask: 'Your number?', confirm: 'readback', region: 'US' },
    day: { type: 'date', ask: 'Which day?', after: 'today' },
  },
  nodes: {
    details: { collect: ['phone', 'day'], defaultTransition: 'book' },
    book: {
      ...(isByNode ? { call: 'book_table' } : { taskMessages: [{ role: 'system', content: 'Book.' }] }),
      functions: [
        {
          name: 'book_table',
          parameters: {
            type: 'object',
            properties: { phone: { type: 'string' }, day: { type: 'string', format: 'date' } },
            required: ['phone', 'day'],
          },
          effect: 'write',
          confirm,
          transitionTo: 'done',
        },
      ],
    },
    done: { say: 'Booked.', end: 'done' },
  },
});

const old = '+14155550123';
const number = '+14155550000';
const said = { grounded: true };
const silent = 'There is a table. Shall I book {{ day }}?';
const question = 'wait: There is a table. Shall I book Tuesday, December 1?';
const readBack = 'wait: 4 1 5, 5 5 5, 0 0 0 0, is that right?';

function atConfirm(confirm: string, isByNode = true) {
  const call = conversation(graphOf(bookedBy(confirm, isByNode), ['book_table']));
  const says = (text: string): void => {
    const utterance = readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, text);
    call.send({ type: 'user:turn', at: noon, eventId: `ev${call.log.length}`, text, via: 'text', utterance });
  };
  const waits = (given: JsonObject): void => {
    const [key] = Object.entries(call.state.effects).find(([, { kind }]) => kind === 'tool') ?? [];
    call.batch(
      [{ name: 'book_table', arguments: given, state: 'waiting', ...(key === undefined ? {} : { key }) }],
      '',
      isByNode ? { reply: null } : {},
    );
  };
  call.start();
  call.turn('415 555 0123');
  call.batch([{ name: 'record', arguments: { phone: old }, readings: { phone: said } }]);
  says('yes');
  call.turn('December first');
  call.batch([{ name: 'record', arguments: { day: '2026-12-01' }, readings: { day: said } }]);
  waits({ phone: old, day: '2026-12-01' });
  const corrects = (): void => {
    says('Oh, my number is 415 555 0000.');
    // Rules may have taken it already.
    if (!call.effects.some(({ kind }) => kind === 'reply')) return;
    call.batch([{ name: 'record', arguments: { phone: number }, readings: { phone: said } }]);
  };
  return { call, says, waits, corrects };
}

describe.each([
  ['by the node', true],
  ['by the model', false],
])('a slot with a read-back that is corrected at the question about a write, called %s', (_by, isByNode) => {
  test('is read back before that question is put again', () => {
    const { call, says, corrects } = atConfirm(silent, isByNode);
    expect(call.outcome).toEqual([question]);
    corrects();
    expect(call.outcome).toEqual([readBack]);
    says('yes');
    expect(call.state.knowledge.slots['phone']).toMatchObject({ value: number, confirmed: true });
    expect(call.outcome[0]).toContain('Shall I book Tuesday, December 1?');
    says('yes');
    expect(call.effects).toMatchObject([{ kind: 'tool', payload: { confirmed: true, arguments: { phone: number } } }]);
  });

  test('is read back by the question itself if that says the new value: a yes to it confirms the slot', () => {
    const { call, says, corrects } = atConfirm('Shall I book {{ day }}, and call you on {{ phone }}?', isByNode);
    corrects();
    expect(call.outcome[0]).toContain('4 1 5, 5 5 5, 0 0 0 0');
    expect(call.outcome[0]).toContain('Shall I book');
    expect(call.state.knowledge.slots['phone']).toMatchObject({ confirmed: false });
    says('yes');
    expect(call.state.knowledge.slots['phone']).toMatchObject({ value: number, confirmed: true });
    expect(call.effects).toMatchObject([{ kind: 'tool', payload: { arguments: { phone: number } } }]);
  });

  test('is read back by a yes that the model has understood as well', () => {
    const { call, says, corrects } = atConfirm(silent, isByNode);
    corrects();
    says('Yes, that is what I keep telling everybody.');
    call.batch([{ name: 'answer', arguments: { agrees: true } }]);
    expect(call.state.knowledge.slots['phone']).toMatchObject({ value: number, confirmed: true });
    expect(call.outcome[0]).toContain('Shall I book Tuesday, December 1?');
  });
});

test('a no to that read-back drops the call, which is made with the number that the caller gives then', () => {
  const { call, says, waits, corrects } = atConfirm(silent);
  corrects();
  says('no');
  expect(call.outcome).toEqual(['say: Your number?']);
  call.turn('415 555 0999');
  call.batch([{ name: 'record', arguments: { phone: '+14155550999' }, readings: { phone: said } }]);
  expect(call.outcome).toEqual(['wait: 4 1 5, 5 5 5, 0 9 9 9, is that right?']);
  says('yes');
  expect(call.outcome).toEqual(['tool book_table']);
  waits({ phone: '+14155550999', day: '2026-12-01' });
  expect(call.outcome[0]).toContain('Shall I book Tuesday, December 1?');
});

test('a value that nobody was heard to say is named by the question, and a no to it keeps the known one', () => {
  const { call, says } = atConfirm(silent);
  says('What about my number?');
  call.batch([{ name: 'record', arguments: { phone: number }, readings: { phone: { grounded: false } } }]);
  expect(call.outcome).toEqual(['wait: Shall I book the table, phone 4 1 5, 5 5 5, 0 0 0 0, day Tuesday, December 1?']);
  expect(call.known).toMatchObject({ phone: old });
  says('no');
  expect(call.state.knowledge.slots['phone']).toMatchObject({ value: old, confirmed: true });
  expect(call.state.knowledge.slots['phone']).not.toHaveProperty('proposed');
});

test('a condition of the node that calls is read back as well', () => {
  const flow = bookedBy(silent, true);
  const slots = {
    ...flow.slots,
    how: { type: 'enum' as const, values: ['card', 'cash'], confirm: 'readback' as const },
  };
  const { book, ...nodes } = flow.nodes as Readonly<Record<string, object>>;
  const cash = { say: 'Bring cash.', end: 'cash' };
  const call = conversation(
    graphOf(
      {
        ...flow,
        slots,
        nodes: { ...nodes, book: { ...book, defaultTransition: 'done' }, cash },
        edges: [{ from: 'book', to: 'cash', when: { equals: { var: 'how', value: 'cash' } } }],
      },
      ['book_table'],
    ),
  );
  call.start();
  call.turn('415 555 0123, December first');
  call.batch([
    { name: 'record', arguments: { phone: old, day: '2026-12-01', how: 'card' }, readings: { phone: said, day: said } },
  ]);
  call.turn('yes', 'ev', {
    acts: [{ by: 'rules', act: 'answer', yes: true, strength: 'plain' }],
    rest: false,
    unfinished: false,
    foreign: false,
  });
  call.batch(
    [
      {
        name: 'book_table',
        key: Object.keys(call.state.effects)[0] ?? '',
        arguments: { phone: old, day: '2026-12-01' },
        state: 'waiting',
      },
    ],
    '',
    { reply: null },
  );
  expect(call.outcome).toEqual(['wait: card, is that right?']);
});

test.each(['415 555 0000', '+1 (415) 555-0000', number])(
  'a value that a model repeats as it was said is the same: %s',
  (written) => {
    const { call, says, corrects } = atConfirm(silent);
    corrects();
    says('Yes, that is what I keep telling everybody.');
    call.batch([{ name: 'record', arguments: { phone: written }, readings: { phone: said } }]);
    expect(call.state.knowledge.slots['phone']).toMatchObject({ value: number, confirmed: true });
    expect(call.outcome[0]).toContain('Shall I book Tuesday, December 1?');
  },
);

test('a write that a model makes again with a value as it was said is the one that is asked about', () => {
  const { call, says } = atConfirm(silent);
  says('Yes, that is what I keep telling everybody.');
  call.batch([{ name: 'book_table', arguments: { phone: '415 555 0123', day: '2026-12-01' }, state: 'waiting' }]);
  expect(call.effects).toMatchObject([{ kind: 'tool', payload: { confirmed: true, arguments: { phone: old } } }]);
});

describe('a write that the model makes with a number as the caller has said it', () => {
  const parameters = { type: 'object', properties: { phone: { type: 'string' } }, required: ['phone'] };
  const made = (confirm: string, more: object = {}) => {
    const functions = [
      { name: 'call_back', handler: 'call_back', effect: 'write' as const, confirm, parameters, ...more },
    ];
    const call = conversation(
      graphOf(
        {
          initialNode: 'desk',
          slots: {
            phone: { type: 'phone', confirm: 'readback', region: 'US' },
            who: { type: 'name', ask: 'Who is calling?', confirm: 'readback' },
          },
          nodes: { desk: { taskMessages: [{ role: 'system', content: 'Help.' }], functions } },
        },
        ['call_back'],
      ),
    );
    const says = (text: string): void => {
      const utterance = readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, text);
      call.send({ type: 'user:turn', at: noon, eventId: `ev${call.log.length}`, text, via: 'text', utterance });
    };
    const calls = (phone: string): void => {
      const readings = { phone: { grounded: true, isUnread: true as const } };
      call.batch([{ name: 'call_back', arguments: { phone }, state: 'waiting', readings }]);
    };
    call.start();
    return { call, says, calls };
  };

  test('reads the number back if the question does not say it', () => {
    const { call, says, calls } = made('Shall we call you back?');
    says('My number is 415 555 0000.');
    calls('415 555 0000');
    expect(call.outcome).toEqual([readBack]);
    says('yes');
    expect(call.outcome).toEqual(['wait: Shall we call you back?']);
    says('yes');
    expect(call.outcome).toEqual(['tool call_back']);
  });

  test('is recognised if the model makes it again in another writing', () => {
    const { call, says, calls } = made('Shall we call {{ phone }}?');
    says('My number is 415 555 0000.');
    calls('415 555 0000');
    expect(call.outcome).toEqual(['wait: Shall we call 4 1 5, 5 5 5, 0 0 0 0?']);
    says('Yes, that is what I keep telling everybody.');
    calls('(415) 555-0000');
    expect(call.outcome).toEqual(['tool call_back']);
  });

  test('reads another slot back that was corrected since, as its code may read that', () => {
    const { call, says, calls } = made('Shall we call {{ phone }}?');
    says('It is Robert Smith.');
    call.batch([{ name: 'record', arguments: { who: 'Robert Smith' }, readings: { who: said } }]);
    says('My number is 415 555 0000.');
    calls('415 555 0000');
    says('Oh, wait, it is Anna Berg.');
    call.batch([{ name: 'record', arguments: { who: 'Anna Berg' }, readings: { who: said } }]);
    expect(call.outcome).toEqual(['wait: Anna Berg, is that right?']);
  });
});
