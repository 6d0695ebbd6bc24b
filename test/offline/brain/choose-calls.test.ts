import { describe, expect, test } from 'vitest';
import { moreSentences } from './more-sentences.ts';
import { answerTo, type Expected, judge, type Scene } from './scene.ts';
import { sentences } from './sentences.ts';
import { unseenSentences } from './unseen-sentences.ts';

describe('a sentence becomes the calls that it means, or none', () => {
  for (const { domain, scene, sentences: said } of sentences)
    test.each(said.map((sentence) => [sentence.say, sentence] as const))(`${domain}: %s`, (_say, sentence) => {
      const decision = answerTo(scene, sentence);
      const calls = Object.fromEntries(decision.calls.map((call) => [call.name, call.arguments]));
      expect(calls).toEqual(sentence.expect === 'asks' ? {} : sentence.expect);
    });
});

const slots: Scene['slots'] = {
  party_size: { type: 'integer', ask: 'How many of you will there be?' },
  day: { type: 'date', ask: 'Which day would you like to come?', after: 'today' },
  time: { type: 'time', ask: 'And at what time?' },
  name: { type: 'name', ask: 'What is your name?' },
  wishes: { type: 'text', ask: 'Is there anything that we should know?' },
  dish: { type: 'enum', ask: 'What would you like to eat?', values: ['fish', 'meat', 'soup', 'cake'] },
};
const asking = (slot: string, agent: string): Scene => ({ slots, collect: [slot], agent });

describe('what is said beside the question is not taken for its answer', () => {
  test.each<[string, Scene, string, Expected]>([
    [
      'an hour is no number',
      asking('party_size', 'How many of you?'),
      'By the way, seven in the evening.',
      { record: { time: '19:00' } },
    ],
    [
      'a date is no place in a list',
      asking('dish', 'What would you like to eat?'),
      'By the way, December fourth.',
      { record: { day: '2026-12-04' } },
    ],
    [
      'what leads to a value is no text',
      asking('wishes', 'Is there anything that we should know?'),
      'By the way, seven in the evening.',
      { record: { time: '19:00' } },
    ],
    ['another language is no name', asking('name', 'What is your name?'), 'Je ne comprends pas.', 'asks'],
    ['and no text', asking('wishes', 'Is there anything that we should know?'), 'Je ne comprends pas.', 'asks'],
    [
      'a word is no other name than the one read back',
      { ...asking('name', 'Anna Berg, is that right?'), known: { name: 'Anna Berg' }, unconfirmed: ['name'] },
      'Splendid.',
      'asks',
    ],
    [
      'a name beside a date is one',
      asking('day', 'Which day would you like to come?'),
      'Anna Berg, December first.',
      { record: { day: '2026-12-01', name: 'Anna Berg' } },
    ],
  ])('%s', (_, scene, say, expected) => {
    const decision = answerTo(scene, { say });
    const calls = Object.fromEntries(decision.calls.map((call) => [call.name, call.arguments]));
    expect(calls).toEqual(expected === 'asks' ? {} : expected);
    if (expected === 'asks') expect(decision.text).toBe('');
  });

  test('a no that goes on to a name refuses nothing', () => {
    const functions = [{ name: 'decline', description: 'The caller declines.' }];
    const scene: Scene = { slots, functions, agent: 'Shall we start?' };
    expect(answerTo(scene, { say: 'no it is Anna Berg' }).calls).toEqual([]);
    expect(answerTo(scene, { say: 'no, not now' }).calls).toEqual([{ name: 'decline', arguments: {} }]);
  });

  test('words that bring another value for a slot ask for no function', () => {
    const change = {
      name: 'existing_booking',
      description: 'The caller has a booking already and wants to change it.',
    };
    const scene: Scene = {
      slots,
      functions: [change],
      collect: ['party_size', 'time'],
      known: { party_size: 2 },
      agent: 'And at what time?',
    };
    for (const say of ['actually make it three people', 'change it to three people'])
      expect(answerTo(scene, { say }).calls).toEqual([{ name: 'record', arguments: { party_size: 3 } }]);
    expect(answerTo(scene, { say: 'I want to change my booking' }).calls).toEqual([
      { name: 'existing_booking', arguments: {} },
    ]);
  });

  test.each(['can I speak with somebody', 'I would like to talk with someone'])('a person is asked for: %s', (say) => {
    const functions = [{ name: 'person', description: 'The caller asks for a person.' }];
    expect(answerTo({ slots, functions, agent: 'And at what time?' }, { say }).calls).toEqual([
      { name: 'person', arguments: {} },
    ]);
  });

  test('the value that is known already answers the question for another one', () => {
    const parameters = { type: 'object', properties: { day: { type: 'string', format: 'date' } }, required: ['day'] };
    const change = { name: 'change_day', description: 'The caller names another day.', parameters };
    const scene = {
      slots,
      functions: [change],
      known: { day: '2026-12-01' },
      agent: 'Which other day would suit you?',
    };
    expect(answerTo(scene, { say: 'December first.' }).calls).toEqual([
      { name: 'change_day', arguments: { day: '2026-12-01' } },
    ]);
  });
});

describe('sentences from other domains', () => {
  test.each([
    ['those written before the rules were first run', moreSentences],
    ['those written when the rules were done', unseenSentences],
  ])('are understood or not, never taken for something else: %s', (_which, groups) => {
    const verdicts = groups.flatMap(({ domain, scene, sentences: said }) =>
      said.map((sentence) => {
        const decision = answerTo(scene, sentence);
        return {
          verdict: judge(decision, sentence.expect),
          what: `${domain}: ${sentence.say} => ${JSON.stringify(decision)}`,
        };
      }),
    );
    const of = (verdict: string): string[] =>
      verdicts.filter((each) => each.verdict === verdict).map((each) => each.what);
    expect(of('wrong')).toEqual([]);
    expect(of('right').length / verdicts.length).toBeGreaterThan(0.9);
  });
});

describe('a function that says goodbye is called by a farewell', () => {
  const scene: Scene = {
    slots,
    collect: ['name'],
    agent: 'How can I help?',
    functions: [{ name: 'goodbye', description: 'The caller says goodbye.' }],
  };
  test.each([
    'Goodbye!',
    'OK bye',
    'That is all, goodbye',
    "No, that's all I need. Thank you!",
    'Thanks, see you',
    'See you tomorrow',
    'Have a nice day',
    'Bye for now',
    'goodbye to you too',
    'I have to say goodbye now',
    'Can we end the call please?',
    'You can hang up now',
    'I am done, thanks',
  ])('%s', (say) => {
    expect(answerTo(scene, { say }).calls).toContainEqual({ name: 'goodbye', arguments: {} });
  });

  test.each([
    'I want to say goodbye to my old contract',
    'say goodbye to my old contract',
    'Kiss goodbye to my deposit',
    'It is bye bye to my savings',
    'I would like to come and see you on Friday',
    'Can I see you tomorrow?',
    'I have to hang up the picture',
    'Why did you hang up on me?',
    'The last agent told me goodbye and hung up',
    'That is everything I know about the crash',
    'I want to end the call forwarding',
    'Do not hang up',
  ])('and not by "%s"', (say) => {
    expect(answerTo(scene, { say }).calls.filter(({ name }) => name === 'goodbye')).toEqual([]);
  });
});

test.each<[string, Expected]>([
  ['No entiendo', {}],
  ['no lo tengo', {}],
  ['No, Maria Delgado', { record: { name: 'Maria Delgado' } }],
  ['no, delgado', { record: { name: 'Delgado' } }],
])('a name is not taken from a denial: %s', (say, expected) => {
  const { calls } = answerTo(asking('name', 'What is your name?'), { say });
  expect(Object.fromEntries(calls.map((call) => [call.name, call.arguments]))).toEqual(expected);
});
