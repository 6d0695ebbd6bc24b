import { defineFlow } from '../../../../src/flow/define.ts';
import { ask, end, interrupt, say, tool } from '../../../../src/flow/generator-yields.ts';
import { fact, tells } from '../../talk/said.ts';
import { english } from '../phrases.ts';
import type { Scene } from '../scene.ts';
import { agrees, done } from './scene-answers.ts';

/** A generator that asks for a typed value, and for a yes before it writes. */
export const generated: Scene = {
  name: 'generated',
  source: defineFlow(async function* generated() {
    const day = yield* ask({ key: 'day', text: 'Which day do you arrive?', type: 'date' });
    const { decision } = yield* interrupt.confirm({ key: 'sure', question: `I book ${day}. Shall I do it?` });
    if (decision === 'no') {
      yield* say('Then I leave it. Goodbye.');
      yield* end('left');
    }
    yield* tool({ name: 'book', args: { day }, effect: 'write' });
    yield* say('It is booked. Goodbye.');
    yield* end('booked');
  }),
  phrases: english,
  tools: done(['book']),
  values: {
    day: [
      fact('2026-12-01', 'December first', /December 1\b|2026-12-01/),
      fact('2026-12-03', 'December third', /December 3\b|2026-12-03/),
    ],
  },
  answers: [agrees(/shall I do it/i, ['day'], english), tells(/which day/i, 'day')],
  question: 'How much does it cost?',
  consents: { book: 'I book {{ day }}. Shall I do it?' },
  decides: [],
};
