import { fact, tells } from '../../talk/said.ts';
import { english } from '../phrases.ts';
import type { Scene } from '../scene.ts';
import { agrees, done } from './scene-answers.ts';

/** A node asks the caller for a yes or no, and the next write needs no further consent. */
export const signed: Scene = {
  name: 'signed',
  source: {
    name: 'signed',
    initialNode: 'details',
    onTrouble: 'desk',
    slots: { day: { type: 'date', after: 'today', ask: 'Which day shall it end?' } },
    edges: [{ from: 'sure', to: 'cancel', when: { equals: { var: 'sure.decision', value: 'yes' } } }],
    nodes: {
      details: { collect: ['day'], defaultTransition: 'sure' },
      sure: {
        type: 'interrupt.confirm',
        input: { question: 'Your contract then ends on {{ day }}, with no way back. Are you sure about it?' },
        defaultTransition: 'kept',
        onError: 'desk',
      },
      cancel: {
        call: 'cancel',
        functions: [
          {
            name: 'cancel',
            description: 'Cancel the contract.',
            effect: 'write',
            parameters: {
              type: 'object',
              properties: { day: { type: 'string', format: 'date' } },
              required: ['day'],
            },
            transitionTo: 'cancelled',
          },
        ],
      },
      cancelled: { say: 'It is cancelled. Goodbye.', end: 'cancelled' },
      kept: { say: 'Then it stays. Goodbye.', end: 'kept' },
      desk: { say: 'A colleague will call you. Goodbye.', end: 'desk' },
    },
  },
  phrases: english,
  tools: done(['cancel']),
  values: {
    day: [
      fact('2026-12-01', 'December first', /December 1\b|2026-12-01/),
      fact('2026-12-03', 'December third', /December 3\b|2026-12-03/),
      fact('2026-12-24', 'December twenty-fourth', /December 24|2026-12-24/),
    ],
  },
  answers: [
    agrees(/are you sure/i, ['day'], english),
    agrees(/right\?/i, ['day'], english),
    tells(/which day/i, 'day'),
  ],
  question: 'What does it cost?',
  consents: { cancel: ['Your contract then ends on {{ day }}, with no way back. Are you sure about it?'] },
  decides: [],
};
