import { expect, test } from 'vitest';
import { isEnglish } from '../../../src/language/english/is-english.ts';

test.each([
  'Which day would suit you?',
  'I would like to book a table for four people on Friday, please.',
  "Hi, it's Maria Delgado, born January first 1990.",
  'my tooth hurts and I need to see someone this week',
])('is English: %s', (text) => expect(isEnglish(text)).toBe(true));

test.each([
  'An welchem Tag möchten Sie zu uns in die Praxis kommen?',
  'Ich hätte gerne am Freitag einen Tisch für vier Personen.',
  'Quisiera reservar una mesa para cuatro personas el viernes por la noche.',
  'Je voudrais réserver une table pour quatre personnes vendredi soir.',
  'Vorrei prenotare un tavolo per quattro persone venerdì sera.',
  'Eu gostaria de reservar uma mesa para quatro pessoas na sexta.',
  'Je ne comprends pas.',
  '我想订一张四人的桌子',
])('is not: %s', (text) => expect(isEnglish(text)).toBe(false));

test.each(['Maria Delgado', 'Juan de la Cruz'])('what is too short shows no language: %s', (text) =>
  expect(isEnglish(text)).toBe(true),
);
