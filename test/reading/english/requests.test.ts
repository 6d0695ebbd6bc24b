import { expect, test } from 'vitest';
import { requestIn } from '../../../src/language/english/answers/requests.ts';

test.each([
  'What?',
  'Sorry?',
  'Pardon me?',
  'What did you say?',
  'What was that?',
  'Repeat that.',
  'Can you repeat that?',
  'Could you please say that again?',
  'Could you repeat the question, please?',
  'Sorry, I did not catch that.',
  'Come again?',
  'Once more, please.',
  'What was the question?',
])('%s asks for the last words once more', (text) => {
  expect(requestIn(text)).toBe('repeat');
});

test.each([
  'Wait a moment.',
  'One second.',
  'Just a minute, please.',
  'Hold on.',
  'Hang on a second',
  'Let me check.',
  'Bear with me.',
])('%s asks for time', (text) => {
  expect(requestIn(text)).toBe('patience');
});

test.each([
  'What is the price?',
  'What time do you close?',
  'Sorry, it is Maria.',
  'Can you repeat my order from last week?',
  'Say hello to Ann.',
  'One second floor room.',
  'Wait, no, Friday.',
  'No.',
  '',
])('%s asks for neither', (text) => {
  expect(requestIn(text)).toBeNull();
});
