import { type AddedNumbers, counted } from '../tables/numbers/added-numbers.ts';

const hundreds = { dos: 200, tres: 300, cuatro: 400, seis: 600, ocho: 800 };
const irregular = { quinient: 500, setecient: 700, novecient: 900 };

export const numbers: AddedNumbers = {
  words: counted(
    'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte veintiuno veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve',
    {
      ...{ un: 1, una: 1, veintiun: 21, veintiuna: 21, treinta: 30, cuarenta: 40, cincuenta: 50, sesenta: 60 },
      ...{ setenta: 70, ochenta: 80, noventa: 90, cien: 100, ciento: 100, primero: 1, primer: 1 },
      ...Object.fromEntries(
        Object.entries(hundreds).flatMap(([word, value]) => ['os', 'as'].map((end) => [`${word}cient${end}`, value])),
      ),
      ...Object.fromEntries(
        Object.entries(irregular).flatMap(([word, value]) => ['os', 'as'].map((end) => [word + end, value])),
      ),
    },
  ),
  articles: new Set(['un', 'una']),
  and: 'y',
  // The twenties are one word, so that "a las diez y cinco" stays 10 and 5.
  joinsByAnd: (last, next) => last >= 30 && last < 100 && last % 10 === 0 && next > 0 && next < 10,
  joinsBare: false,
  hundred: [],
  thousand: ['mil'],
  hasScores: false,
};
