import { fact, tells } from '../../talk/said.ts';
import { english } from '../phrases.ts';
import type { Scene } from '../scene.ts';
import { agrees, done, readsBack } from './scene-answers.ts';

const stayValues: Scene['values'] = {
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
  smoker: [fact(false, 'No, nobody smokes', /smok/i), fact(true, 'Yes, one of us smokes', /smok/i)],
};

/** Two writes, a yes-or-no question, and a node's own line that functions answer. */
export const stay: Scene = {
  name: 'stay',
  source: {
    name: 'stay',
    initialNode: 'details',
    onTrouble: 'desk',
    slots: {
      day: { type: 'date', after: 'today', ask: 'Which day do you arrive?' },
      guests: { type: 'integer', minimum: 1, maximum: 12, ask: 'How many of you will come?' },
      smoker: { type: 'boolean', ask: 'Does anybody smoke?' },
    },
    nodes: {
      details: { collect: ['day', 'guests', 'smoker'], defaultTransition: 'reserve' },
      reserve: {
        call: 'reserve',
        functions: [
          {
            name: 'reserve',
            description: 'Reserve the room.',
            effect: 'write',
            parameters: {
              type: 'object',
              properties: { day: { type: 'string', format: 'date' }, guests: { type: 'integer' } },
              required: ['day', 'guests'],
            },
            confirm: 'That is a room for {{ guests }} on {{ day }}. Shall I reserve it?',
            onRefuse: 'left',
            transitionTo: 'offer',
          },
        ],
      },
      offer: {
        say: 'Breakfast is ten dollars a day. Would you like it?',
        functions: [
          { name: 'take', description: 'The caller agrees to breakfast.', answers: 'yes', transitionTo: 'breakfast' },
          { name: 'skip', description: 'The caller refuses breakfast.', answers: 'no', transitionTo: 'reserved' },
        ],
      },
      breakfast: {
        call: 'add_breakfast',
        functions: [
          {
            name: 'add_breakfast',
            description: 'Add breakfast to the stay.',
            effect: 'write',
            parameters: { type: 'object', properties: { guests: { type: 'integer' } }, required: ['guests'] },
            confirm: 'So breakfast for {{ guests }}, every day. Shall I add it?',
            onRefuse: 'reserved',
            transitionTo: 'reserved',
          },
        ],
      },
      reserved: { say: 'Your room is reserved. Goodbye.', end: 'reserved' },
      left: { say: 'Then I leave it. Goodbye.', end: 'left' },
      desk: { say: 'A colleague will call you. Goodbye.', end: 'desk' },
    },
  },
  phrases: english,
  tools: done(['reserve', 'add_breakfast']),
  values: stayValues,
  answers: [
    agrees(/shall I reserve/i, ['day', 'guests'], english),
    agrees(/shall I add/i, ['guests'], english),
    agrees(/would you like it/i, [], english),
    readsBack(/right\?|correct\?/i, stayValues, english),
    tells(/which day/i, 'day'),
    tells(/how many of you/i, 'guests'),
    tells(/anybody smoke/i, 'smoker', 'refuse'),
  ],
  echo: 'Then reserve it for my wife.',
  question: 'Is there a swimming pool?',
  decides: [],
};
