import { describe, expect, test } from 'vitest';
import type { UserTurn } from '../../src/model/signals/signal.ts';
import { readUtterance } from '../../src/engine/words/read-utterance.ts';
import { conversation, graphOf, noon, noonCivil } from './session.ts';

const question = 'So the inspector comes on Tuesday, December 1. Shall I book it now?';

const graph = graphOf(
  {
    initialNode: 'form',
    slots: {
      day: { type: 'date', ask: 'Which day suits you?', after: 'today' },
      born: { type: 'date', ask: 'What is your date of birth?' },
      guests: {
        type: 'integer',
        description: 'The number of people.',
        ask: 'How many of you are coming?',
        maximum: 8,
      },
      smoker: { type: 'boolean', ask: "You don't smoke, do you?" },
      card: { type: 'boolean', ask: 'Are you a member?' },
      hour: { type: 'time', ask: 'At what time?' },
      phone: { type: 'phone', ask: 'Which number?', region: 'US' },
      code: { type: 'text', ask: 'Which number is on the contract?', pattern: '[A-Z]{2}[0-9]{4}', confirm: 'readback' },
    },
    nodes: {
      form: { collect: ['day'], defaultTransition: 'book' },
      book: {
        taskMessages: [{ role: 'system', content: 'Book it.' }],
        functions: [
          {
            name: 'book',
            handler: 'book',
            effect: 'write',
            confirm: 'So the inspector comes on {{ day }}. Shall I book it now?',
          },
        ],
      },
      count: { collect: ['guests', 'card'], defaultTransition: 'bye' },
      birth: { collect: ['born', 'card'], defaultTransition: 'bye' },
      smokes: { collect: ['smoker', 'card'], defaultTransition: 'bye' },
      reach: { collect: ['phone', 'card'], defaultTransition: 'bye' },
      trip: { collect: ['day', 'card'], defaultTransition: 'bye' },
      pickup: { collect: ['hour', 'card'], defaultTransition: 'bye' },
      member: { collect: ['card', 'guests'], defaultTransition: 'bye' },
      contract: { collect: ['code', 'card'], defaultTransition: 'bye' },
      bye: { say: 'Goodbye.', end: true },
    },
  },
  ['book'],
);

function talk(at = 'form') {
  const call = conversation(graph);
  call.start();
  if (at !== 'form') call.request(at);
  const says = (text: string, more: Partial<Pick<UserTurn, 'via' | 'heard'>> = {}): readonly string[] => {
    const utterance = readUtterance({ graph, state: call.state, civil: noonCivil }, text);
    call.send({ type: 'user:turn', at: noon, eventId: `ev${call.log.length}`, text, via: 'text', utterance, ...more });
    return call.outcome;
  };
  return { call, says };
}

/** A conversation at the question whether to book; the caller has not heard any of it yet. */
function asked() {
  const { call, says } = talk();
  says('December first');
  call.batch([{ name: 'record', arguments: { day: '2026-12-01' } }]);
  call.batch([{ name: 'book', arguments: {}, state: 'waiting' }]);
  expect(call.outcome).toEqual([`wait: ${question}`]);
  const cutAfter = (heard: string): void => void call.heard(lastLine(), heard, 'cancelled');
  const lastLine = (): string => call.state.dialogue.put?.key ?? '';
  return { call, says, cutAfter, lastLine };
}

describe('a yes to the question of a write', () => {
  const words = question.split(' ');

  test.each(words.map((_, index) => index + 1))('counts after %s words only if at most three were left', (count) => {
    const { says, cutAfter } = asked();
    cutAfter(words.slice(0, count).join(' '));
    expect(says('yes')).toEqual(count >= words.length - 3 ? ['tool book'] : [`say: So: ${question}`]);
  });

  test.each(['uh-huh', 'okay', 'mhm', 'right'])('%j in its last words only shows that somebody listens', (hum) => {
    const { says, cutAfter } = asked();
    cutAfter(words.slice(0, -1).join(' '));
    expect(says(hum, { via: 'speech' })).toEqual([`say: So: ${question}`]);
  });

  test.each([
    ['all of it', words.length, true],
    ['all but its last three words', words.length - 3, false],
  ])('is the verb of the question with an agreeing model only after %s', (_, count, isYes) => {
    const { call, says, cutAfter } = asked();
    cutAfter(words.slice(0, count).join(' '));
    says('Then book it for my wife.');
    call.batch([{ name: 'answer', arguments: { agrees: true } }]);
    expect(call.outcome.includes('tool book')).toBe(isYes);
  });

  test('behind another line of the agent counts only if it is plain', () => {
    const waits = (): ReturnType<typeof asked> => {
      const session = asked();
      session.says('One second, please.');
      expect(session.call.outcome).toEqual(['say: Sure, I will wait.']);
      return session;
    };
    expect(waits().says('Uh-huh.')).toEqual([`say: So: ${question}`]);
    expect(waits().says('Yes.')).toEqual(['tool book']);
  });

  test('that began before its end does not count, even if the line was said to its end', () => {
    const { says, lastLine } = asked();
    expect(says('yes', { heard: [{ key: lastLine(), text: 'So the inspector comes' }] })).toEqual([
      `say: So: ${question}`,
    ]);
  });

  test('does not count where nobody can tell what was heard', () => {
    const { says, lastLine } = asked();
    expect(says('yes', { heard: [{ key: lastLine(), text: null }] })).toEqual([`say: So: ${question}`]);
  });

  test('that comes too early twice protects the question from interruption, and is no miss', () => {
    const { call, says, cutAfter } = asked();
    cutAfter('So the inspector');
    says('yes');
    cutAfter('So the inspector');
    says('yes');
    expect(call.effects).toMatchObject([{ kind: 'say', payload: { protected: true } }]);
    expect(call.told('question:missed')).toEqual([]);
    expect(says('yes')).toEqual(['tool book']);
  });

  test('a no counts at once', () => {
    const { call, says, cutAfter } = asked();
    cutAfter('So the inspector');
    says('no');
    expect(call.told('wait:answered')).toMatchObject([{ answer: 'no' }]);
  });
});

test.each(['four one five, five five five, zero one two three', 'He has a knee brace from last winter, a red one'])(
  'words that no rule knows are no consent, however many they are and whatever the model takes them for: %j',
  (words) => {
    const { call, says } = asked();
    says(words);
    call.batch([{ name: 'answer', arguments: { agrees: true } }]);
    expect(call.told('wait:answered')).toEqual([]);
    expect(call.outcome.join()).toContain(question);
  },
);

describe('an answer that is taken without the model', () => {
  test.each([
    ['count', 'four of us'],
    ['count', 'Four people.'],
    ['member', 'Yes.'],
    ['trip', 'next Friday'],
    ['trip', 'Friday the 27th'],
    ['contract', 'it is AB 1234'],
  ])('in node %s: %j', (node, words) => {
    expect(talk(node).says(words).join()).not.toContain('reply');
  });

  test.each([
    ['form', 'Is it Friday'],
    ['form', 'Friday, but'],
    ['form', 'Not on Friday.'],
    ['form', 'Friday or Saturday'],
    ['form', 'If I can, December first'],
    ['count', 'two please, oh and'],
    ['count', 'nine'],
    ['count', 'not two'],
    ['count', 'four nights'],
    ['birth', 'Monday'],
    ['smokes', 'No.'],
    ['member', 'cancel'],
    ['member', 'yes, but not here'],
    ['contract', 'the number of the other driver is'],
  ])('is not the one in node %s: %j', (node, words) => {
    expect(talk(node).says(words)).toEqual([`reply ${node}`]);
  });

  test.each(['empty', 'broken'] as const)('is not one among other words, also if the reply is %s', (reason) => {
    const { call, says } = talk('pickup');
    expect(says('my flight leaves at noon')).toEqual(['reply pickup']);
    call.failReply(reason);
    expect(call.state.knowledge.slots['hour']).toBeUndefined();
  });

  test('is not one to a question that was cut', () => {
    const { call, says } = talk('count');
    call.heard(call.state.dialogue.put?.key ?? '', 'How', 'cancelled');
    expect(says('four').join()).toContain('reply');
  });

  test.each([
    ['four one five', 'five five five two six seven one'],
    ['415', 'five five five', 'and then 2671'],
  ])('parts of a telephone number that follow each other are one number: %j, %j, %j', (...parts) => {
    const { call, says } = talk('reach');
    for (const part of parts.slice(0, -1))
      expect(says(part).join()).toMatch(/^say: The rest of the number is missing\. Which number\?$/);
    expect(says(parts.at(-1) ?? '')).toEqual(['say: Are you a member?']);
    expect(call.known).toMatchObject({ phone: '+14155552671' });
    expect(call.told('question:missed')).toEqual([]);
  });

  test.each(['No, but I can come December first at 9:30.', 'I have two of them', 'it is the one from 2019'])(
    'other words with digits are no part of a telephone number: %j',
    (words) => {
      expect(talk('reach').says(words)).toEqual(['reply reach']);
    },
  );

  test('needs a question that was heard: a no before its first word does not leave an optional slot out', () => {
    const optional = graphOf({
      initialNode: 'form',
      slots: {
        day: { type: 'date', ask: 'Which day suits you?', after: 'today' },
        note: { type: 'text', ask: 'Is there anything we should know?', optional: true },
      },
      nodes: { form: { collect: ['day', 'note'], defaultTransition: 'bye' }, bye: { say: 'Goodbye.', end: true } },
    });
    const call = conversation(optional);
    const says = (text: string): void => {
      const utterance = readUtterance({ graph: optional, state: call.state, civil: noonCivil }, text);
      call.turn(text, undefined, utterance);
    };
    call.start();
    says('December first');
    expect(call.outcome).toEqual(['say: Is there anything we should know?']);
    call.heard(call.effects[0]?.key ?? '', '', 'cancelled');
    says('No.');
    expect([call.outcome, call.state.knowledge.declined]).toEqual([['reply form'], []]);
    call.batch([], 'All right.');
    expect([call.outcome, call.told('question:missed')]).toEqual([['say: Is there anything we should know?'], []]);
    says('No.');
    expect(call.state.knowledge.declined).toEqual(['note']);
  });

  test('a telephone number that is begun again is the second one', () => {
    const { call, says } = talk('reach');
    says('four one five');
    says('415 555 2671');
    expect(call.known).toMatchObject({ phone: '+14155552671' });
  });

  test('a number that is whole by itself is no rest of the words before it', () => {
    const slots = { phone: { type: 'phone', region: 'DE', ask: 'Welche Nummer?' } } as const;
    const nodes = { reach: { collect: ['phone'], defaultTransition: 'bye' }, bye: { say: 'Danke.', end: 'done' } };
    const call = conversation(graphOf({ language: 'de', initialNode: 'reach', slots, nodes }));
    call.start();
    for (const text of ['Vierhundert.', '0151 12345678.']) {
      const utterance = readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, text);
      call.send({ type: 'user:turn', at: noon, eventId: text, text, via: 'text', utterance });
      if (call.effects.some(({ kind }) => kind === 'reply')) call.batch([]);
    }
    expect(call.known).toMatchObject({ phone: '+4915112345678' });
  });

  test('another value at a read-back replaces the one before it, and is read back whole', () => {
    const { call, says } = talk('contract');
    expect(says('AB1235')).toEqual(['wait: AB1235, is that right?']);
    expect(says('No, AB1234.')).toEqual(['wait: AB1234, is that right?']);
    expect(says('yes')).toEqual(['say: Are you a member?']);
    expect(call.known).toMatchObject({ code: 'AB1234' });
  });
});

describe('after a silence the question of a write is put whole', () => {
  function silent() {
    const { call, says } = asked();
    call.silence();
    expect(call.outcome).toEqual([`say: Are you still there? ${question}`]);
    return { call, says };
  }

  test('a plain yes to it counts', () => {
    expect(silent().says('Yes.', { via: 'speech' })).toEqual(['tool book']);
  });

  test.each(['Okay.', 'Mhm.', 'Right.', 'Yes, I am.', 'Yes we are.'])('%j only shows that somebody listens', (hum) => {
    const { says } = silent();
    expect(says(hum)).toEqual([`say: Back to my question: ${question}`]);
    expect(says('Yes.')).toEqual(['tool book']);
  });

  test('"Yes, I am." counts if no silence was before it', () => {
    expect(asked().says('Yes, I am.')).toEqual(['tool book']);
  });

  test.each(["Yes, I'm still here.", 'Yep, right here.'])(
    '%j is no consent, whatever the model takes it for',
    (words) => {
      const { call, says } = silent();
      says(words);
      call.batch([{ name: 'answer', arguments: { agrees: true } }]);
      expect(call.outcome).toEqual([`say: A yes or a no is enough. ${question}`]);
    },
  );

  test('a yes to a part of it does not count', () => {
    const { call, says } = silent();
    call.heard(call.state.dialogue.put?.key ?? '', 'Are you still there?', 'cancelled');
    expect(says('Yes.')).toEqual([`say: Back to my question: ${question}`]);
  });

  test('also behind a line of the author that does not say it', () => {
    const functions = [{ name: 'book', effect: 'write' as const, confirm: 'Shall I book it?' }];
    const nodes = { book: { call: 'book', functions }, bye: { say: 'Goodbye.', end: true } };
    const call = conversation(graphOf({ initialNode: 'book', ladder: { lines: ['Hello?'] }, nodes }, ['book']));
    call.start();
    const [key = ''] = Object.keys(call.state.effects);
    call.batch([{ name: 'book', key, state: 'waiting' }], '', { reply: null });
    call.silence();
    expect(call.outcome).toEqual(['say: Hello? Shall I book it?']);
  });
});

test('the same sentence said twice is a miss, and the question comes whole with help in the end', () => {
  const { call, says } = talk();
  says('the usual one');
  call.batch([], 'I see.', { asks: false });
  says('The usual one!');
  call.batch([], 'I see.', { asks: false });
  expect(call.told('question:missed')).toMatchObject([{ cause: 'no-match', attempt: 2 }]);
});

test('a corrected value that the function does not take voids the question: no yes makes the old call', () => {
  const own = graphOf(
    {
      initialNode: 'table',
      slots: { size: { type: 'integer', ask: 'How many of you?' } },
      nodes: {
        table: {
          taskMessages: [{ role: 'system', content: 'Book a table.' }],
          functions: [
            {
              name: 'book',
              handler: 'book',
              effect: 'write',
              confirm: 'A table for {{ size }}, shall I book it?',
              parameters: {
                type: 'object',
                properties: { size: { type: 'integer', maximum: 12 } },
                required: ['size'],
              },
            },
          ],
        },
      },
    },
    ['book'],
  );
  const call = conversation(own);
  call.start();
  call.turn('a table for four');
  call.batch([{ name: 'record', arguments: { size: 4 } }]);
  call.batch([{ name: 'book', arguments: { size: 4 }, state: 'waiting' }]);
  expect(call.outcome).toEqual(['wait: A table for 4, shall I book it?']);
  call.turn('we are fifteen');
  call.batch([{ name: 'record', arguments: { size: 15 } }]);
  expect(call.told('tool:settled')).toContainEqual(expect.objectContaining({ function: 'book', state: 'cancelled' }));
  call.turn('yes', undefined, { answer: 'yes' });
  expect(call.outcome).not.toContain('tool book');
});
