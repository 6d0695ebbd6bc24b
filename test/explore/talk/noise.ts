import { english } from '../../../src/language/english/reader.ts';
import type { Chance } from '../chance.ts';
import type { Caller } from './callers.ts';
import { type Facts, no, type Said, said, yes } from './said.ts';

/** The callers' behaviour before an answer. */
export const noises = [
  'hmm',
  'what',
  'no',
  'silence',
  'question',
  'correction',
  'early',
  'foreign',
  'repeat',
  'wait',
  'goodbye',
] as const;
export type Noise = (typeof noises)[number];

/** Returns one noise of a caller: null for silence, undefined if it is not possible now. */
export function noiseOf(noise: Noise, caller: Caller, asked: string, chance: Chance): Said | null | undefined {
  switch (noise) {
    case 'hmm':
      return said(chance.pick(['Hmm.', 'Um, well.', 'Uh, let me see.', 'Er…']));
    case 'what':
      return said(chance.pick(['What?', 'Sorry?', 'Pardon?', 'Why?', 'Why do you ask?', 'What do you mean?']));
    case 'no':
      return no;
    case 'silence':
      return null;
    case 'question':
      return caller.question;
    case 'foreign':
      return said(chance.pick(['¿Cómo dice?', 'Wie bitte?', 'Je ne comprends pas.']));
    case 'repeat':
      return said(chance.pick(['Can you repeat that?', 'Could you say that again, please?']));
    case 'goodbye':
      return said(chance.pick(['I have to go, goodbye.', 'Sorry, I must go now. Bye!']), { wants: 'end_call' });
    case 'wait':
      return said(chance.pick(['Wait a moment.', 'One second, please.', 'Hold on.']));
    case 'correction':
    case 'early': {
      // An unrelated fact: already known, or not requested yet.
      const others = Object.entries(caller.facts).filter(([, { words }]) => !/^(yes|no)$/i.test(words));
      const chosen = chance.any(others);
      if (chosen === undefined || asked === '') return undefined;
      const [name, { value, words }] = chosen;
      const text = noise === 'correction' ? `Actually, ${words}.` : `By the way, ${words}.`;
      return said(text, { slots: { [name]: value } });
    }
  }
}

/** Indirect ways to agree. */
const agreements: readonly [string, ...string[]] = [
  'Yes, please.',
  'Sure.',
  'Yeah, go ahead.',
  "That's right.",
  'Okay.',
  'Of course.',
  'Absolutely.',
  'That is correct, thanks.',
  'Splendid.',
  'Yes indeed, that is what I want.',
];

/**
 * Returns the same words in another form if they agree to something. With rules only (`isByRules`), the flow asks again
 * after an unknown form of yes.
 */
export function inOtherForm(words: Said, chance: Chance, isByRules: boolean): Said {
  if (words !== yes) return words;
  const form = chance.pick(agreements);
  const { answer, leansYes } = english.consent(form);
  return isByRules && answer !== 'yes' && leansYes !== true ? words : said(form, yes.means);
}

/** Answers two questions in one sentence: the requested fact, and another that is not requested yet. */
export function withAnotherFact(words: Said, facts: Facts, chance: Chance): Said {
  const { slots = {} } = words.means;
  const names = Object.keys(slots);
  // Only an answer with a fact gets another one.
  if (names.length === 0) return words;
  const others = Object.entries(facts).filter(
    ([name, { words: told }]) => !names.includes(name) && !/^(yes|no)$/i.test(told),
  );
  const chosen = chance.any(others);
  if (chosen === undefined) return words;
  const [name, { value, words: told }] = chosen;
  return said(`${words.text} And ${told}.`, { ...words.means, slots: { ...slots, [name]: value } });
}

/** A wrong value that the caller says first and then corrects, by slot. */
const slips: Facts = {
  full_name: { value: 'Robert Smith', words: 'Robert Smith', heardAs: /Robert/ },
  guest_name: { value: 'Robert Smith', words: 'Robert Smith', heardAs: /Robert/ },
  name: { value: 'Robert Smith', words: 'Robert Smith', heardAs: /Robert/ },
  birth_date: { value: '1983-05-06', words: 'May sixth, 1983', heardAs: /May 6/ },
  day: { value: '2026-12-03', words: 'December third', heardAs: /December 3/ },
  visit_time: { value: '11:00', words: 'Eleven in the morning', heardAs: /11/ },
  time: { value: '20:00', words: 'Eight in the evening', heardAs: /8/ },
  party_size: { value: 5, words: 'Five of us', heardAs: /5/ },
};

/** Returns a slip of the tongue instead of an answer, with its correction; null if the answer has none. */
export function slipOf(words: Said, facts: Facts): { readonly slip: Said; readonly correction: Said } | null {
  const [name, ...more] = Object.keys(words.means.slots ?? {});
  const wrong = name === undefined || more.length > 0 ? undefined : slips[name];
  const right = name === undefined ? undefined : facts[name];
  if (name === undefined || wrong === undefined || right === undefined) return null;
  return {
    slip: said(`${wrong.words}.`, { ...words.means, slots: { [name]: wrong.value } }),
    correction: said(`No, sorry, I meant ${right.words}.`, { slots: { [name]: right.value } }),
  };
}
