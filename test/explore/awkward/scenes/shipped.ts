import type { Caller } from '../../talk/callers.ts';
import { callers } from '../../talk/callers.ts';
import { type Fact, fact } from '../../talk/said.ts';
import { sourceOf, toolsOf } from '../../talk/talk.ts';
import { number } from '../spoken-number.ts';
import { english } from '../phrases.ts';
import type { Scene } from '../scene.ts';

/** Other values by slot: corrections by callers and inventions by models. */
const others: Readonly<Record<string, readonly Fact[]>> = {
  full_name: [fact('Robert Smith', 'Robert Smith'), fact('John Doe', 'John Doe')],
  guest_name: [fact('Robert Smith', 'Robert Smith'), fact('John Doe', 'John Doe')],
  name: [fact('Robert Smith', 'Robert Smith'), fact('John Doe', 'John Doe')],
  birth_date: [
    fact('1983-05-06', 'May sixth, 1983', /May 6/),
    fact('1990-01-01', 'January first, 1990', /January 1\b/),
  ],
  day: [
    fact('2026-12-03', 'December third', /December 3\b/),
    fact('2026-12-24', 'December twenty-fourth', /December 24/),
  ],
  visit_time: [
    fact('11:00', 'Eleven in the morning', /\b11\b/),
    fact('10:30', 'Half past ten in the morning', /10:30/),
  ],
  time: [
    fact('20:00', 'Eight in the evening', /\b8\b|20:00/),
    fact('20:30', 'Half past eight in the evening', /8:30|20:30/),
  ],
  party_size: [fact(5, 'Five of us', /\b(5|five)\b/i), fact(2, 'Two of us', /\b(2|two)\b/i)],
  phone: [number('+14155550000', '415 555 0000'), number('+12025550123', '202 555 0123')],
  pain_level: [fact(3, 'Three', /\b(3|three)\b/i), fact(2, 'Two', /\b(2|two)\b/i)],
  bike: [fact('city', 'A city bike', /city/i)],
};

function sceneOf(caller: Caller): Scene {
  const { flow, facts } = caller;
  return {
    name: `${flow}, ${caller.name}`,
    source: sourceOf(flow),
    phrases: english,
    tools: () => toolsOf(flow),
    values: Object.fromEntries(Object.entries(facts).map(([name, own]) => [name, [own, ...(others[name] ?? [])]])),
    answers: caller.answers,
    question: caller.question.text,
    // "I would rather not say" is a valid reason for a visit.
    decline: 'I do not want to answer that.',
    // "Yesterday" is a date of birth.
    ...(facts['birth_date'] === undefined
      ? {}
      : { badValues: ['Four hundred.', 'On February thirtieth.', '555 2671.'] }),
    decides: [],
  };
}

export const shippedScenes: readonly Scene[] = callers.map(sceneOf);
