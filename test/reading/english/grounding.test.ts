import { expect, test } from 'vitest';
import { grounding } from '../../../src/language/english/grounding.ts';
import type { Said } from '../../../src/language/english/said-words.ts';
import { examples, type Example } from './grounding-examples.ts';

const now = '2026-11-22T10:00';
const values: Readonly<Record<string, ReadonlyMap<string, readonly string[]>>> = {
  size: new Map([
    ['small', []],
    ['medium', ['regular']],
    ['large', ['big']],
  ]),
  reason: new Map([
    ['cleaning', ['checkup']],
    ['pain', ['toothache']],
    ['other', []],
  ]),
};

function saidOf([kind, about, , turns]: Example): Said {
  const [name = ''] = about.split(' ');
  const direction = name === 'birth_date' ? 'past' : kind === 'date' ? 'future' : undefined;
  const options = { now, ...(values[name] === undefined ? {} : { values: values[name] }) };
  return { turns, asked: true, about, options: { ...options, ...(direction === undefined ? {} : { direction }) } };
}

/** Checks whether a value is taken: if it was said, or for kinds that the model interprets, if it is near. */
function isTaken(kind: Example[0], said: Said, value: Example[2] | boolean): boolean {
  const found = grounding(kind, value, said);
  const byMeaning = kind === 'enum' || kind === 'boolean' || kind === 'text';
  return found === 'said' || (found === 'near' && byMeaning);
}

test('of values that were said and values that were not, no invented one is taken, and few right ones are asked back', () => {
  const wrong = examples.filter((example) => isTaken(example[0], saidOf(example), example[2]) !== example[4]);
  const told = wrong.map(
    ([, , value, turns, isSaid]) => `${isSaid ? 'said' : 'unsaid'}: ${value} in "${turns.join(' / ')}"`,
  );
  // Two spellings that were not said, and one day derived from another: each is read back.
  expect(told).toEqual([
    'said: Siobhan Kelly in "Shivawn Kelly"',
    'said: Katherine Meyer in "Catherine Meier"',
    'said: 2026-11-24 in "not tomorrow, the day after"',
  ]);
});

const options = { now };
const invented: readonly (readonly [Example[0], about: string, Example[2] | boolean, words: string])[] = [
  ['date', 'birth_date And your date of birth?', '1990-01-01', 'Maria Delgado.'],
  ['boolean', 'been_before Have you been here before?', true, 'Maria Delgado.'],
  ['boolean', 'been_before Have you been here before?', true, 'March fourth, 1984. And December first.'],
  ['enum', 'reason What brings you in?', 'pain', 'Maria Delgado.'],
  ['phone', 'phone Your number?', '+14155550123', 'Maria Delgado.'],
  ['date', 'day Which day?', '2026-11-24', 'Maria Delgado.'],
  ['time', 'visit_time What time?', '10:00', 'Maria Delgado.'],
  ['integer', 'pain_level From zero to ten, how bad is the pain?', 2, "I've had a sore knee for two weeks"],
  ['integer', 'pain_level From zero to ten, how bad is the pain?', 10, 'it hurt in the night 10 days ago'],
  ['name', 'full_name Your name?', 'John Doe', 'My internet is down.'],
  ['text', 'address Where do you live?', '123 Main Street, Springfield', 'My internet is down.'],
  ['email', 'email Your e-mail?', 'john@example.com', 'My internet is down.'],
];

test.each(invented)('a %s that the words do not hold is not taken: %s, %s, in "%s"', (kind, about, value, words) => {
  expect(
    isTaken(kind, { turns: [words], asked: false, about, options: { ...options, values: values['reason']! } }, value),
  ).toBe(false);
});

const volunteered: readonly (readonly [Example[0], about: string, Example[2] | boolean, words: string])[] = [
  ['boolean', 'been_before Have you been here before?', false, "Hi, I'm Maria Delgado and it is my first time."],
  ['enum', 'reason What brings you in?', 'pain', 'My tooth hurts, it is a toothache.'],
  ['integer', 'people How many people?', 4, 'A table for four at seven thirty on Friday, please.'],
  ['time', 'at What time?', '19:30', 'A table for four at seven thirty on Friday, please.'],
  ['date', 'day Which day?', '2026-11-27', 'A table for four at seven thirty on Friday, please.'],
  ['integer', 'nights How many nights?', 2, 'A double room for two nights from December the first.'],
  ['integer', 'age How old is the patient?', 34, 'She is 34 years old.'],
  ['text', 'problem What is wrong?', 'the brakes squeal', 'Hi, my name is Ann and the brakes squeal when I stop.'],
  [
    'phone',
    'phone Your number?',
    '+14155552671',
    'It is Ann Lee, my number is four one five, five five five, two six seven one.',
  ],
  ['name', 'guest Under which name?', 'Bob Stone', 'at seven, under bob stone'],
];

test.each(volunteered)('a %s that was said unasked is taken: %s, %s, in "%s"', (kind, about, value, words) => {
  expect(
    isTaken(kind, { turns: [words], asked: false, about, options: { ...options, values: values['reason']! } }, value),
  ).toBe(true);
});

test.each([
  ['enum', 'large', 'No, sorry, I meant Ada Park.'],
  ['enum', 'large', 'Um, well.'],
  ['text', 'nothing but water', 'No, not really.'],
  ['text', 'allergic to peanuts', 'Yes.'],
] as const)(
  'words that say no more than yes or no, hesitate, or begin with a no, mean no %s by themselves',
  (kind, value, words) => {
    const options = {
      now,
      ...(kind === 'enum' ? { values: values['size'] as ReadonlyMap<string, readonly string[]> } : {}),
    };
    const said = (turn: string): Said => ({ turns: [turn], asked: true, about: 'size Which one?', options });
    expect(grounding(kind, value, said(words))).toBe('unsaid');
    expect(grounding(kind, value, said('the one that fits four people'))).toBe('near');
  },
);

test('a no to an earlier question is no answer of none', () => {
  const said = { asked: true, about: 'pain_level From zero to ten, how bad is the pain?', options: { now } };
  expect(grounding('integer', 0, { ...said, turns: ['Yes.', 'No.'] })).toBe('said');
  expect(grounding('integer', 0, { ...said, turns: ['No.', 'When are you open?'] })).toBe('unsaid');
});

test.each([
  ['By the way, December first.', 'unsaid'],
  ['By the way, December first is the day of my shots.', 'near'],
] as const)('a day alone means no choice that was asked for: %s', (words, found) => {
  const said = { turns: [words], asked: true, about: 'reason What brings you in?' };
  expect(grounding('enum', 'vaccination', { ...said, options: { now, values: values['reason']! } })).toBe(found);
});

test.each([
  ['boolean', 'been_before Have you been here before?', true, 'When are you open?', 'unsaid'],
  ['boolean', 'been_before Have you been here before?', true, 'I think I was there in spring.', 'near'],
  ['text', 'reason What brings you in?', 'a visit', 'Where can I park?', 'unsaid'],
] as const)('whoever only asks back has answered nothing: %s, %s', (kind, about, value, words, found) => {
  expect(grounding(kind, value, { turns: [words], asked: true, about, options: { now } })).toBe(found);
});
