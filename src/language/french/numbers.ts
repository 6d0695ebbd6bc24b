import { type AddedNumbers, counted } from '../tables/numbers/added-numbers.ts';

export const numbers: AddedNumbers = {
  words: counted('zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize', {
    ...{ une: 1, vingt: 20, vingts: 20, trente: 30, quarante: 40, cinquante: 50, soixante: 60, septante: 70 },
    ...{ huitante: 80, octante: 80, nonante: 90, premier: 1 },
  }),
  articles: new Set(['un', 'une']),
  and: 'et',
  joinsByAnd: (last, next) => last >= 20 && last < 100 && last % 10 === 0 && (next === 1 || next === 11),
  joinsBare: true,
  hundred: ['cent', 'cents'],
  thousand: ['mille', 'mil'],
  hasScores: true,
};
