import { expect, it } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document.ts';
import { live } from './live.ts';

const eightFields = {
  initialNode: 'intake',
  slots: {
    full_name: { type: 'name', ask: 'What is your full name?' },
    birth_date: { type: 'date', ask: 'And your date of birth?', before: 'today' },
    phone: { type: 'phone', ask: 'Which number can we reach you on?', region: 'US' },
    email: { type: 'email', ask: 'And your e-mail address?' },
    been_before: { type: 'boolean', ask: 'Have you been here before?' },
    reason: { type: 'enum', values: ['checkup', 'toothache', 'cleaning'], ask: 'What brings you in?' },
    day: { type: 'date', ask: 'Which day suits you?', after: 'today' },
    guests: { type: 'integer', ask: 'How many of you are coming?', minimum: 1 },
  },
  nodes: {
    intake: {
      say: 'Welcome to Harbour Dental.',
      collect: ['full_name', 'birth_date', 'phone', 'email', 'been_before', 'reason', 'day', 'guests'],
      defaultTransition: 'bye',
    },
    bye: { say: 'Thank you, goodbye.', end: 'done' },
  },
} satisfies ConversationFlow;

const answers = [
  'Maria Delgado.',
  'July fourteenth nineteen eighty-four.',
  '415 555 2671',
  'maria@example.com',
  'Yes.',
  'A checkup.',
  'December fourth.',
  'Two, please.',
];

it('eight facts, one a turn, cost no inference where rules read them whole', async () => {
  const { runner, model, heard } = await live(eightFields, () => ({ text: 'I see.' }));
  for (const words of answers) await runner.send(words);
  expect(heard).toEqual(expect.arrayContaining(['Thank you, goodbye.']));
  expect(await runner.ended).toBe('done');
  expect(model.requests.map(({ userText }) => userText)).toEqual([]);
});
