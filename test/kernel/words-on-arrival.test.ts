import { describe, expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { actsOfOldReading } from '../../src/kernel/dialogue/old-reading.ts';
import { readUtterance } from '../../src/engine/words/read-utterance.ts';
import { conversation, graphOf, noon, noonCivil } from './session.ts';

const flow: ConversationFlow = {
  initialNode: 'greet',
  slots: {
    who: { type: 'name', ask: 'May I have your name?' },
    reason: { type: 'text', ask: 'What brings you in?' },
  },
  functions: [
    { name: 'parking', digression: true, transitionTo: 'parking' },
    { name: 'hours', digression: true, transitionTo: 'hours' },
  ],
  nodes: {
    greet: { say: 'Hello, this is the clinic.', defaultTransition: 'details' },
    notice: { say: 'This call is recorded.', listen: false, defaultTransition: 'details' },
    welcome: { say: 'Welcome.', defaultTransition: 'notice' },
    menu: { say: 'How can I help?', functions: [{ name: 'start', transitionTo: 'details' }] },
    route: { type: 'control.switch', input: { value: 'x', cases: [] }, defaultTransition: 'details' },
    before: { say: 'One question first.', defaultTransition: 'route' },
    details: { collect: ['who', 'reason'], defaultTransition: 'bye' },
    parking: { say: 'Behind the house. Anything else?', defaultTransition: '$return' },
    hours: { say: 'Until six.', defaultTransition: '$return' },
    bye: { say: 'Goodbye.', end: true },
  },
};

function talk(initialNode = 'greet') {
  const graph = graphOf({ ...flow, initialNode });
  const call = conversation(graph);
  call.start();
  return Object.assign(Object.create(call) as typeof call, {
    says(text: string): readonly string[] {
      const utterance = readUtterance({ graph, state: call.state, civil: noonCivil }, text);
      call.send({ type: 'user:turn', at: noon, eventId: `ev${call.log.length}`, text, via: 'text', utterance });
      return call.outcome;
    },
  });
}

const told = 'Hi, my name is Ada Park and I need a check-up.';

describe('words by which a node is left', () => {
  test('are heard by the node that the flow comes to', () => {
    const call = talk();
    expect(call.says(told)).toEqual(['reply details']);
    call.batch([{ name: 'record', arguments: { who: 'Ada Park', reason: 'a check-up' } }]);
    expect(call.outcome).toEqual(['say: Goodbye.', 'end completed']);
  });

  test.each(['hello', 'Yes, thank you.', 'okay', 'erm'])('cost no inference where they say nothing (%j)', (words) => {
    expect(talk().says(words)).toEqual(['say: May I have your name?']);
  });

  test('are heard behind a node that runs at once', () => {
    expect(talk('before').says(told)).toEqual(['reply details']);
  });

  test('are heard behind a line that goes straight on', () => {
    expect(talk('welcome').says(told)).toEqual(['say: This call is recorded.', 'reply details']);
  });

  test('are heard where a digression comes back to', () => {
    const call = talk();
    call.says('hello');
    call.says('where can I park?');
    call.batch([{ name: 'parking' }]);
    expect(call.outcome).toEqual(['say: Behind the house. Anything else?']);
    expect(call.says('no, and my name is Ada Park')).toEqual(['reply details']);
  });

  test('are not heard twice: where the model has only talked about them, the question comes', () => {
    const call = talk();
    call.says('I have been here before');
    call.batch([], 'Welcome back.', { asks: false });
    expect(call.outcome).toEqual(['say: May I have your name?']);
  });
});

describe('a function that moves and keeps nothing of the words', () => {
  test('leaves them to the next node, where they hold what that wants to know', () => {
    const call = talk('menu');
    call.says('yes, my name is Ada Park');
    call.batch([{ name: 'start' }]);
    expect(call.outcome).toEqual(['reply details']);
    call.batch([{ name: 'record', arguments: { who: 'Ada Park' } }]);
    expect(call.outcome).toEqual(['say: What brings you in?']);
  });

  test('costs nothing more where they hold nothing of it, or it was kept', () => {
    const bare = talk('menu');
    bare.says('I would like to come in');
    bare.batch([{ name: 'start' }]);
    expect(bare.outcome).toEqual(['say: May I have your name?']);
    const kept = talk('menu');
    kept.says('yes, my name is Ada Park');
    kept.batch([{ name: 'record', arguments: { who: 'Ada Park' } }, { name: 'start' }]);
    expect(kept.outcome).toEqual(['say: What brings you in?']);
  });
});

test('an answer goes straight back to the open question', () => {
  const call = talk();
  call.says('hello');
  call.says('when do you close?');
  call.batch([{ name: 'hours' }]);
  expect(call.outcome).toEqual(['say: Until six.', 'say: So: May I have your name?']);
});

test('a line that is not to listen goes straight on', () => {
  const call = talk('notice');
  expect(call.outcome).toEqual(['say: This call is recorded.', 'say: May I have your name?']);
});

describe('a question that is put in a line', () => {
  const arrives = (): ReturnType<typeof talk> => {
    const graph = graphOf({
      ...flow,
      initialNode: 'greet',
      nodes: { ...flow.nodes, greet: { say: 'Hello.', defaultTransition: 'menu' } },
    });
    const call = conversation(graph);
    call.start();
    return Object.assign(Object.create(call) as typeof call, {
      says(text: string): readonly string[] {
        const utterance = readUtterance({ graph, state: call.state, civil: noonCivil }, text);
        call.send({ type: 'user:turn', at: noon, eventId: `ev${call.log.length}`, text, via: 'text', utterance });
        return call.outcome;
      },
    });
  };

  test('is not put where the words that lead to it answer it', () => {
    const call = arrives();
    expect(call.says('I would like to make an appointment')).toEqual(['reply menu']);
    call.batch([{ name: 'start' }]);
    expect(call.outcome).toEqual(['say: May I have your name?']);
  });

  test.each([
    ['only talks', [], 'I see.'],
    ['keeps a fact', [{ name: 'record', arguments: { who: 'Ada Park' } }], ''],
    ['says nothing', [], ''],
  ])('is put whole where the model %s', (_, calls, text) => {
    const call = arrives();
    call.says('It is me, Ada Park');
    call.batch(calls, text, text === '' ? {} : { asks: false });
    expect(call.outcome).toEqual(['say: How can I help?']);
    // The question was put once.
    call.says('well');
    call.batch([], 'Hm.', { asks: false });
    expect(call.outcome).toEqual(['say: So: How can I help?']);
  });

  test('is put where the model fails', () => {
    const call = arrives();
    call.says('It is me, Ada Park');
    call.failReply();
    expect(call.outcome).toEqual(['say: How can I help?']);
  });

  test('is not put behind a question of the model’s own', () => {
    const call = arrives();
    call.says('It is me, Ada Park');
    call.batch([], 'Are you well?', { asks: true });
    expect(call.outcome).toEqual([]);
  });
});

describe('a value that the caller told before they were asked for it, and that cannot be taken', () => {
  const slots = { day: { type: 'date', after: 'today', ask: 'Which day?' } } as const;
  const menu = { say: 'Shall I book?', functions: [{ name: 'book', transitionTo: 'plan' }] };
  const plan = { collect: ['day'], defaultTransition: 'bye' };
  const calls = [{ name: 'record', arguments: { day: '2026-11-21' } }, { name: 'book' }];
  test.each([
    ['a table for today', 'It must be after today. Which day?'],
    // A value that the model made up is not announced to the caller.
    ['a table', 'Which day?'],
  ])('is told with the question where it was said (%j)', (words, asked) => {
    const graph = graphOf({ initialNode: 'menu', slots, nodes: { menu, plan, bye: { say: 'Bye.', end: true } } });
    const call = conversation(graph);
    call.start();
    const utterance = readUtterance({ graph, state: call.state, civil: noonCivil }, words);
    call.send({ type: 'user:turn', at: noon, eventId: 'ev', text: words, via: 'text', utterance });
    call.batch(calls);
    expect(call.outcome).toEqual([`say: ${asked}`]);
  });
});

describe('a model that has nothing to say to the words that led here', () => {
  test('leaves the question of a slot to be put for the first time, as it stands', () => {
    const call = talk();
    expect(call.says('I have a strange matter with my cat.')).toEqual(['reply details']);
    call.failReply('empty');
    expect(call.outcome).toEqual(['say: May I have your name?']);
    call.says('Blah, blah, who knows.');
    call.failReply('empty');
    expect(call.outcome).toEqual(['say: Sorry, I did not get that. May I have your name?']);
  });

  test('leaves the question of a line to be put as it stands', () => {
    const nodes = { ...flow.nodes, greet: { say: 'Hello, this is the clinic.', defaultTransition: 'menu' } };
    const call = conversation(graphOf({ ...flow, nodes }));
    call.start();
    const utterance = actsOfOldReading({ mentions: ['who'] });
    call.send({ type: 'user:turn', at: noon, eventId: 'ev', text: 'Please book it.', via: 'text', utterance });
    call.failReply('empty');
    expect(call.outcome).toEqual(['say: How can I help?']);
    expect(call.told('question:missed')).toEqual([]);
  });
});
