import { fact, tells } from '../../talk/said.ts';
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

/** The model speaks first: the first slot has no question of the flow. */
export const guided: Scene = {
  name: 'guided',
  source: {
    name: 'guided',
    initialNode: 'hello',
    onTrouble: 'desk',
    slots: {
      day: { type: 'date', after: 'today' },
      guests: { type: 'integer', minimum: 1, maximum: 9, ask: 'How many of you will come?' },
    },
    nodes: {
      hello: {
        taskMessages: [{ role: 'system', content: 'Ask on which day the caller wants the boat.' }],
        collect: ['day', 'guests'],
        defaultTransition: 'rent',
      },
      rent: {
        call: 'rent',
        functions: [
          {
            name: 'rent',
            description: 'Rent the boat.',
            effect: 'write',
            parameters: {
              type: 'object',
              properties: { day: { type: 'string', format: 'date' }, guests: { type: 'integer' } },
              required: ['day', 'guests'],
            },
            confirm: 'That is a boat on {{ day }} for {{ guests }}. Shall I rent it now?',
            onRefuse: 'left',
            transitionTo: 'rented',
          },
        ],
      },
      rented: { say: 'The boat is yours. Goodbye.', end: 'rented' },
      left: { say: 'Then I leave it. Goodbye.', end: 'left' },
      desk: { say: 'A colleague will call you. Goodbye.', end: 'desk' },
    },
  },
  phrases: english,
  tools: done(['rent']),
  values,
  answers: [
    agrees(/shall I rent/i, ['day', 'guests'], english),
    readsBack(/right\?|correct\?/i, values, english),
    tells(/which day|what do you mean|did not get/i, 'day'),
    tells(/how many of you/i, 'guests'),
  ],
  modelAsks: { day: 'Which day would you like the boat?' },
  echo: 'Then rent it for my wife.',
  question: 'Is there a toilet on board?',
  decides: [],
};
