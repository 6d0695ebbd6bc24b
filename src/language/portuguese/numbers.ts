import { type AddedNumbers, counted } from '../tables/numbers/added-numbers.ts';

const hundreds = {
  duzent: 200,
  trezent: 300,
  quatrocent: 400,
  quinhent: 500,
  seiscent: 600,
  setecent: 700,
  oitocent: 800,
};

export const numbers: AddedNumbers = {
  words: counted(
    'zero um dois tres quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove',
    {
      ...{
        uma: 1,
        duas: 2,
        quatorze: 14,
        dezasseis: 16,
        dezassete: 17,
        dezanove: 19,
        vinte: 20,
        trinta: 30,
        quarenta: 40,
      },
      ...{ cinquenta: 50, sessenta: 60, setenta: 70, oitenta: 80, noventa: 90, cem: 100, cento: 100, primeiro: 1 },
      ...Object.fromEntries(
        Object.entries({ ...hundreds, novecent: 900 }).flatMap(([word, value]) =>
          ['os', 'as'].map((end) => [word + end, value]),
        ),
      ),
    },
  ),
  articles: new Set(['um', 'uma']),
  and: 'e',
  // "Dez e quinze" stays 10 and 15.
  joinsByAnd: (last, next) =>
    last === 1000 ||
    (last >= 100 && last < 1000 && last % 100 === 0 && next < 100) ||
    (last >= 20 && last < 100 && last % 10 === 0 && next > 0 && next < 10),
  joinsBare: false,
  hundred: [],
  thousand: ['mil'],
  hasScores: false,
};
