import { describe, expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { readUtterance } from '../../src/engine/words/read-utterance.ts';
import { conversation, graphOf, noon, noonCivil } from './session.ts';

const task = [{ role: 'system' as const, content: 'Help.' }];
const flow: ConversationFlow = {
  initialNode: 'greet',
  slots: {
    who: { type: 'name', ask: 'Who is calling, please?', confirm: 'readback' },
    bike: { type: 'enum', values: { city: ['town'], race: ['road'] }, ask: 'What kind of bike is it?' },
    member: { type: 'boolean', ask: 'Are you a member?' },
    note: { type: 'text', ask: 'What is wrong with it?' },
  },
  functions: [{ name: 'person', description: 'The caller asks for a person.', transitionTo: 'bye' }],
  nodes: {
    greet: {
      say: 'This is the bike shop. Would you like to book a service?',
      functions: [
        { name: 'start', description: 'The caller agrees.', transitionTo: 'details' },
        { name: 'decline', description: 'The caller refuses or wants to stop.', transitionTo: 'bye' },
      ],
    },
    details: { collect: ['who', 'bike', 'member', 'note'], defaultTransition: 'choose' },
    choose: {
      say: 'Shall we go on?',
      functions: [
        { name: 'one', description: 'The caller agrees.', transitionTo: 'bye' },
        { name: 'two', description: 'The caller agrees to everything.', transitionTo: 'bye' },
      ],
    },
    open: {
      say: 'How can I help you?',
      functions: [{ name: 'go', description: 'The caller agrees.', transitionTo: 'bye' }],
    },
    told: {
      say: 'Bike or car?',
      functions: [
        { name: 'ahead', answers: 'yes', transitionTo: 'bye' },
        { name: 'agree', description: 'The caller agrees.', transitionTo: 'details' },
      ],
    },
    suite: {
      say: 'A suite costs 40 euros more. Would you like it?',
      functions: [
        { name: 'take', description: 'The caller wants the suite.', transitionTo: 'details' },
        { name: 'leave', description: 'The caller does not want the suite.', transitionTo: 'bye' },
      ],
    },
    pay: {
      say: 'Shall I charge you?',
      functions: [{ name: 'charge', handler: 'charge', effect: 'write', description: 'The caller agrees.' }],
    },
    led: { taskMessages: task, functions: [{ name: 'go_on', description: 'The caller agrees.', transitionTo: 'bye' }] },
    bye: { say: 'Goodbye.', end: true },
  },
};
const graph = graphOf(flow, ['charge']);

function talk(at = 'greet') {
  const call = conversation(graph);
  call.start();
  if (at !== 'greet') call.request(at);
  return Object.assign(Object.create(call) as typeof call, {
    says(text: string): readonly string[] {
      const utterance = readUtterance({ graph, state: call.state, civil: noonCivil }, text);
      call.send({ type: 'user:turn', at: noon, eventId: `ev${call.log.length}`, text, via: 'text', utterance });
      return call.outcome;
    },
    /** The caller begins to speak before the question has been played: rules alone do not take their answer. */
    saysOver(text: string): readonly string[] {
      const line = Object.values(call.state.effects).findLast(
        ({ kind, state }) => kind === 'say' && state === 'intended',
      );
      if (line !== undefined) call.heard(line.key, '', 'cancelled');
      return this.says(text);
    },
    /** The model only talks. */
    talks(text: string): readonly string[] {
      call.batch([], text, { asks: text.endsWith('?') });
      return call.outcome;
    },
  });
}

describe('a plain answer to the question of a node', () => {
  test.each([
    ['yes please', 'say: Who is calling, please?'],
    ['no, thanks', 'say: Goodbye.'],
  ])('%j calls the one function that it means, without the model', (words, line) => {
    expect(talk().says(words)[0]).toBe(line);
  });

  test('calls the function that the author names for it, whatever the descriptions say', () => {
    const call = talk('told');
    expect(call.says('yes')).toEqual(['say: Goodbye.', 'end completed']);
  });

  test('calls the function that another one denies', () => {
    expect(talk('suite').says('yes please')[0]).toBe('say: Who is calling, please?');
    expect(talk('suite').says('no')[0]).toBe('say: Goodbye.');
  });

  test.each(['choose', 'open', 'pay', 'led'])(
    'is for the model where two may be meant, the line asks something else, it would write, or nothing is asked (%s)',
    (node) => {
      const call = talk(node);
      if (node === 'led') call.talks('Shall we?');
      expect(call.says('yes')).toEqual([`reply ${node}`]);
    },
  );

  test('is for the model where that has asked something since', () => {
    const call = talk();
    call.says('what does it cost?');
    call.talks('Forty euros. Is it a road bike?');
    expect(call.says('yes')).toEqual(['reply greet']);
  });

  test.each(['yes, but not today', 'yes?', 'I am Ada Park'])('is nothing like %j', (words) => {
    expect(talk().says(words)).toEqual(['reply greet']);
  });
});

test.each(['greet', 'choose'])(
  'a model that records nothing, twice in a turn, is not asked a third time (%s)',
  (node) => {
    const call = talk(node);
    call.says('maybe tomorrow');
    call.batch([{ name: 'record' }]);
    expect(call.outcome).toEqual([`reply ${node}`]);
    call.batch([{ name: 'record' }]);
    expect(call.outcome).toEqual([expect.stringMatching(/^say: .*\?$/)]);
  },
);

describe('where a model only talks', () => {
  test('words that answer the open question with certainty are taken', () => {
    const call = talk('details');
    call.saysOver('my name is Ada Park');
    expect(call.talks('Nice to meet you.')).toEqual(['wait: Ada Park, is that right?']);
    call.says('yes');
    call.saysOver('a road bike, please');
    expect(call.talks('Lovely.')).toEqual(['say: Are you a member?']);
    call.saysOver('no');
    expect(call.talks('I see.')).toEqual(['say: What is wrong with it?']);
    expect(call.known).toEqual({ who: 'Ada Park', bike: 'race', member: false });
  });

  test.each([{}, { who: null, note: '' }])('also where it records nothing of them: %j', (nothing) => {
    const call = talk('details');
    call.saysOver('Ada Park');
    call.batch([{ name: 'record', arguments: nothing }]);
    expect(call.outcome).toEqual(['wait: Ada Park, is that right?']);
  });

  test('also where it fails altogether', () => {
    const call = talk('details');
    call.saysOver('Ada Park');
    call.failReply();
    expect(call.outcome).toEqual(['wait: Ada Park, is that right?']);
  });

  test('and its own question follows, no other is asked in the same breath', () => {
    const call = talk('details');
    call.saysOver('Ada Park');
    expect(call.talks('And what kind of bike is it?')).toEqual([]);
    expect(call.known).toEqual({ who: 'Ada Park' });
  });

  test.each([
    ['do you know Ada Park?', 'So:'],
    ['I lost the number', 'So:'],
    ['Ada Park and a road bike', 'So:'],
  ])(
    'words that say anything else (%j) are not, and the question is put again behind the model’s words',
    (words, lead) => {
      const call = talk('details');
      call.says(words);
      expect(call.talks('I see.')).toEqual([`say: ${lead} Who is calling, please?`]);
      expect(call.known).toEqual({});
    },
  );

  test('free text is never taken: only a model can tell whether it is an answer', () => {
    const call = talk('details');
    call.batch([{ name: 'record', arguments: { who: 'Ada Park', bike: 'city', member: true } }]);
    call.says('yes');
    expect(call.outcome).toEqual(['say: What is wrong with it?']);
    call.says('what time is it');
    call.talks('It is noon.');
    expect(call.known).not.toHaveProperty('note');
  });

  test('a correction of what was read back corrects it', () => {
    const call = talk('details');
    call.batch([{ name: 'record', arguments: { who: 'Ada Park' } }]);
    call.says('no, Ida Park');
    expect(call.talks('Let me ask again: is that right?')).toEqual([]);
    expect(call.known).toEqual({ who: 'Ida Park' });
  });
});

describe('a no with another value of what was told last, once something else is asked', () => {
  const visit = (collect: string[]): ConversationFlow => ({
    initialNode: 'patient',
    slots: {
      who: { type: 'name', ask: 'Who is it?' },
      born: { type: 'date', ask: 'When were you born?', before: 'today' },
      phone: { type: 'phone', ask: 'What is your number?', optional: true },
      day: { type: 'date', ask: 'Which day?', after: 'today' },
      guests: { type: 'integer', ask: 'How many of you will there be?' },
    },
    nodes: {
      patient: { collect, defaultTransition: 'bye' },
      bye: { say: 'Goodbye.', end: true },
    },
  });
  /** A call in which these values were given in two turns, and which now asks for the number. */
  function told(words: string, text: string | null = 'I see.', collect = ['who', 'born', 'phone', 'day']) {
    const call = conversation(graphOf(visit(collect)));
    call.start();
    call.turn('Ada Park');
    call.batch([{ name: 'record', arguments: { who: 'Ada Park' } }]);
    call.turn('May sixth, 1983');
    call.batch([{ name: 'record', arguments: { born: '1983-05-06' } }]);
    const utterance = readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, words);
    call.turn(words, 'no', utterance);
    if (text === null) call.failReply('empty');
    else call.batch([], text, { asks: text.endsWith('?') });
    return call;
  }

  test.each([
    'No, sorry, I meant March fourth, 1984.',
    'No, March fourth, 1984.',
    'sorry, March fourth, 1984',
    'I meant March fourth, 1984',
  ])('corrects that though the model only talks, and the open question stays open: %s', (words) => {
    const call = told(words);
    expect(call.known).toEqual({ who: 'Ada Park', born: '1984-03-04' });
    expect(call.outcome).toEqual([expect.stringMatching(/^say: .+What is your number\?$/)]);
    expect(told(words, '').outcome).toEqual(call.outcome);
    expect(told(words, 'Is that your birthday?').outcome).toEqual([]);
  });

  test('a day that a rule has chosen is read back first', () => {
    const call = conversation(graphOf(visit(['day', 'guests'])));
    call.start();
    call.turn('December third');
    call.batch([{ name: 'record', arguments: { day: '2026-12-03' } }]);
    const words = 'sorry, the fourth';
    call.turn(words, undefined, readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, words));
    call.batch([], 'I see.', { asks: false });
    expect(call.outcome).toEqual([expect.stringMatching(/^wait: Day .*December 4, is that right\?$/)]);
  });

  test('a number that could be a day as well is what it is sure to be', () => {
    const flow = visit(['guests', 'day']);
    const day = { type: 'date', ask: 'Which day would you like?', after: 'today' } as const;
    const call = conversation(graphOf({ ...flow, slots: { ...flow.slots, day } }));
    call.start();
    call.turn('Five of us');
    call.batch([{ name: 'record', arguments: { guests: 5 } }]);
    const words = 'No, sorry, I meant thirty of us.';
    call.turn(words, undefined, readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, words));
    call.batch([], 'I see.', { asks: false });
    expect(call.known).toEqual({ guests: 30 });
    expect(call.outcome).toEqual([expect.stringMatching(/^say: .*Which day would you like\?$/)]);
  });

  test('and so do words that answer “you” by “us”', () => {
    const call = told('four of us', 'I see.', ['who', 'born', 'guests']);
    expect(call.known).toEqual({ who: 'Ada Park', born: '1983-05-06', guests: 4 });
  });

  test('also where the model fails altogether', () => {
    const call = told('No, sorry, I meant March fourth, 1984.', null);
    expect(call.known).toMatchObject({ born: '1984-03-04' });
    expect(call.outcome).toEqual([expect.stringMatching(/^say: .+What is your number\?$/)]);
  });

  test('and where the next question asks for the same kind of thing, its rules tell which is meant', () => {
    const next = ['who', 'born', 'day'];
    expect(told('No, March fourth, 1984.', 'I see.', next).known).toEqual({ who: 'Ada Park', born: '1984-03-04' });
    expect(told('December first', 'I see.', next).known).toMatchObject({ born: '1983-05-06', day: '2026-12-01' });
  });

  test.each([
    'March fourth, 1984',
    'No, my sister was born on March fourth, 1984',
    'No, not May sixth, 1983',
    'No, Ida Park',
  ])('which nothing else does: %s', (words) => {
    expect(told(words).known).toEqual({ who: 'Ada Park', born: '1983-05-06' });
  });
});

test('a name that rules take for want of anything else is read back, and words of another language are none', () => {
  const call = conversation(
    graphOf({ ...flow, slots: { ...flow.slots, who: { type: 'name', ask: 'Who is it?' } } }, ['charge']),
  );
  call.start();
  call.request('details');
  const says = (text: string): readonly string[] => {
    const utterance = readUtterance({ graph, state: call.state, civil: noonCivil }, text);
    call.send({ type: 'user:turn', at: noon, eventId: `ev${call.log.length}`, text, via: 'text', utterance });
    call.batch([], 'I did not get that.', { asks: false });
    return call.outcome;
  };
  expect(says('Je ne comprends pas')).toEqual(['say: So: Who is it?']);
  expect(says('shivawn kelly')).toEqual([expect.stringMatching(/^wait: Shivawn Kelly, is that right\?$/)]);
});

test('a question of the flow’s comes where the model asks one of its own instead, twice', () => {
  const call = talk('details');
  call.turn('Ada Park');
  call.batch([{ name: 'record', arguments: { who: 'Ada Park' } }]);
  call.says('yes');
  call.turn('a road bike');
  call.batch([{ name: 'record', arguments: { bike: 'race' } }], 'And what else?', { asks: true });
  expect(call.outcome).toEqual([]);
  call.turn('nothing');
  expect(call.talks('Sorry, what do you mean?')).toEqual(['say: Are you a member?']);
});

test('words behind a question that the model has put in its own words still answer the open one', () => {
  const call = talk('details');
  call.says('what a lovely day');
  call.talks('I see.');
  call.says('it is sunny');
  expect(call.talks('Sorry, what do you mean?')).toEqual([]);
  call.says('my name is Ada Park');
  expect(call.talks('I see.')).toEqual(['wait: Ada Park, is that right?']);
});

test('a read-back comes where the model asks something of its own instead, twice', () => {
  const call = talk('details');
  call.turn('Ada Park');
  call.batch([{ name: 'record', arguments: { who: 'Ada Park' } }], 'And what else?', { asks: true });
  expect(call.outcome).toEqual([]);
  call.turn('nothing');
  expect(call.talks('Sorry, what do you mean?')).toEqual(['wait: Ada Park, is that right?']);
});

describe('where the model has asked something of its own in the place of a slot’s question', () => {
  const stay = graphOf({
    initialNode: 'stay',
    slots: { came: { type: 'date', ask: 'When did you come?' }, left: { type: 'date', ask: 'When did you leave?' } },
    nodes: { stay: { collect: ['came', 'left'], defaultTransition: 'bye' }, bye: { say: 'Bye.', end: true } },
  });

  test.each([
    ['November 10, 2026', 'say: When did you leave?'],
    ['November 12, 2026', 'say: Bye.'],
  ])('what is known of another one is no answer to it: %j', (words, next) => {
    const call = conversation(stay);
    call.start();
    call.turn('November 10, 2026');
    call.batch([{ name: 'record', arguments: { came: '2026-11-10' } }], 'And what else?', { asks: true });
    call.turn(words, undefined, readUtterance({ graph: stay, state: call.state, civil: noonCivil }, words));
    call.batch([], 'I see.', { asks: false });
    expect(call.outcome[0]).toBe(next);
  });
});

test('a correction is kept if the model records again what is known', () => {
  const call = conversation(
    graphOf({
      initialNode: 'details',
      slots: {
        who: { type: 'name', ask: 'Who is calling?', confirm: 'readback' },
        note: { type: 'text', ask: 'Anything else?', optional: true },
      },
      nodes: { details: { collect: ['who', 'note'], defaultTransition: 'done' }, done: { say: 'Bye.', end: 'done' } },
    }),
  );
  const says = (text: string): void => {
    const utterance = readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, text);
    call.send({ type: 'user:turn', at: noon, eventId: `ev${call.log.length}`, text, via: 'text', utterance });
  };
  const ada = { name: 'record', arguments: { who: 'Ada Park' } };
  call.start();
  says('Ada Park.');
  call.batch([{ ...ada, readings: { who: { grounded: true } } }]);
  says('Yes.');
  says('My dog is barking.');
  call.batch([], 'Would that be Ada Park?', { asks: true });
  says('No, Robert Smith.');
  call.batch([ada]);
  expect(call.outcome).toEqual(['wait: Robert Smith, is that right?']);
});

test.each([
  ['names the slot', 'You stay until {{ departure }}. Is that right?', 'until Saturday, December 5'],
  ['has a value computed from it', 'You stay {{ nights }} nights. Is that right?', 'stay 5 nights'],
  ['has nothing of it', 'Shall we go on?', null],
])('a line whose value the model corrects is said again whole if it %s', (_, say, words) => {
  const day = { type: 'date', after: 'today' } as const;
  const call = conversation(
    graphOf({
      initialNode: 'stay',
      slots: { arrival: { ...day, ask: 'When do you arrive?' }, departure: { ...day, ask: 'When do you leave?' } },
      computed: { nights: { daysBetween: ['arrival', 'departure'] } },
      nodes: {
        stay: { collect: ['arrival', 'departure'], defaultTransition: 'offer' },
        offer: { say, functions: [{ name: 'agree', description: 'The caller agrees.', transitionTo: 'done' }] },
        done: { say: 'Bye.', end: 'done' },
      },
    }),
  );
  const grounded = { grounded: true } as const;
  call.start();
  call.turn('The thirtieth to the fourth.');
  const both = { arrival: '2026-11-30', departure: '2026-12-04' };
  call.batch([{ name: 'record', arguments: both, readings: { arrival: grounded, departure: grounded } }]);
  call.turn('Make it Saturday.');
  call.batch([{ name: 'record', arguments: { departure: '2026-12-05' }, readings: { departure: grounded } }], 'Sure.');
  if (words === null) expect(call.outcome).toEqual([]);
  else expect(call.outcome[0]).toContain(words);
});
