import { describe, expect, it } from 'vitest';
import { asks, keepsQuestion } from '../../../src/language/english/answers/questions.ts';

describe('a text of the agent', () => {
  it.each([
    'And what is your date of birth?',
    'Great! Which day would suit you? Take your time.',
    'Please tell me your full name.',
    'Thank you. Now give me the order number, please.',
    'Let me know when you are ready.',
    'Could you spell that for me.',
    '¿Para qué día?',
  ])('%j hands the word over', (text) => expect(asks(text)).toBe(true));

  it.each([
    '',
    'Great!',
    'Thank you.',
    'One moment, please.',
    'Let me check that for you.',
    'I have noted that you want a race bike.',
    'It is forty euros. We are open until six. See you then.',
    'I can do that.',
    'Your visit is booked! Goodbye!',
  ])('%j does not', (text) => expect(asks(text)).toBe(false));
});

describe('what is said instead of a question', () => {
  const question = 'So that is Friday. Shall I book it for Ada Park?';

  it.each([question, 'Shall I book it for ***?', 'This call is recorded. Shall I book it for Ada Park?'])(
    '%j still asks it',
    (instead) => expect(keepsQuestion(question, instead)).toBe(true),
  );

  it.each(['', 'I cannot do that.', 'I cannot do that. Anything else?', 'I would book it for Ada Park.'])(
    '%j does not',
    (instead) => expect(keepsQuestion(question, instead)).toBe(false),
  );
});
