import { fact } from '../../talk/said.ts';
import { english } from '../phrases.ts';
import { number } from '../spoken-number.ts';
import { inspection } from './inspection.ts';

export const englishInspection = inspection(
  'inspection',
  {
    language: 'en',
    asks: {
      full_name: 'Who is calling, please?',
      phone: 'Which number can we reach you on?',
      day: 'Which day should the inspector come?',
      note: 'Is there anything the inspector should know?',
    },
    readback: 'I have {{ value }}. Is that right?',
    confirm: 'So the inspector comes on {{ day }} and calls {{ phone }} from the gate.',
    end: 'Shall I book it now?',
    change: 'What would you like to change?',
    goodbyes: {
      booked: 'It is booked. Goodbye.',
      left: 'Then I leave it. Goodbye.',
      desk: 'A colleague will call you. Goodbye.',
    },
  },
  english,
  {
    full_name: [fact('Anna Berg', 'Anna Berg'), fact('Robert Smith', 'Robert Smith'), fact('John Doe', 'John Doe')],
    phone: [
      number('+14155552671', '415 555 2671'),
      number('+14155550000', '415 555 0000'),
      number('+12025550123', '202 555 0123'),
    ],
    day: [
      fact('2026-12-01', 'December first', /December 1\b/),
      fact('2026-12-03', 'December third', /December 3\b/),
      fact('2026-12-24', 'December twenty-fourth', /December 24/),
    ],
    note: [fact('The gate is red', 'The gate is red'), fact('allergic to peanuts', 'Allergic to peanuts')],
  },
  {
    name: /who is calling/i,
    phone: /which number/i,
    day: /which day/i,
    note: /anything the inspector/i,
    right: /right\?|correct\?/i,
    book: /shall I book/i,
    change: /like to change/i,
    nothing: 'No, nothing.',
    question: 'How much does it cost?',
  },
);
