import type { Chance } from '../chance.ts';
import { english, french, german, type Phrases, portuguese, spanish } from './phrases.ts';
import type { Stance } from './utterance.ts';

const languages = [english, german, spanish, french, portuguese];

/** Returns a sentence in another language than the flow's, with the caller's meaning. */
export function inOtherLanguage(own: Phrases, chance: Chance): { readonly text: string; readonly stance: Stance } {
  const { yes, no, refusals, hedges, asides, unrelated, waits } =
    chance.any(languages.filter((one) => one !== own)) ?? english;
  const kinds = ['yes', 'no', 'refusal', 'hedge', 'aside', 'unrelated', 'wait'] as const;
  switch (chance.pick(kinds)) {
    case 'yes':
      return { text: chance.pick(yes), stance: 'agrees' };
    case 'no':
      return { text: no, stance: 'refuses' };
    case 'refusal':
      return { text: chance.pick(refusals), stance: 'refuses' };
    case 'hedge':
      return { text: chance.pick(hedges), stance: 'neither' };
    case 'aside':
      return { text: chance.pick(asides), stance: 'neither' };
    case 'unrelated':
      return { text: chance.pick(unrelated), stance: 'neither' };
    case 'wait':
      return { text: chance.pick(waits), stance: 'neither' };
  }
}
