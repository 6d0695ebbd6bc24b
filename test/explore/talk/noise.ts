import { english } from '../../../src/language/english/reader.ts';
import type { Chance } from '../chance.ts';
import type { Caller } from './callers.ts';
import { type Facts, no, type Said, said, yes } from './said.ts';

/** What callers do before they answer. */
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

/** One noise of a caller; null is silence, and undefined where this caller cannot make it now. */
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
      // A fact that is told beside the matter: it is known already, or is not asked for yet.
      const others = Object.entries(caller.facts).filter(([, { words }]) => !/^(yes|no)$/i.test(words));
      const chosen = chance.any(others);
      if (chosen === undefined || asked === '') return undefined;
      const [name, { value, words }] = chosen;
      const text = noise === 'correction' ? `Actually, ${words}.` : `By the way, ${words}.`;
      return said(text, { slots: { [name]: value } });
    }
  }
}

/** How callers say yes who do not just say yes. */
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
 * The same words in another form, where they agree to something. Rules alone (`isByRules`) ask again after a yes of
 * which they know no word.
 */
export function inOtherForm(words: Said, chance: Chance, isByRules: boolean): Said {
  if (words !== yes) return words;
  const form = chance.pick(agreements);
  const { answer, leansYes } = english.consent(form);
  return isByRules && answer !== 'yes' && leansYes !== true ? words : said(form, yes.means);
}

/** The answer to two questions in one sentence: what was asked, and a fact that nobody has asked for yet. */
export function withAnotherFact(words: Said, facts: Facts, chance: Chance): Said {
  const { slots = {} } = words.means;
  const names = Object.keys(slots);
  // Only who answers with a fact adds one.
  if (names.length === 0) return words;
  const others = Object.entries(facts).filter(
    ([name, { words: told }]) => !names.includes(name) && !/^(yes|no)$/i.test(told),
  );
  const chosen = chance.any(others);
  if (chosen === undefined) return words;
  const [name, { value, words: told }] = chosen;
  return said(`${words.text} And ${told}.`, { ...words.means, slots: { ...slots, [name]: value } });
}

/** What callers say first who then say what is right, by the slot. */
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

/** A slip of the tongue in the place of an answer, and the words that correct it; null where this answer knows none. */
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
