import type { ReadOptions, ValueKind } from '../../../src/language/english/reading.ts';

/** A sentence written before the rules for it. `undefined` means that no value may be read and the caller is asked again. */
export interface UnseenSentence {
  kind: ValueKind;
  text: string;
  expected: string | number | boolean | undefined;
  options?: Partial<ReadOptions>;
}

/** A Saturday. */
export const NOW = '2026-11-21T12:00';

const asked = { asked: true } as const;
const birth = { asked: true, direction: 'past' } as const;
const visit = { asked: true, direction: 'future' } as const;
const rooms = {
  asked: true,
  values: new Map<string, readonly string[]>([
    ['single_room', ['just one bed', 'for one']],
    ['double_room', ['double', 'for two']],
    ['suite', ['the big one', 'penthouse']],
    ['other', []],
  ]),
};
const trouble = {
  values: new Map<string, readonly string[]>([
    ['billing', ['invoice', 'charged', 'refund']],
    ['technical_support', ['broken', 'not working', 'internet is down']],
    ['sales', ['buy', 'upgrade', 'new plan']],
  ]),
};

const names: UnseenSentence[] = [
  { kind: 'name', text: 'yeah hi my name is samuel okafor', expected: 'Samuel Okafor' },
  { kind: 'name', text: "Sure, it's Priya Raman.", expected: 'Priya Raman', options: asked },
  { kind: 'name', text: 'uh bartholomew', expected: 'Bartholomew', options: asked },
  { kind: 'name', text: "good morning this is Helen O'Brien calling about my bill", expected: "Helen O'Brien" },
  { kind: 'name', text: 'everyone calls me Teddy', expected: 'Teddy' },
  { kind: 'name', text: 'you can call me jo', expected: 'Jo' },
  { kind: 'name', text: "the name's Bond, James Bond", expected: 'James Bond', options: asked },
  { kind: 'name', text: 'first name is lucia last name fernandez', expected: 'Lucia Fernandez', options: asked },
  { kind: 'name', text: 'my name is Stephen, no sorry, Stephanie Clark', expected: 'Stephanie Clark', options: asked },
  { kind: 'name', text: 'kowalski that is k o w a l s k i', expected: 'Kowalski', options: asked },
  { kind: 'name', text: 'jan van der berg', expected: 'Jan van der Berg', options: asked },
  { kind: 'name', text: 'I would like to change my appointment', expected: undefined, options: asked },
  { kind: 'name', text: 'why do you need my name', expected: undefined, options: asked },
  { kind: 'name', text: "I'm not giving you that", expected: undefined, options: asked },
  { kind: 'name', text: 'can you repeat that', expected: undefined, options: asked },
  { kind: 'name', text: "I'm really tired of waiting", expected: undefined },
  { kind: 'name', text: 'this is ridiculous', expected: undefined },
  { kind: 'name', text: "it's about a delivery", expected: undefined, options: asked },
  { kind: 'name', text: "I'm in a hurry", expected: undefined, options: asked },
  { kind: 'name', text: 'hello', expected: undefined, options: asked },
  { kind: 'name', text: 'one second please', expected: undefined, options: asked },
  { kind: 'name', text: "we're a party of six", expected: undefined },
  { kind: 'name', text: "I'm diabetic", expected: undefined },
  { kind: 'name', text: 'yes speaking', expected: undefined, options: asked },
];

const dates: UnseenSentence[] = [
  { kind: 'date', text: 'september ninth nineteen seventy one', expected: '1971-09-09', options: birth },
  { kind: 'date', text: 'the twenty second of july two thousand and three', expected: '2003-07-22', options: birth },
  { kind: 'date', text: 'I was born on the first of January 1960', expected: '1960-01-01', options: birth },
  { kind: 'date', text: 'ten thirty one seventy eight', expected: '1978-10-31', options: birth },
  { kind: 'date', text: 'august fifth', expected: undefined, options: birth },
  { kind: 'date', text: 'june twenty first eighty nine', expected: '1989-06-21', options: birth },
  { kind: 'date', text: 'february thirtieth nineteen ninety', expected: undefined, options: birth },
  { kind: 'date', text: 'may second, hold on, may third, two thousand one', expected: '2001-05-03', options: birth },
  { kind: 'date', text: '11/30/1999', expected: '1999-11-30', options: birth },
  { kind: 'date', text: '30/11/1999', expected: '1999-11-30', options: { ...birth, region: 'GB' } },
  { kind: 'date', text: "it's nineteen eighty four", expected: undefined, options: birth },
  { kind: 'date', text: 'can we do the day after tomorrow', expected: '2026-11-23', options: visit },
  { kind: 'date', text: 'a week from monday', expected: '2026-11-30', options: visit },
  { kind: 'date', text: 'in three days', expected: '2026-11-24', options: visit },
  { kind: 'date', text: 'thursday would be best', expected: '2026-11-26', options: visit },
  { kind: 'date', text: 'tuesday or wednesday', expected: undefined, options: visit },
  { kind: 'date', text: 'sometime next week', expected: undefined, options: visit },
  { kind: 'date', text: 'not monday, tuesday', expected: '2026-11-24', options: visit },
  { kind: 'date', text: 'january the second', expected: '2027-01-02', options: visit },
  { kind: 'date', text: 'Friday the tenth of December', expected: undefined, options: visit },
  { kind: 'date', text: 'whenever you have something', expected: undefined, options: visit },
  {
    kind: 'date',
    text: 'December twenty fourth at five pm for four people',
    expected: '2026-12-24',
    options: { direction: 'future' },
  },
  { kind: 'date', text: 'we may need two rooms', expected: undefined, options: { direction: 'future' } },
  { kind: 'date', text: 'my second child was ill', expected: undefined, options: visit },
  { kind: 'date', text: 'To-morrow, please.', expected: '2026-11-22', options: visit },
];

const times: UnseenSentence[] = [
  { kind: 'time', text: 'quarter past eight in the morning', expected: '08:15', options: asked },
  { kind: 'time', text: 'six forty five pm', expected: '18:45', options: asked },
  { kind: 'time', text: 'let us say eleven', expected: '11:00', options: asked },
  { kind: 'time', text: 'two thirty would be great', expected: '14:30', options: asked },
  { kind: 'time', text: 'twenty to nine in the evening', expected: '20:40', options: asked },
  { kind: 'time', text: 'five p.m.', expected: '17:00', options: asked },
  { kind: 'time', text: 'at lunchtime', expected: undefined, options: asked },
  { kind: 'time', text: 'sometime in the afternoon', expected: undefined, options: asked },
  { kind: 'time', text: 'three, no, four o clock', expected: '16:00', options: asked },
  { kind: 'time', text: 'either nine or ten', expected: undefined, options: asked },
  { kind: 'time', text: 'a table for four at seven thirty tonight', expected: '19:30' },
  { kind: 'time', text: 'there will be six of us', expected: undefined },
  { kind: 'time', text: '17:05', expected: '17:05' },
  { kind: 'time', text: 'between two and four', expected: undefined, options: asked },
  { kind: 'time', text: 'noon works', expected: '12:00', options: asked },
  { kind: 'time', text: 'nine am not pm', expected: '09:00', options: asked },
];

const numbers: UnseenSentence[] = [
  { kind: 'integer', text: 'there will be seven of us', expected: 7, options: asked },
  { kind: 'integer', text: 'table for two please', expected: 2, options: asked },
  { kind: 'integer', text: 'twelve, uh, make that thirteen', expected: 13, options: asked },
  { kind: 'integer', text: 'a hundred and twenty', expected: 120, options: asked },
  { kind: 'integer', text: 'two adults and three kids', expected: undefined, options: asked },
  { kind: 'integer', text: 'five or six', expected: undefined, options: asked },
  { kind: 'integer', text: 'I am not sure how many', expected: undefined, options: asked },
  { kind: 'integer', text: 'one moment', expected: undefined, options: asked },
  { kind: 'integer', text: 'tomorrow at four', expected: undefined },
  { kind: 'integer', text: 'two and a half', expected: undefined, options: asked },
  { kind: 'number', text: 'about thirty seven point two', expected: 37.2, options: asked },
  { kind: 'number', text: 'three and a half', expected: 3.5, options: asked },
  { kind: 'number', text: 'minus ten', expected: -10, options: asked },
  { kind: 'number', text: 'one million two hundred thousand', expected: 1_200_000, options: asked },
  { kind: 'number', text: 'nobody knows', expected: undefined, options: asked },
  { kind: 'integer', text: 'not three, four', expected: 4, options: asked },
  { kind: 'integer', text: 'the second one', expected: undefined, options: asked },
  { kind: 'integer', text: 'more than ten', expected: undefined, options: asked },
];

const phones: UnseenSentence[] = [
  { kind: 'phone', text: 'two one two five five five oh one four seven', expected: '+12125550147', options: asked },
  { kind: 'phone', text: 'my cell is 646-555-0188', expected: '+16465550188' },
  {
    kind: 'phone',
    text: 'area code seven one eight then double five five oh one double nine',
    expected: '+17185550199',
    options: asked,
  },
  {
    kind: 'phone',
    text: 'plus four four two oh seven nine four six oh nine five eight',
    expected: '+442079460958',
    options: asked,
  },
  { kind: 'phone', text: '020 7946 0958', expected: '+442079460958', options: { asked: true, region: 'GB' } },
  { kind: 'phone', text: 'five five five oh one four seven', expected: undefined, options: asked },
  { kind: 'phone', text: 'eight hundred five five five oh one nine nine', expected: '+18005550199', options: asked },
  { kind: 'phone', text: '212 555 0147, sorry, 212 555 0148', expected: '+12125550148', options: asked },
  { kind: 'phone', text: 'my member number is 2125550147', expected: undefined },
  { kind: 'phone', text: 'I do not have one', expected: undefined, options: asked },
  { kind: 'phone', text: '(415) 555-2671 ext 9', expected: '+14155552671', options: asked },
];

const emails: UnseenSentence[] = [
  { kind: 'email', text: 'sam dot okafor at gmail dot com', expected: 'sam.okafor@gmail.com', options: asked },
  {
    kind: 'email',
    text: "it's priya underscore r at company dot co dot uk",
    expected: 'priya_r@company.co.uk',
    options: asked,
  },
  { kind: 'email', text: 'Write to Helen@Example.ORG please', expected: 'helen@example.org' },
  { kind: 'email', text: 'z o e at fastmail dot fm', expected: 'zoe@fastmail.fm', options: asked },
  {
    kind: 'email',
    text: 'lucia fernandez at yahoo dot com all one word',
    expected: 'luciafernandez@yahoo.com',
    options: asked,
  },
  { kind: 'email', text: 'lucia fernandez at yahoo dot com', expected: undefined, options: asked },
  { kind: 'email', text: 'sam at gmail', expected: undefined, options: asked },
  { kind: 'email', text: 'I am at home', expected: undefined, options: asked },
  { kind: 'email', text: 'b dash stone seven at mail dot com', expected: 'b-stone7@mail.com', options: asked },
  { kind: 'email', text: 'meet me at nine dot thirty', expected: undefined },
];

const choices: UnseenSentence[] = [
  { kind: 'enum', text: 'a double please', expected: 'double_room', options: rooms },
  { kind: 'enum', text: 'the suites sound nice', expected: 'suite', options: rooms },
  { kind: 'enum', text: 'single room', expected: 'single_room', options: rooms },
  { kind: 'enum', text: 'not the suite, the double', expected: 'double_room', options: rooms },
  { kind: 'enum', text: 'single or double', expected: undefined, options: rooms },
  { kind: 'enum', text: 'the last but one', expected: undefined, options: rooms },
  { kind: 'enum', text: 'what do you have', expected: undefined, options: rooms },
  { kind: 'enum', text: 'the second one', expected: 'double_room', options: rooms },
  { kind: 'enum', text: 'something else', expected: 'other', options: rooms },
  { kind: 'enum', text: 'double, no actually the suite', expected: 'suite', options: rooms },
  { kind: 'enum', text: 'I was charged twice', expected: 'billing', options: trouble },
  { kind: 'enum', text: 'my router is not working', expected: 'technical_support', options: trouble },
  { kind: 'enum', text: 'I want to buy something', expected: 'sales', options: trouble },
  { kind: 'enum', text: 'it has nothing to do with billing', expected: undefined, options: trouble },
  { kind: 'enum', text: 'I want a refund for my upgrade', expected: undefined, options: trouble },
  { kind: 'enum', text: 'hello there', expected: undefined, options: trouble },
];

const answers: UnseenSentence[] = [
  { kind: 'boolean', text: 'yep', expected: true, options: asked },
  { kind: 'boolean', text: 'I do not', expected: false, options: asked },
  { kind: 'boolean', text: 'no I have never had that', expected: false, options: asked },
  { kind: 'boolean', text: 'yes since last year', expected: true, options: asked },
  { kind: 'boolean', text: 'I am not sure', expected: undefined, options: asked },
  { kind: 'boolean', text: 'what do you mean', expected: undefined, options: asked },
  { kind: 'boolean', text: 'yes I want a table', expected: undefined },
  { kind: 'text', text: 'um the blue gate behind the shop', expected: 'the blue gate behind the shop', options: asked },
  { kind: 'text', text: 'uh', expected: undefined, options: asked },
];

/** Expected results of `plainAnswer`. To confuse yes and no is the worst mistake. */
export const unseenAnswers: [text: string, expected: 'yes' | 'no' | undefined][] = [
  ['yes that would be lovely', undefined],
  ['yup go for it', 'yes'],
  ['mm yes please do', 'yes'],
  ['absolutely not', 'no'],
  ['no thank you very much', 'no'],
  ['I said no', 'no'],
  ['okay but not on Friday', undefined],
  ['sure if it is cheap', undefined],
  ['yes wait no', undefined],
  ["no that's not right", 'no'],
  ["that's not quite right", undefined],
  ['is that right', undefined],
  ['yes?', undefined],
  ['not yet', undefined],
  ['all right then', 'yes'],
  ['yeah yeah sure', 'yes'],
  ['of course not', 'no'],
  ['right, but the name is wrong', undefined],
  ['nothing', undefined],
  ['yes ma am', 'yes'],
  ['why not', undefined],
  ["I don't think so", 'no'],
  ['no problem', undefined],
  ['ok ok', 'yes'],
];

export const unseenSentences: UnseenSentence[] = [
  ...names,
  ...dates,
  ...times,
  ...numbers,
  ...phones,
  ...emails,
  ...choices,
  ...answers,
];
