import { defineFlow } from '../../../../src/flow/document/define.ts';
import { ask, end, interrupt, say, tool } from '../../../../src/flow/document/generator-yields.ts';
import { fact, tells } from '../../talk/said.ts';
import { english } from '../phrases.ts';
import type { Scene } from '../scene.ts';
import { agrees, done } from './scene-answers.ts';

const flow = defineFlow(async function* generated() {
  const day = yield* ask({ key: 'day', text: 'Which day do you arrive?', type: 'date', after: 'today' });
  const guests = yield* ask({ key: 'guests', text: 'How many will come?', type: 'integer', minimum: 1, maximum: 9 });
  const { decision } = yield* interrupt.confirm({
    key: 'sure',
    question: `I book ${day} for ${guests} people, from the morning on. Shall I book it?`,
  });
  if (decision === 'no') {
    yield* say('Then I leave it. Goodbye.');
    yield* end('left');
  }
  yield* tool({ name: 'book', args: { day, guests }, effect: 'write' });
  yield* say('It is booked. Goodbye.');
  yield* end('booked');
});

/** A generator that asks for typed values, and for a yes before its write. */
export const generated: Scene = {
  name: 'generated',
  source: flow,
  phrases: english,
  tools: done(['book']),
  values: {
    day: [
      fact('2026-12-01', 'December first', /December 1\b|2026-12-01/),
      fact('2026-12-03', 'December third', /December 3\b|2026-12-03/),
    ],
    guests: [fact(2, 'Two of us', /\b2 people/i), fact(4, 'Four of us', /\b4 people/i)],
  },
  answers: [
    agrees(/shall I book it/i, ['day', 'guests'], english),
    tells(/which day/i, 'day'),
    tells(/how many will/i, 'guests'),
  ],
  echo: 'Then book it for my wife.',
  question: 'How much does it cost?',
  consents: { book: ['I book {{ day }} for {{ guests }} people, from the morning on. Shall I book it?'] },
  decides: [],
};
