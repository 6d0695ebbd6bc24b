import { english } from '../../src/language/english/reader.ts';
import { describe, expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { SlotDocument } from '../../src/flow/document/slot.ts';
import { readSlot, recordOutcome } from '../../src/engine/words/read-slot.ts';
import type { Json } from '../../src/model/json.ts';
import { conversation, graphOf, noonCivil } from './session.ts';

const flow: ConversationFlow = {
  initialNode: 'hello',
  slots: {
    full_name: { type: 'name', ask: 'Your name?', confirm: 'readback' },
    birth_date: { type: 'date', ask: 'Your date of birth?', before: 'today' },
    topic: { type: 'enum', ask: 'What is it about?', values: { checkup: ['routine'], pain: ['hurts'] } },
    phone: { type: 'phone', optional: true },
  },
  nodes: {
    hello: {
      taskMessages: [{ role: 'system', content: 'Greet.' }],
      functions: [{ name: 'go', transitionTo: 'details' }],
    },
    details: { collect: ['full_name', 'birth_date', 'topic', 'phone'], defaultTransition: 'more' },
    more: {
      taskMessages: [{ role: 'system', content: 'Talk.' }],
      functions: [
        { name: 'back', transitionTo: 'details' },
        { name: 'stop', transitionTo: 'bye' },
      ],
    },
    bye: { say: 'Bye.', end: true },
  },
};
const graph = graphOf(flow);

function greeted() {
  const call = conversation(graph);
  call.start();
  return call;
}

/** A conversation at `details` without known slots. */
function atDetails() {
  const call = greeted();
  call.batch([{ name: 'go' }]);
  expect(call.outcome).toEqual(['say: Your name?']);
  return call;
}

const record = (values: Record<string, Json>) => ({ name: 'record', arguments: values });

describe('what the caller says', () => {
  test('may answer several questions in one sentence, and the next one asked is what is still missing', () => {
    const call = atDetails();
    call.turn('It hurts, and I was born on March fourth 1984');
    call.batch([record({ birth_date: '1984-03-04', topic: 'pain' })]);
    expect(call.known).toEqual({ birth_date: '1984-03-04', topic: 'pain' });
    expect(call.outcome).toEqual(['say: So: Your name?']);
    expect(call.state.dialogue.pendingAskKey).toBe('full_name');
  });

  test('is kept in a node that does not ask for it, and not asked for later', () => {
    const call = greeted();
    call.batch([record({ topic: 'hurts' }), { name: 'go' }]);
    expect(call.known).toEqual({ topic: 'pain' });
    call.turn('Maria Delgado');
    call.batch([record({ full_name: 'Maria Delgado' })]);
    call.turn('yes');
    expect(call.outcome).toEqual(['say: Your date of birth?']);
    call.turn('4 March 1984');
    call.batch([record({ birth_date: '1984-03-04' })]);
    expect(call.moves).toEqual(['details -> more by default']);
  });

  test('corrects what was known, at any time', () => {
    const call = greeted();
    call.batch([record({ topic: 'pain' })]);
    expect(call.told('slot:filled')).toMatchObject([{ slot: 'topic', corrected: false }]);
    call.batch([record({ topic: 'checkup' })]);
    expect(call.told('slot:filled')).toMatchObject([{ slot: 'topic', corrected: true }]);
    expect(call.known).toEqual({ topic: 'checkup' });
  });

  test('twice the same is no correction', () => {
    const call = greeted();
    call.batch([record({ topic: 'pain' })]);
    call.batch([record({ topic: 'hurts' })]);
    expect(call.told('slot:filled')).toEqual([]);
  });

  test('that breaks a slot’s rules is refused with a reason, and what was known stays', () => {
    const call = greeted();
    call.batch([record({ birth_date: '1984-03-04' })]);
    call.batch([
      record({ birth_date: '2031-01-01', topic: 'shoes', unknown: 1, constructor: 'x', ['__proto__']: 'y' }),
    ]);
    expect(call.known).toEqual({ birth_date: '1984-03-04' });
    expect(call.told('slot:rejected').map((one) => one.slot)).toEqual([
      'birth_date',
      'topic',
      'unknown',
      'constructor',
      '__proto__',
    ]);
  });

  test('where a model leaves a value empty, nothing is said at all', () => {
    const call = greeted();
    call.batch([record({ topic: '', full_name: null })]);
    expect(call.known).toEqual({});
    expect(call.told('slot:rejected')).toEqual([]);
  });
});

test('a question is pending until the caller speaks, or its node is left', () => {
  const call = atDetails();
  expect(call.state.dialogue.pendingAskKey).toBe('full_name');
  call.turn('Why do you ask?');
  expect(call.state.dialogue.pendingAskKey).toBeNull();
  call.batch([]);
  expect(call.state.dialogue.pendingAskKey).toBe('full_name');
  call.request('more');
  expect(call.state.dialogue.pendingAskKey).toBeNull();
});

test('an optional slot is never asked for, and kept when said', () => {
  const call = greeted();
  call.batch([
    record({ full_name: 'Maria Delgado', birth_date: '1984-03-04', topic: 'pain', phone: '212 736 5000' }),
    { name: 'go' },
  ]);
  expect(call.outcome).toEqual(['wait: Maria Delgado, is that right?']);
  call.turn('yes');
  expect(call.state.position.node).toBe('more');
  expect(call.known['phone']).toBe('+12127365000');
});

describe('a read-back', () => {
  function asked() {
    const call = atDetails();
    call.turn('Maria Delgado');
    call.batch([record({ full_name: 'Maria Delgado' })]);
    expect(call.outcome).toEqual(['wait: Maria Delgado, is that right?']);
    return call;
  }

  test.each(['yes', 'Yes, please.', "that's right", 'correct'])('is answered by %j without an inference', (words) => {
    const call = asked();
    call.turn(words);
    expect(call.state.knowledge.slots['full_name']).toMatchObject({ value: 'Maria Delgado', confirmed: true });
    expect(call.told('slot:confirmed')).toEqual([{ slot: 'full_name' }]);
    expect(call.outcome).toEqual(['say: Your date of birth?']);
  });

  test.each(['no', 'Nope.', "no, that's wrong"])('%j clears the slot, and it is asked for again', (words) => {
    const call = asked();
    call.turn(words);
    expect(call.known).toEqual({});
    expect(call.told('slot:cleared')).toEqual([{ slot: 'full_name' }]);
    expect(call.outcome).toEqual(['say: Your name?']);
  });

  test('anything else goes to the model, and the question stays open and is put again', () => {
    const call = asked();
    call.turn('Do you also treat children?');
    expect(call.told('wait:answered')).toEqual([]);
    expect(call.outcome).toEqual(['reply details']);
    call.batch([], 'Yes, we do.');
    expect(call.outcome).toEqual(['say: So: Maria Delgado, is that right?']);
    call.turn('yes');
    expect(call.state.knowledge.slots['full_name']).toMatchObject({ confirmed: true });
  });

  test('a correction in its place is read back in turn', () => {
    const call = asked();
    call.turn('no, Mario Delgado');
    expect(call.outcome).toEqual(['reply details']);
    call.batch([record({ full_name: 'Mario Delgado' })]);
    expect(call.outcome).toEqual(['wait: Mario Delgado, is that right?']);
  });

  test('a question that nobody heard is not answered by a yes', () => {
    const call = asked();
    const key = call.effects[0]?.key ?? '';
    call.heard(key, '', 'cancelled');
    call.turn('yes');
    expect(call.state.knowledge.slots['full_name']).toMatchObject({ confirmed: false });
  });

  test('a yes to one value is none to another that a late call has put in its place', () => {
    const call = atDetails();
    call.turn('Mario, sorry');
    const late = call.effects[0]?.key ?? '';
    call.turn('Maria Delgado');
    call.batch([record({ full_name: 'Maria Delgado' })]);
    call.batch([record({ full_name: 'Mario Delgado' })], '', { reply: late });
    expect(call.known).toEqual({ full_name: 'Mario Delgado' });
    call.turn('yes');
    expect(call.outcome).toEqual(['wait: Mario Delgado, is that right?']);
  });

  test('a correction after the yes needs a new yes, from the node that collects it', () => {
    const call = asked();
    call.turn('yes');
    call.turn('1984-03-04, a routine visit, and it is Mario');
    call.batch([record({ birth_date: '1984-03-04', topic: 'checkup', full_name: 'Mario Delgado' })]);
    expect(call.outcome).toEqual(['wait: Mario Delgado, is that right?']);
    call.turn('yes');
    expect(call.state.position.node).toBe('more');
    call.batch([record({ full_name: 'Marina Delgado' })]);
    expect(call.state.knowledge.slots['full_name']).toMatchObject({ confirmed: false });
    call.turn('back please');
    call.batch([{ name: 'back' }]);
    expect(call.outcome).toEqual(['wait: Marina Delgado, is that right?']);
  });

  test('says what it reads back as people say it, in the author’s words', () => {
    const call = conversation(
      graphOf({
        initialNode: 'ask',
        slots: {
          day: { type: 'date', ask: 'When?', confirm: 'readback', confirmText: '{{ value }}, yes?' },
          phone: { type: 'phone', ask: 'Phone?', confirm: 'readback' },
          at: { type: 'time', ask: 'At what time?', confirm: 'readback' },
        },
        nodes: { ask: { collect: ['day', 'phone', 'at'], defaultTransition: 'bye' }, bye: { say: 'Bye.', end: true } },
      }),
    );
    call.start();
    call.turn('x');
    call.batch([record({ day: '2027-03-04', phone: '212 736 5000', at: '14:30' })]);
    expect(call.outcome).toEqual(['wait: March 4, 2027, yes?']);
    call.turn('yes');
    expect(call.outcome).toEqual(['wait: 2 1 2, 7 3 6, 5 0 0 0, is that right?']);
    call.turn('yes');
    expect(call.outcome).toEqual(['wait: 2:30 PM, is that right?']);
  });
});

describe('the value of a slot', () => {
  const now = '2026-11-21T12:00';
  const slotOf = (slot: SlotDocument) => {
    const one = graphOf({
      initialNode: 'ask',
      slots: { one: slot },
      nodes: { ask: { collect: ['one'], defaultTransition: 'bye' }, bye: { say: 'Bye.', end: true } },
    }).slots.get('one');
    if (one === undefined) throw new Error('no slot');
    return one;
  };
  const small: SlotDocument = { type: 'enum', values: { small: ['little', 'tiny'], large: ['big'] } };

  test.each<[SlotDocument, Json, Json]>([
    [{ type: 'text' }, '  by the door ', 'by the door'],
    [{ type: 'number' }, 2.5, 2.5],
    [{ type: 'number' }, '12', 12],
    [{ type: 'integer', minimum: 1, maximum: 3 }, 3, 3],
    [{ type: 'integer' }, 'four', 4],
    [{ type: 'boolean' }, false, false],
    [{ type: 'boolean' }, 'yes', true],
    [small, 'small', 'small'],
    [small, 'the big one', 'large'],
    [{ type: 'enum', values: ['1', '2'] }, 2, '2'],
    [{ type: 'date' }, '1984-03-04', '1984-03-04'],
    [{ type: 'date', before: 'today' }, 'March fourth 1984', '1984-03-04'],
    [{ type: 'date', after: 'today' }, 'March fourth', '2027-03-04'],
    [{ type: 'time' }, '14:30', '14:30'],
    [{ type: 'phone', region: 'US' }, '212 736 5000', '+12127365000'],
    [{ type: 'phone', region: 'DE' }, '030 123456', '+4930123456'],
    [{ type: 'email' }, 'maria@example.com', 'maria@example.com'],
    [{ type: 'name' }, 'maria delgado', 'Maria Delgado'],
    [{ type: 'name' }, 'Mark Good', 'Mark Good'],
    [{ type: 'text', pattern: '[A-Z]{2}\\d{3}' }, 'AB123', 'AB123'],
    [{ type: 'text', pattern: 'AB\\d{3}|CD\\d{2}' }, 'CD12', 'CD12'],
    [{ type: 'name' }, 'Young', 'Young'],
    [{ type: 'name' }, 'Day', 'Day'],
    [{ type: 'name' }, 'Will Young', 'Will Young'],
    [{ type: 'name' }, 'May Sunday', 'May Sunday'],
    [{ type: 'name' }, "Marie d'Arc", "Marie d'Arc"],
    [{ type: 'name' }, 'María de la Cruz', 'María de la Cruz'],
    [{ type: 'name' }, '田中・太郎', '田中・太郎'],
    [{ type: 'email' }, "o'hara@example.com", "o'hara@example.com"],
    [{ type: 'email' }, 'josé@correo.es', 'josé@correo.es'],
    [{ type: 'email' }, 'ann@example.photography', 'ann@example.photography'],
    [{ type: 'email' }, 'first.last+tag@sub.example.co.uk', 'first.last+tag@sub.example.co.uk'],
    [{ type: 'email' }, '用户@例子.公司', '用户@例子.公司'],
  ])('of %j given as %j is %j', (slot, given, value) => {
    expect(readSlot(english, slotOf(slot), given, now)).toEqual({ ok: true, value });
  });

  test.each<[SlotDocument, Json]>([
    [{ type: 'text' }, '   '],
    [{ type: 'text' }, ['a']],
    [{ type: 'number' }, { n: 1 }],
    [{ type: 'number', minimum: 2 }, 1],
    [{ type: 'number', maximum: 2 }, 2.01],
    [{ type: 'integer' }, 2.5],
    [{ type: 'boolean' }, 'shoes'],
    [small, 'medium'],
    [small, ['small']],
    [small, 'constructor'],
    [{ type: 'date' }, '1984-02-30'],
    [{ type: 'date' }, 1984],
    [{ type: 'date', before: 'today' }, '2026-11-21'],
    [{ type: 'date', before: 'today' }, '2030-01-01'],
    [{ type: 'date', after: 'today' }, '2026-11-21'],
    [{ type: 'date', after: '2027-01-01' }, '2026-12-31'],
    [{ type: 'time' }, '25:00'],
    [{ type: 'phone' }, '12'],
    [{ type: 'email' }, 'maria at'],
    [{ type: 'name' }, 'Yes'],
    [{ type: 'name' }, 'Not Given'],
    [{ type: 'text', pattern: '[A-Z]{2}\\d{3}' }, 'AB12'],
    [{ type: 'text', pattern: '[A-Z]{2}\\d{3}' }, 'ABC123'],
    [{ type: 'text', pattern: '[A-Z]{2}\\d{3}' }, 'AB1234'],
    [{ type: 'text', pattern: 'AB\\d{3}|CD\\d{2}' }, 'CD123'],
    [{ type: 'name' }, 'Unknown'],
    [{ type: 'name' }, 'unknown'],
    [{ type: 'name' }, 'N/A'],
    [{ type: 'email' }, 'a@b'],
    [{ type: 'email' }, 'a..b@example.com'],
    [{ type: 'email' }, 'ann@example.com, bob@example.com'],
    [{ type: 'boolean' }, null],
  ])('of %j cannot be %j', (slot, given) => {
    expect(readSlot(english, slotOf(slot), given, now)).toMatchObject({ ok: false });
  });

  test('is never completed by a year that was not said', () => {
    for (const slot of [{ type: 'date' }, { type: 'date', before: 'today' }] as const)
      expect(readSlot(english, slotOf(slot), 'March fourth', now)).toEqual({
        ok: false,
        problem: 'incomplete: year is missing',
      });
  });

  test('is not read out of a value nested without end', () => {
    let deep: Json = 'small';
    for (let depth = 0; depth < 200_000; depth += 1) deep = [deep];
    for (const type of ['text', 'number', 'boolean', 'date', 'name'] as const)
      expect(readSlot(english, slotOf({ type }), deep, now)).toMatchObject({ ok: false });
    expect(readSlot(english, slotOf(small), deep, now)).toMatchObject({ ok: false });
  });
});

test('the model is told what was kept and what was not', () => {
  const given = { topic: 'hurts', birth_date: 'March 4', shoe: 43, phone: '' };
  expect(recordOutcome(graph, given, noonCivil)).toEqual({
    recorded: { topic: 'pain' },
    rejected: { birth_date: 'incomplete: year is missing', shoe: 'no such slot' },
  });
});

test('an optional slot whose read-back is answered by no is asked for anew, and may stay unsaid then', () => {
  const call = conversation(
    graphOf({
      initialNode: 'details',
      slots: {
        phone: { type: 'phone', optional: true, ask: 'Which number?', confirm: 'readback' },
        size: { type: 'enum', values: ['small', 'large'], ask: 'Which size?' },
      },
      nodes: { details: { collect: ['phone', 'size'], defaultTransition: 'bye' }, bye: { say: 'Bye.', end: true } },
    }),
  );
  call.start();
  call.turn('large, and my number is 020 7946 0958');
  call.batch([{ name: 'record', arguments: { size: 'large', phone: '+442079460958' } }]);
  expect(call.outcome).toEqual([expect.stringContaining('right?')]);
  call.turn('no');
  expect(call.outcome).toEqual(['say: Which number?']);
  expect(call.state).toMatchObject({ position: { node: 'details' }, dialogue: { pendingAskKey: 'phone' } });
  call.turn('leave it', undefined, { declines: true });
  expect(call.moves).toEqual(['details -> bye by default']);
});
