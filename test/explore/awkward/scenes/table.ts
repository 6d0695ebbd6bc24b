import { fact, said, says, tells } from '../../talk/said.ts';
import { english } from '../phrases.ts';
import type { Scene } from '../scene.ts';
import { agrees, done, readsBack } from './scene-answers.ts';

const values: Scene['values'] = {
  day: [
    fact('2026-12-01', 'December first', /December 1\b/),
    fact('2026-12-03', 'December third', /December 3\b/),
    fact('2026-12-24', 'December twenty-fourth', /December 24/),
  ],
  guests: [
    fact(2, 'Two of us', /\b(2|two)\b/i),
    fact(4, 'Four of us', /\b(4|four)\b/i),
    fact(7, 'Seven of us', /\b(7|seven)\b/i),
  ],
};

/**
 * Each question contains the verb of the write. One node says a line without a question. The last node still asks for a
 * value when its write is due. The question about the write omits a slot that is read back separately.
 */
export const table: Scene = {
  name: 'table',
  source: {
    name: 'table',
    initialNode: 'details',
    onTrouble: 'desk',
    slots: {
      day: { type: 'date', after: 'today', ask: 'Which day will it be?' },
      guests: {
        type: 'integer',
        minimum: 1,
        maximum: 9,
        ask: 'How many of you will come?',
        confirm: 'readback',
        confirmText: 'That is {{ value }} of you. Shall I reserve it for so many, is that right?',
      },
      email: { type: 'email', ask: 'Which address can we write to?', optional: true },
      phone: { type: 'phone', region: 'US', ask: 'Which number can we reach you on?' },
    },
    nodes: {
      details: {
        say: 'Then I will reserve a table.',
        collect: ['day', 'guests'],
        defaultTransition: 'free',
      },
      free: {
        say: 'I can reserve that table for you.',
        functions: [{ name: 'begin', description: 'Go on.', answers: 'yes', transitionTo: 'window' }],
      },
      window: {
        say: 'One of them is by the window. Shall I reserve that one?',
        functions: [
          { name: 'near', description: 'The caller agrees to the window.', answers: 'yes', transitionTo: 'book' },
          { name: 'far', description: 'The caller refuses the window.', answers: 'no', transitionTo: 'book' },
        ],
      },
      book: {
        collect: ['phone'],
        taskMessages: [{ role: 'system', content: 'Call reserve.' }],
        functions: [
          {
            name: 'reserve',
            description: 'Reserve the table.',
            effect: 'write',
            parameters: {
              type: 'object',
              properties: { day: { type: 'string', format: 'date' }, guests: { type: 'integer' } },
              required: ['day', 'guests'],
            },
            confirm: 'That is a table on {{ day }}. Shall I reserve it now?',
            onRefuse: 'left',
            transitionTo: 'reserved',
          },
        ],
        defaultTransition: 'left',
      },
      reserved: { say: 'Your table is reserved. Goodbye.', end: 'reserved' },
      left: { say: 'Then I leave it. Goodbye.', end: 'left' },
      desk: { say: 'A colleague will call you. Goodbye.', end: 'desk' },
    },
  },
  phrases: english,
  tools: done(['reserve']),
  values,
  answers: [
    agrees(/shall I reserve it now/i, ['day'], english),
    says(/shall I reserve that one/i, said('No.', { wants: 'refuse' })),
    readsBack(/right\?|correct\?/i, values, english),
    tells(/which day/i, 'day'),
    tells(/how many of you/i, 'guests'),
    says(/which number/i, said('That is all you need.')),
  ],
  otherwise: said('Please go on.', { wants: 'begin' }),
  question: 'Is there a garden?',
  echo: 'Then reserve it for my wife.',
  more: 'My e-mail is anna@example.com.',
  decides: [],
};

/** The caller waits for another person's answer. */
export const held: Scene = {
  name: 'held',
  source: {
    name: 'held',
    initialNode: 'details',
    onTrouble: 'desk',
    slots: {
      day: { type: 'date', after: 'today', ask: 'Which day will it be?' },
      email: { type: 'email', ask: 'Which address can we write to?', optional: true },
    },
    nodes: {
      details: { collect: ['day'], defaultTransition: 'hold' },
      hold: {
        type: 'interrupt.wait',
        input: { for: '18s', say: 'One moment, I ask the shop.', meanwhile: { every: '6s' } },
        defaultTransition: 'free',
        onError: 'desk',
      },
      free: { say: 'The shop keeps it free for you. Goodbye.', end: 'free' },
      desk: { say: 'A colleague will call you. Goodbye.', end: 'desk' },
    },
  },
  phrases: english,
  tools: done([]),
  values: { day: values['day']! },
  answers: [tells(/which day/i, 'day')],
  question: 'Is there a garden?',
  more: 'My e-mail is anna@example.com.',
  decides: [],
};
