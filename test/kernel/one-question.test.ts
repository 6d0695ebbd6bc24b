import { describe, expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { conversation, graphOf } from './session.ts';

const task = [{ role: 'system' as const, content: 'Help.' }];
const flow: ConversationFlow = {
  initialNode: 'greet',
  slots: {
    who: { type: 'name', ask: 'Who is calling, please?', confirm: 'readback' },
    bike: { type: 'enum', values: ['city', 'race'], ask: 'What kind of bike is it?' },
    day: { type: 'date' },
  },
  nodes: {
    greet: {
      say: 'Would you like to book a service?',
      functions: [
        { name: 'start', transitionTo: 'details' },
        { name: 'explain', transitionTo: 'prices' },
        { name: 'decline', transitionTo: 'bye' },
        { name: 'notice', transitionTo: 'notice' },
        { name: 'tell', transitionTo: 'told' },
      ],
    },
    details: { collect: ['bike', 'who', 'day'], defaultTransition: 'bye' },
    prices: { taskMessages: task, functions: [{ name: 'back', transitionTo: 'details' }] },
    notice: {
      preActions: [{ type: 'tts_say', text: 'There is a discount.' }],
      taskMessages: task,
      functions: [{ name: 'take', transitionTo: 'bye' }],
    },
    told: { say: 'There is a discount.', collect: ['bike'], defaultTransition: 'bye' },
    bye: { say: 'Goodbye.', end: true },
  },
};

function started() {
  const call = conversation(graphOf(flow));
  call.start();
  call.turn('yes please');
  return call;
}

const said = (text: string) => ({ text, asks: text.endsWith('?') });

describe('what a model says beside its calls', () => {
  test('is an acknowledgement where it asks nothing: the next question still comes', () => {
    const call = started();
    const { text, asks } = said('Great!');
    call.batch([{ name: 'start' }], text, { asks });
    expect(call.outcome).toEqual(['say: What kind of bike is it?']);
    call.turn('a city bike');
    call.batch([{ name: 'record', arguments: { bike: 'city' } }], 'Thank you.', { asks: false });
    expect(call.outcome).toEqual(['say: Who is calling, please?']);
  });

  test('is no reply of the node that it leads to: that one still replies', () => {
    const call = started();
    call.batch([{ name: 'explain' }], 'Sure.', { asks: false });
    expect(call.outcome).toEqual(['reply prices']);
  });

  test.each([
    ['notice', 'reply notice'],
    ['tell', 'say: What kind of bike is it?'],
  ])('asks in vain where the flow tells something behind it (%s)', (name, asked) => {
    const call = started();
    call.batch([{ name }], 'And what else?', { asks: true });
    expect(call.outcome).toEqual(['say: There is a discount.', asked]);
  });

  test('has the word where it asks: nothing else is asked in the same breath', () => {
    const call = started();
    call.batch(
      [{ name: 'start' }, { name: 'record', arguments: { bike: 'race', who: 'Ada Park' } }],
      'And which day?',
      {
        asks: true,
      },
    );
    expect(call.outcome).toEqual([]);
    expect(call.known).toEqual({ bike: 'race', who: 'Ada Park' });
    // The read-back is not lost: it follows once that question is answered.
    call.turn('Friday');
    call.batch([{ name: 'record', arguments: { day: '2026-11-27' } }]);
    expect(call.outcome).toEqual(['wait: Ada Park, is that right?']);
  });

  test('does not keep an author’s line back, also where it asks', () => {
    const call = started();
    call.batch([{ name: 'decline' }], 'Is there anything else?', { asks: true });
    expect(call.outcome).toEqual(['say: Goodbye.', 'end completed']);
  });

  test('of a log that does not tell whether it asks has the word, as it had then', () => {
    const call = started();
    call.batch([{ name: 'start' }], 'Great!');
    expect(call.outcome).toEqual([]);
  });
});

describe('a reply of words alone', () => {
  test('that asks nothing leaves the open question to be put again', () => {
    const call = started();
    call.batch([{ name: 'start' }]);
    call.turn('do you also repair tyres');
    call.batch([], 'We do.', { asks: false });
    expect(call.outcome).toEqual(['say: So: What kind of bike is it?']);
  });

  test('that asks the same again is followed by the flow’s own question', () => {
    const call = started();
    const wishes = said('Do you have any other wishes?');
    call.batch([{ name: 'start' }], wishes.text, wishes);
    expect(call.outcome).toEqual([]);
    call.turn('no');
    call.batch([], `Thank you. ${wishes.text}`, wishes);
    expect(call.outcome).toEqual(['say: What kind of bike is it?']);
    call.turn('the red one');
    call.batch([], `I see. ${wishes.text}`, wishes);
    expect(call.outcome).toEqual(['say: So: What kind of bike is it?']);
  });

  test('that asks is the turn', () => {
    const call = started();
    call.batch([{ name: 'start' }]);
    call.turn('do you also repair tyres');
    call.batch([], 'We do. What kind of bike is it?', { asks: true });
    expect(call.outcome).toEqual([]);
  });

  test('that was to ask for one value is not followed by the question that another has answered', () => {
    const call = conversation(
      graphOf({
        initialNode: 'form',
        slots: { age: { type: 'integer', ask: 'How old is it?' }, day: { type: 'date', after: 'today' } },
        nodes: {
          form: {
            taskMessages: [{ role: 'system', content: 'Ask which day.' }],
            collect: ['age', 'day'],
            defaultTransition: 'bye',
          },
          bye: { say: 'Bye.', end: true },
        },
      }),
    );
    call.start();
    call.turn('three years');
    call.batch([{ name: 'record', arguments: { age: 3 } }]);
    expect(call.outcome).toEqual(['reply form']);
    call.batch([], 'Thank you.', { asks: false });
    const help = 'You can say a day, such as next Friday or March 4. How would you like to go on?';
    expect(call.outcome).toEqual([`say: So: ${help}`]);
    call.turn('why do you ask');
    call.batch([], 'So that we have time.', { asks: false });
    expect(call.outcome).toEqual([`say: Back to my question: ${help}`]);
    call.turn('hm, well');
    call.batch([], 'Which day is it to be?', { asks: true });
    call.turn('and what for');
    call.batch([], 'For the visit.', { asks: false });
    expect(call.outcome).toEqual(['say: You can say a day, such as next Friday or March 4. Which day is it to be?']);
  });

  test('that was to ask in the model’s own words and did not is followed by a question all the same', () => {
    const call = started();
    call.batch([{ name: 'start' }, { name: 'record', arguments: { bike: 'race', who: 'Ada Park' } }]);
    call.turn('yes');
    expect(call.outcome).toEqual(['reply details']);
    call.batch([], 'I see.', { asks: false });
    expect(call.outcome).toEqual([expect.stringMatching(/^say: .+\?$/)]);
  });

  test('that leaves the line of a node unanswered is followed by its question', () => {
    const call = conversation(graphOf(flow));
    call.start();
    call.turn('I am not sure');
    call.batch([], 'Take your time.', { asks: false });
    expect(call.outcome).toEqual(['say: So: Would you like to book a service?']);
  });
});

/** Returns the outcome of each turn in which the model says one of these texts, until the conversation ends. */
function talkOn(call: ReturnType<typeof conversation>, texts: readonly string[], most = 20): readonly string[][] {
  const outcomes: string[][] = [];
  for (let turn = 0; turn < most && call.state.status === 'active'; turn += 1) {
    call.turn(`I have something else on my mind, number ${turn}`);
    const text = texts[turn % texts.length] ?? '';
    call.batch([], text, { asks: text.endsWith('?') });
    outcomes.push([...call.outcome]);
  }
  return outcomes;
}

describe('a model that says the same over and over', () => {
  const over = ['say: I am sorry, I cannot help you any further here, so I have to end this conversation. Goodbye.'];
  const meaning = 'Sorry, what do you mean?';

  test.each([
    ['with the same question', [meaning], 1],
    ['with two questions in turn', [meaning, 'Could you say that again?'], 2],
    ['behind an acknowledgement', [`I see. ${meaning}`, `Thank you. ${meaning}`], 2],
  ])('at the line of a node is followed by that line, and led on in the end: %s', (_, texts, fresh) => {
    const call = conversation(graphOf(flow));
    call.start();
    const outcomes = talkOn(call, texts);
    expect(outcomes.slice(0, fresh).flat()).toEqual([]);
    for (const outcome of outcomes.slice(fresh, -1))
      expect(outcome).toEqual([expect.stringMatching(/Would you like to book a service\?$/)]);
    expect(outcomes).toHaveLength(fresh + 6);
    expect(outcomes.at(-1)).toEqual([...over, 'end no-match']);
  });

  test('that puts the line of the node itself is led on as well', () => {
    const call = conversation(graphOf(flow));
    call.start();
    expect(talkOn(call, ['Would you like to book a service?'])).toEqual([
      [],
      [],
      [],
      [],
      [],
      [],
      [...over, 'end no-match'],
    ]);
  });

  test.each([
    [meaning, 'asks'],
    ['I did not get that.', 'says'],
  ])('where nothing is asked leads to what the caller wants, and then to where trouble leads: %s', (text) => {
    const call = conversation(graphOf({ ...flow, initialNode: 'prices', onTrouble: 'bye' }));
    call.start();
    call.batch([], 'We have many.', { asks: false });
    const outcomes = talkOn(call, [text]);
    expect(outcomes.slice(0, 3).flat()).toEqual([]);
    expect(outcomes[3]).toEqual(['say: How would you like to go on?']);
    expect(outcomes.at(-1)).toEqual(['say: Goodbye.', 'end completed']);
    expect(outcomes).toHaveLength(7);
  });

  test('and is to ask for a value itself is followed by what can be said', () => {
    const nodes = { ...flow.nodes, day: { collect: ['day'], defaultTransition: 'bye' } };
    const call = conversation(graphOf({ ...flow, nodes, initialNode: 'day' }));
    call.start();
    const outcomes = talkOn(call, ['Which day?']);
    expect(outcomes[3]).toEqual([expect.stringMatching(/^say: .*such as next Friday/)]);
    expect(outcomes.at(-1)).toEqual([...over, 'end no-match']);
  });

  test('is left to talk as long as it says anything new', () => {
    const call = conversation(graphOf({ ...flow, initialNode: 'prices' }));
    call.start();
    call.batch([], 'We have many.', { asks: false });
    const texts = Array.from({ length: 20 }, (_, index) => `That costs ${index} euros. Is there anything else?`);
    expect(talkOn(call, texts).flat()).toEqual([]);
  });
});
