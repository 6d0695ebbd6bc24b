import type { Chance } from '../chance.ts';
import type { Caller } from './callers.ts';
import { no, type Said, said } from './said.ts';

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
] as const;
export type Noise = (typeof noises)[number];

/** One noise of a caller; null is silence, and undefined where this caller cannot make it now. */
export function noiseOf(noise: Noise, caller: Caller, asked: string, chance: Chance): Said | null | undefined {
  switch (noise) {
    case 'hmm':
      return said(chance.pick(['Hmm.', 'Um, well.', 'Uh, let me see.', 'Er…']));
    case 'what':
      return said(chance.pick(['What?', 'Sorry?', 'Pardon?']));
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
