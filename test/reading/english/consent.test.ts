import { describe, expect, it } from 'vitest';
import { isConnecting } from '../../../src/language/english/connecting.ts';
import { readConsent } from '../../../src/language/english/answers/consent.ts';
import { english } from '../examples/english.ts';

const question = 'So that is Friday at ten for Ada. Shall I book it?';

const agreements = [
  ...english.agreements,
  'Book it.',
  'Yes, please book it.',
  "I'll take it.",
  'That would be great.',
  "That'd be lovely, thanks.",
  'Mm-hmm.',
  'Uh-huh, yes.',
  'Yes, Friday, please.',
  'No problem, go ahead.',
  'Sure, why not.',
];

const refusals = [...english.refusals, 'No, I changed my mind.', "Don't book it, please.", 'No, forget it.'];

/** None of these is a yes or a no. */
const neither = [
  ...english.neither,
  'hmm',
  '',
  'right so',
  'go',
  'no go ahead',
  'what would that cost',
  'that is a lot of money',
  'yeah no',
  'is that right',
  "I'm good",
  "that's okay",
];

/** A yes with an addition that the question did not include. */
const conditions = [
  ...english.changes,
  "Yes, but make it ten o'clock.",
  'yes but at ten',
  'Yes, Thursday.',
  'yes, at eleven',
  'sure, if it is cheap',
  'okay, only if Anna is there',
  'Yes, for Annabel.',
  'yes, for 3',
  'book it for Thursday',
  'okay, and a taxi too',
];

describe('a plain answer to the question whether something shall be done', () => {
  it('is a yes in each of the ways in which people agree', () => {
    expect(agreements.filter((text) => readConsent(text, question).answer !== 'yes')).toEqual([]);
  });

  it('is a no in each of the ways in which people refuse', () => {
    expect(refusals.filter((text) => readConsent(text, question).answer !== 'no')).toEqual([]);
  });

  it('is nothing that leaves it open', () => {
    expect(neither.filter((text) => readConsent(text, question).answer !== undefined)).toEqual([]);
  });

  it('is no yes with a condition or a change', () => {
    expect(conditions.filter((text) => readConsent(text, question).answer !== undefined)).toEqual([]);
  });
});

describe('words of the question', () => {
  it('may be said back as a command, whatever it is that is to be done', () => {
    expect(readConsent('Yes, please cancel it.', 'Shall I cancel the table?').answer).toBe('yes');
    expect(readConsent('cancel it', 'Shall I cancel the table?').answer).toBe('yes');
    expect(readConsent("don't cancel it", 'Shall I cancel the table?').answer).toBe('no');
    expect(readConsent('cancel it', question).answer).toBe('no');
    expect(readConsent('move it please', 'Shall I move the table?').answer).toBe('yes');
    expect(readConsent('move it please', question).answer).toBeUndefined();
  });

  it('choose nothing where the question leaves a choice', () => {
    expect(readConsent('cancel it', 'Shall I move it, or cancel it?').answer).not.toBe('yes');
  });
});

describe('a hedge', () => {
  it.each([
    'yes, but at ten',
    'sure, if it is cheap',
    'is that the whole price?',
    'no, Thursday',
    'okay, at 11',
    'yes and no',
  ])('%j is one: whoever takes it for consent takes too much', (text) => {
    const read = readConsent(text, question);
    expect(read).toMatchObject({ isHedged: true });
    expect(read).not.toHaveProperty('answer');
    expect(read).not.toHaveProperty('leansYes');
  });

  it.each(['Sounds like a plan to us', 'splendid', 'one second', 'Je ne comprends pas.'])('%j is none', (text) => {
    expect(readConsent(text, question)).toEqual({ isHedged: false });
  });

  it('a yes among unknown words leans to it', () => {
    expect(readConsent('That works wonderfully.', question)).toEqual({
      isHedged: false,
      leansYes: true,
      strength: 'plain',
    });
  });
});

describe('the words beside a value', () => {
  it.each([
    ['of us', 'How many of you are coming?', true],
    ['we are', 'How many are you?', true],
    ['in our', 'How many are in your party?', true],
    ['of us', 'How many are coming?', false],
    ['of the others', 'How many of you are coming?', false],
  ])('%j only leads to it after %j: %j', (text, asked, expected) => {
    expect(isConnecting(text, asked)).toBe(expected);
  });
});
