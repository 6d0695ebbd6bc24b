import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { CountedSession } from './counted-session.ts';

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

/** A day that is in the future on any machine. */
const day = 'December fourth, 2099';

/** Eight facts, one per turn. */
export const oneATurn: CountedSession = {
  flow: eightFields,
  turns: [
    'Maria Delgado.',
    'July fourteenth nineteen eighty-four.',
    '415 555 2671',
    'maria@example.com',
    'Yes.',
    'A checkup.',
    `${day}.`,
    'Two, please.',
  ],
  understood: {},
};

const all = `I am Maria Delgado, born July fourteenth nineteen eighty-four, my number is 415 555 2671, my mail is maria@example.com, yes, I have been here before, I need a checkup on ${day}, and we are two.`;

/** The same facts in one turn. */
export const allAtOnce: CountedSession = {
  flow: eightFields,
  // Another date is in the same sentence, so the day is read back.
  turns: [all, 'Yes.'],
  understood: {
    [all]: {
      name: 'record',
      arguments: {
        full_name: 'Maria Delgado',
        birth_date: '1984-07-14',
        phone: '+14155552671',
        email: 'maria@example.com',
        been_before: true,
        reason: 'checkup',
        day: '2099-12-04',
        guests: 2,
      },
    },
  },
};

const hours = 'When are you open?';

/** A branch that a fact chooses, and a question by the caller. */
export const branch: CountedSession = {
  flow: {
    initialNode: 'reason',
    slots: {
      reason: { type: 'enum', values: ['checkup', 'toothache'], ask: 'What brings you in?' },
      pain: { type: 'integer', ask: 'How bad is it, from zero to ten?', minimum: 0, maximum: 10 },
      day: { type: 'date', ask: 'Which day suits you?', after: 'today' },
    },
    functions: [
      {
        name: 'opening_hours',
        description: 'The caller asks when the clinic is open.',
        digression: true,
        transitionTo: 'hours',
      },
    ],
    nodes: {
      reason: { say: 'Welcome to Harbour Dental.', collect: ['reason'], defaultTransition: 'visit' },
      pain: { collect: ['pain'], defaultTransition: 'visit' },
      visit: { collect: ['day'], defaultTransition: 'bye' },
      hours: { say: 'We are open from eight to six.', defaultTransition: '$return' },
      bye: { say: 'Thank you, goodbye.', end: 'done' },
    },
    edges: [{ from: 'reason', to: 'pain', when: { equals: { var: 'reason', value: 'toothache' } } }],
  },
  turns: ['A toothache.', 'Seven.', hours, `${day}.`],
  understood: { [hours]: { name: 'opening_hours' } },
};
