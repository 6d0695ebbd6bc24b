import { describe, expect, it } from 'vitest';
import { read } from '../../../src/language/english/reading.ts';
import { leaning, plainAnswer } from '../../../src/language/english/answers/yes-no.ts';
import { NOW } from './unseen-sentences.ts';

const plainYes = `yes|Yes.|yes please|yeah that's right|yep|sure, sounds good|go ahead|correct|no problem go ahead|yes yes|uh yeah|
  ok|okay sure|that is correct|please do|yes, go ahead, thank you|absolutely|of course|right|perfect|yes it is|yes I am|let's do it|
  yes please book it|sure why not|I said yes|oh yes|well, yes|that works for me|all right|true|yes sir|okay then|oh yes so yes|exactly right|go ahead and book it`;
const plainNo = `no|nope|uh no thanks|no thank you|nah|no no no|that's wrong|not correct|no that's wrong|absolutely not|no way|I don't|
  please don't|not really|no sir|no it isn't|false|never|I don't think so|no that's all|No, thank you very much.`;
const neither = `yes but make it Friday|no, it's Delgada|not sure|yes and no|I don't know|no problem|maybe|yeah no|no yes|yes no|
  yes?|is that right|right?|yes if it's cheap|okay but later|sure, Tuesday|yes wait|no wait|hold on|please|thanks|uh huh|mhm|
  fine how are you|I'm good|I'm fine|that's okay|cancel it|yes cancel it|not yet|I guess|I think so|probably|what|hello|yes or no|
  yes my name is Ann|go|book|you're not right|not wrong|okay so|yes, well|right so|great|oh great|that's great|why|nothing|it's right there|right now|sure does|ok google|correct that||...|
  yes to the first one|no to the first but yes to the second|don't go ahead|do not go ahead|never mind go ahead|don't do it yes|
  I said yes to Friday|wrong yes|that's not it|not okay|not great|not a yes|can't complain|I can't go ahead`;

const list = (text: string): string[] => text.split('|').map((each) => each.trim());

describe('a plain answer', () => {
  it.each(list(plainYes))('%j is yes', (text) => expect(plainAnswer(text)).toBe('yes'));
  it.each(list(plainNo))('%j is no', (text) => expect(plainAnswer(text)).toBe('no'));
  it.each(list(neither))('%j is neither', (text) => expect(plainAnswer(text)).toBeUndefined());
});

describe('a leaning', () => {
  it.each([
    'yes but make it Friday',
    'yes, with Aetna',
    'yeah I have one',
    'I think so',
    'I do',
    'correct, since May',
    'I did, first time',
    'i guess so',
    'hello yes I want two',
    'yes, I have a leak here, can you come on Friday?',
  ])('%j is to yes', (text) => expect(leaning(text)).toBe('yes'));
  it.each([
    "no, it's Delgada",
    'no I never had that',
    "I haven't",
    'nope, not me',
    'not yet',
    'not yet, I take it in May',
  ])('%j is to no', (text) => expect(leaning(text)).toBe('no'));
  it.each([
    'yes and no',
    'not sure',
    "I don't know",
    'okay my name is Ann',
    'right so I am calling about a bill',
    'I am calling',
    'hello',
    'no idea',
    'yes no maybe',
    'sure not',
    'I am calling about it',
    'sure if it is cheap',
    "I don't understand",
    '',
    'yes?',
    'I have a question',
    'I did, but not here',
    'I have, actually no',
    'yes, who is this?',
  ])('%j is to neither', (text) => expect(leaning(text)).toBeUndefined());
});

describe('a boolean', () => {
  it('is read from an answer, certain when it is plain', () => {
    expect(read('boolean', 'yes', { now: NOW, asked: true })).toMatchObject({ ok: true, value: true, certain: true });
    expect(read('boolean', ' no, I moved ', { now: NOW, asked: true })).toEqual({
      ok: true,
      value: false,
      said: 'no, I moved',
      start: 1,
      end: 12,
      certain: false,
    });
  });

  it('is not read from a sentence that answers something else', () => {
    expect(read('boolean', 'yes I want a table', { now: NOW })).toEqual({ ok: false, problem: 'not-found' });
  });

  it('may be written already', () => {
    expect(read('boolean', 'true', { now: NOW })).toMatchObject({ value: true, certain: true });
    expect(read('boolean', 'False', { now: NOW })).toMatchObject({ value: false, certain: true });
  });
});
