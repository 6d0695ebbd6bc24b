import { describe, expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { viewOf } from '../../src/kernel/state/view.ts';
import { readUtterance } from '../../src/engine/words/read-utterance.ts';
import { conversation, graphOf, noon, noonCivil } from './session.ts';

const task = [{ role: 'system' as const, content: 'Help.' }];
const flow: ConversationFlow = {
  initialNode: 'details',
  slots: {
    who: { type: 'name', ask: 'Who is calling, please?', confirm: 'readback' },
    day: { type: 'date', ask: 'Which day?' },
    reason: { type: 'enum', optional: true, values: { repair: ['squeaks'], check: [] } },
  },
  functions: [
    { name: 'hours', description: 'Asks when it is open.', digression: true, transitionTo: 'hours' },
    { name: 'person', description: 'Wants a person.', transitionTo: 'person' },
  ],
  nodes: {
    details: {
      collect: ['who', 'day'],
      functions: [{ name: 'will_not_say', transitionTo: 'person' }],
      defaultTransition: 'book',
    },
    book: {
      taskMessages: task,
      functions: [
        {
          name: 'book_service',
          parameters: { type: 'object', properties: { day: { type: 'string', format: 'date' } }, required: ['day'] },
          effect: 'write',
          confirm: 'Shall I book {{ day }} for {{ who }}?',
          transitionTo: 'done',
        },
        { name: 'price', handler: 'price', description: 'Looks the price up.' },
        { name: 'do_not_book', description: 'Wants something else.', transitionTo: 'other' },
      ],
    },
    alone: {
      taskMessages: task,
      functions: [
        {
          name: 'cancel_visit',
          handler: 'cancel',
          effect: 'write',
          confirm: 'Shall I cancel it?',
          transitionTo: 'done',
        },
      ],
    },
    led: {
      taskMessages: task,
      functions: [
        {
          name: 'pay',
          handler: 'pay',
          effect: 'write',
          confirm: 'Shall I pay?',
          onRefuse: 'other',
          transitionTo: 'done',
        },
        { name: 'wait_for_it', description: 'Waits.', transitionTo: 'other' },
      ],
    },
    hours: { taskMessages: task, functions: [{ name: 'back', transitionTo: '$return' }] },
    other: { say: 'What would you like instead?', functions: [{ name: 'again', transitionTo: 'book' }] },
    person: { say: 'I am putting you through.', end: 'person' },
    done: { say: 'It is done.', end: 'done' },
  },
};
const graph = graphOf(flow, ['book_service', 'price', 'cancel', 'pay']);

function talk() {
  const call = conversation(graph);
  call.start();
  return Object.assign(Object.create(call) as typeof call, {
    /** Sends the caller's words, read as the engine reads them. */
    says(text: string): readonly string[] {
      const utterance = readUtterance({ graph, state: call.state, civil: noonCivil }, text);
      call.send({ type: 'user:turn', at: noon, eventId: `ev${call.log.length}`, text, via: 'text', utterance });
      return call.outcome;
    },
    offered: () => viewOf(graph, call.state, noonCivil).functions.map(({ name }) => name),
  });
}

const thursday = { name: 'book_service', arguments: { day: '2026-11-26' }, state: 'waiting' as const };
const question = 'Shall I book November 26, 2026 for Ada Park?';

/** A conversation at the question whether to book Thursday. */
function askedToBook() {
  const call = talk();
  call.turn('Ada Park, Thursday');
  call.batch([{ name: 'record', arguments: { who: 'Ada Park', day: '2026-11-26', reason: 'repair' } }]);
  call.says('yes');
  expect(call.outcome).toEqual(['reply book']);
  call.batch([thursday]);
  expect(call.outcome).toEqual([`wait: ${question}`]);
  return call;
}

/** A conversation at the confirmation of a function of the node. */
function askedAt(node: string, name: string) {
  const call = talk();
  call.request(node);
  call.batch([{ name, state: 'waiting' }]);
  return call;
}

describe('a confirmation stays open', () => {
  test('after mere sounds: it is put again in other words, without the model, and a yes runs it', () => {
    const call = askedToBook();
    expect(call.says('hmm')).toEqual([
      expect.stringMatching(/^say: .+ Shall I book November 26, 2026 for Ada Park\?$/),
    ]);
    expect(call.says('erm')[0]).not.toBe(`say: ${question}`);
    expect(call.says('yes please')).toEqual(['tool book_service']);
  });

  test('after a question that the model answers: it is put again in the same breath', () => {
    const call = askedToBook();
    expect(call.says('what does it cost?')).toEqual(['reply book']);
    call.batch([], 'Forty euros.', { asks: false });
    expect(call.outcome).toEqual([`say: So: ${question}`]);
    expect(call.says('and when do you close?')).toEqual(['reply book']);
    call.batch([], 'At six.', { asks: false });
    expect(call.outcome).toHaveLength(1);
    expect(call.says('okay, yes')).toEqual(['tool book_service']);
  });

  test('after a function that looks something up for the answer', () => {
    const call = askedToBook();
    call.says('what does it cost?');
    call.batch([{ name: 'price', result: 40 }]);
    expect(call.outcome).toEqual(['reply book']);
    call.batch([], 'Forty euros.', { asks: false });
    expect(call.outcome).toEqual([`say: So: ${question}`]);
  });

  test('but a yes to a question of the model’s own is no yes to it, whatever the model makes of it', () => {
    const call = askedToBook();
    call.says('what does it cost?');
    call.batch([], 'With or without tyres?', { asks: true });
    expect(call.outcome).toEqual([]);
    expect(call.says('yes')).toEqual(['reply book']);
    expect(call.offered()).toContain('answer');
    call.batch([{ name: 'answer', arguments: { agrees: true } }]);
    expect(call.outcome).toEqual([expect.stringContaining(question)]);
    expect(call.says('yes')).toEqual(['tool book_service']);
  });

  test('through a digression that comes back', () => {
    const call = askedToBook();
    call.says('when are you open?');
    call.batch([{ name: 'hours' }]);
    call.batch([{ name: 'back' }], 'Until six.', { asks: false });
    expect(call.outcome).toEqual([`wait: ${question}`]);
    const key = (call.says('yes'), call.effects[0]?.key ?? '');
    call.settleTool(key);
    expect(call.state.position.node).toBe('done');
  });

  test('behind the answer to something else, and is put in other words after that', () => {
    const call = conversation(
      graphOf(
        {
          ...flow,
          nodes: { ...flow.nodes, hours: { say: 'Until six.', listen: false, defaultTransition: '$return' } },
        },
        ['book_service', 'price', 'cancel', 'pay'],
      ),
    );
    call.start();
    call.turn('Ada Park');
    call.batch([{ name: 'record', arguments: { who: 'Ada Park' } }]);
    call.turn('when are you open?');
    call.batch([{ name: 'hours' }]);
    expect(call.state.dialogue.said.text).toBe('Until six. So: Ada Park, is that right?');
    call.turn('December first');
    call.batch([{ name: 'record', arguments: { day: '2026-12-01' } }]);
    expect(call.outcome).toEqual(['say: Back to my question: Ada Park, is that right?']);
  });

  test('until the node is left: then no later yes runs it', () => {
    const call = askedToBook();
    call.says('rather something else');
    call.batch([{ name: 'do_not_book' }]);
    expect(call.told('tool:settled')).toContainEqual(expect.objectContaining({ state: 'cancelled' }));
    expect(call.outcome).toEqual(['say: What would you like instead?']);
    expect(call.says('yes')).toEqual(['reply other']);
  });
});

test('a question is put again whole where a value in it seems to end a sentence', () => {
  const address = '12 Oak St. Flat 4. Ring twice!';
  const sending = graphOf(
    {
      initialNode: 'send',
      nodes: {
        send: {
          taskMessages: task,
          functions: [
            {
              name: 'send',
              handler: 'send',
              parameters: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
              effect: 'write',
              confirm: 'It costs 95 dollars. Shall I send somebody to {{ to }}?',
              transitionTo: 'done',
            },
          ],
        },
        done: { say: 'Sent.', end: 'sent' },
      },
    },
    ['send'],
  );
  const call = conversation(sending);
  call.start();
  call.turn('Send somebody.');
  call.batch([{ name: 'send', arguments: { to: address }, state: 'waiting' }]);
  call.turn('hmm', undefined, { isBlank: true });
  expect(call.outcome).toEqual([
    `say: Sorry, I did not get that. It costs 95 dollars. Shall I send somebody to ${address}?`,
  ]);
});

describe('consent by meaning', () => {
  test('is told by the reserved function, in the inference that the turn costs anyway', () => {
    const call = askedToBook();
    expect(call.says('yes, that would make my day')).toEqual(['reply book']);
    call.batch([{ name: 'answer', arguments: { agrees: true } }]);
    expect(call.outcome).toEqual(['tool book_service']);
  });

  test('is the model’s repetition of exactly what was asked about', () => {
    const call = askedToBook();
    call.says('That works wonderfully.');
    call.batch([thursday]);
    expect(call.outcome).toEqual(['tool book_service']);
    expect(call.state.dialogue.confirmations).toEqual([]);
  });

  test.each([
    ['splendid', 'Sorry, I did not get that.'],
    ['Je ne comprends pas.', 'So:'],
  ])('is not the model’s repetition after %j, in which no yes is known', (words, lead) => {
    const call = askedToBook();
    call.says(words);
    call.batch([thursday]);
    expect(call.outcome).toEqual([`say: ${lead} ${question}`]);
  });

  test.each(['no, at ten', 'no, that is too much', 'not at that price'])(
    'is refused by %j, whatever the model makes of it',
    (words) => {
      for (const calls of [[thursday], [{ name: 'answer', arguments: { agrees: true } }], []]) {
        const call = askedToBook();
        call.says(words);
        call.batch(calls, calls.length === 0 ? 'I see.' : '', { asks: false });
        expect(call.told('wait:answered')).toMatchObject([{ answer: 'no' }]);
      }
    },
  );

  test.each(['yes, but at ten', 'sure, if it is cheap', 'what does it cost?'])(
    'is never taken out of %j, whatever the model makes of it',
    (words) => {
      for (const calls of [[thursday], [{ name: 'answer', arguments: { agrees: true } }]]) {
        const call = askedToBook();
        call.says(words);
        call.batch(calls);
        expect(call.outcome).toEqual([`say: So: ${question}`]);
      }
    },
  );

  test.each([
    ['by the way, Ada Park', `Sorry, I did not get that. ${question}`],
    ['actually, Thursday', `Sorry, I did not get that. ${question}`],
    ['you know, my brake squeaks', `Sorry, I did not get that. ${question}`],
    ['From Tuesday, not Monday.', `So: ${question}`],
    ['I will think about it.', `Sorry, I did not get that. ${question}`],
    ['um, well', `So: ${question}`],
    ['thanks', `So: ${question}`],
  ])('is none in a fact and nothing else, nor in nothing at all: %j', (words, next) => {
    const call = askedToBook();
    call.says(words);
    call.batch([{ name: 'answer', arguments: { agrees: true } }]);
    expect(call.outcome.map((one) => one.replace(/^\w+: /, ''))).toEqual([next]);
  });

  test('is none in another value, which is asked about without the model', () => {
    const call = askedToBook();
    expect(call.says('December third, 2026')).toEqual(['wait: Shall I book December 3, 2026 for Ada Park?']);
  });

  test('is none where the caller wants something instead', () => {
    const call = askedToBook();
    call.says('splendid only later');
    call.batch([{ name: 'answer', arguments: { agrees: true, instead: 'a later day' } }]);
    expect(call.outcome).toEqual([`say: So: ${question}`]);
  });

  test('confirms a value that was read back', () => {
    const call = talk();
    call.turn('Ada Park');
    call.batch([{ name: 'record', arguments: { who: 'Ada Park' } }]);
    expect(call.outcome).toEqual(['wait: Ada Park, is that right?']);
    call.says('yes, that is what it says on my passport');
    call.batch([{ name: 'answer', arguments: { agrees: true } }]);
    expect(call.state.knowledge.slots['who']).toMatchObject({ confirmed: true });
    expect(call.outcome).toEqual(['say: Which day?']);
  });

  test('is none in words that could be a name as well, and they are no other name either', () => {
    const call = talk();
    call.turn('Ada Park');
    call.batch([{ name: 'record', arguments: { who: 'Ada Park' } }]);
    call.says('Exakt Genau');
    call.batch([{ name: 'answer', arguments: { agrees: true } }]);
    expect(call.state.knowledge.slots['who']).toMatchObject({ value: 'Ada Park', confirmed: false });
    expect(call.outcome).toEqual([expect.stringContaining('Ada Park, is that right?')]);
  });

  test('is not offered while nothing is asked', () => {
    const call = talk();
    call.turn('hello');
    expect(call.offered()).not.toContain('answer');
  });
});

describe('a correction', () => {
  test('voids the question and asks about the new facts, without another inference', () => {
    const call = askedToBook();
    call.says('no, Friday please');
    call.batch([{ name: 'record', arguments: { day: '2026-11-27' } }]);
    expect(call.outcome).toEqual(['wait: Shall I book November 27, 2026 for Ada Park?']);
    const [effect] = (call.says('yes'), call.effects);
    expect(effect?.payload).toMatchObject({ arguments: { day: '2026-11-27' }, confirmed: true });
  });

  test('by the same function with other arguments asks anew as well', () => {
    const call = askedToBook();
    call.says('make it Friday');
    call.batch([{ ...thursday, arguments: { day: '2026-11-27' } }]);
    expect(call.outcome).toEqual(['wait: Shall I book November 27, 2026 for Ada Park?']);
  });

  test('does nothing else: what a model calls beside it does not move', () => {
    const call = talk();
    call.turn('Ada Park');
    call.batch([{ name: 'record', arguments: { who: 'Ada Park' } }]);
    call.says('No, Robert Smith. What a mess.');
    call.batch([{ name: 'record', arguments: { who: 'Robert Smith' } }, { name: 'will_not_say' }]);
    expect(call.state.position.node).toBe('details');
    expect(call.told('transition:dropped')).toEqual([{ to: 'person', function: 'will_not_say', reason: 'corrected' }]);
    expect(call.outcome).toEqual(['wait: Robert Smith, is that right?']);
  });

  test('of nothing that is asked about leaves the question open', () => {
    const call = talk();
    call.turn('Ada Park');
    call.batch([{ name: 'record', arguments: { who: 'Ada Park' } }]);
    call.says('and I come on Thursday');
    call.batch([{ name: 'record', arguments: { day: '2026-11-26' } }]);
    expect(call.outcome).toEqual(['say: So: Ada Park, is that right?']);
  });
});

describe('a refusal', () => {
  test('cannot be answered by the same call again: its function is not offered before the caller has spoken', () => {
    const call = askedToBook();
    expect(call.says('no')).toEqual(['reply book']);
    expect(call.offered()).not.toContain('book_service');
    call.batch([{ ...thursday, state: 'blocked' }]);
    expect(call.outcome).toEqual([
      expect.stringMatching(/^say: What .+ instead\?$|^say: What would you like to change\?$/),
    ]);
    call.says('book it on Friday then');
    expect(call.offered()).toContain('book_service');
  });

  test('leads where the author says', () => {
    const call = askedAt('led', 'pay');
    expect(call.says('no')).toEqual(['say: What would you like instead?']);
    expect(call.state.position.node).toBe('other');
  });

  test('is answered by one open question where the node has nothing else', () => {
    const call = askedAt('alone', 'cancel_visit');
    const [line] = call.says('no');
    expect(line).toMatch(/^say: What .+\?$/);
    expect(line).not.toContain('Shall I cancel it?');
  });

  test('by meaning is one as well', () => {
    const call = askedAt('led', 'pay');
    call.says('I would rather keep my money');
    call.batch([{ name: 'answer', arguments: { agrees: false } }]);
    expect(call.state.position.node).toBe('other');
  });

  test('after which the model asks nothing is followed by a question', () => {
    const call = askedToBook();
    call.says('no');
    call.batch([], 'Alright.', { asks: false });
    expect(call.outcome).toEqual([expect.stringMatching(/^say: What .+\?$/)]);
  });
});

describe('a question that a hook took back', () => {
  const decided = (key: string, more: { keepsQuestion?: true } = {}) =>
    ({ type: 'response:decided', at: noon, key, action: 'replace', ...more }) as const;

  test('is not open: a yes to what was said instead runs nothing', () => {
    const call = askedToBook();
    const key = call.effects[0]?.key ?? '';
    call.send(decided(key));
    call.heard(key, 'I cannot do that. Anything else?');
    expect(call.says('yes')).toEqual(['reply book']);
    expect(call.offered()).not.toContain('answer');
  });

  test('is not open either where it was put again', () => {
    const call = askedToBook();
    const [again] = (call.says('hmm'), call.effects);
    call.send(decided(again?.key ?? ''));
    expect(call.says('yes')).toEqual(['reply book']);
  });

  test('stays open where what was said instead asks the same', () => {
    const call = askedToBook();
    const key = call.effects[0]?.key ?? '';
    call.send(decided(key, { keepsQuestion: true }));
    call.heard(key, 'Shall I book it for ***?', 'done', 'Shall I book it for ***?');
    expect(call.says('yes')).toEqual(['tool book_service']);
  });
});
