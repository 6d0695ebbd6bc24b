import { expect, test } from 'vitest';
import { languageOf } from '../../src/language/language-of.ts';

test.each([
  ['en', 'The same.'],
  ['en', 'no, keep it as it is'],
  ['en', "please don't change it"],
  ['de', 'Das bleibt so.'],
  ['de', 'nein, derselbe Tag'],
  ['fr', 'la même date'],
  ['fr', 'non, on garde'],
  ['es', 'el mismo día, por favor'],
  ['es', 'Déjelo así.'],
  ['pt', 'o mesmo dia'],
  ['pt', 'Deixe como está.'],
])('%s: "%s" leaves things as they are', (language, text) => {
  expect(languageOf(language).reader.keeps(text)).toBe(true);
});

test.each([
  ['en', 'the same week, on Friday'],
  ['en', 'is it the same?'],
  ['en', 'no'],
  ['de', 'am gleichen Tag um acht'],
  ['fr', 'le vendredi'],
  ['es', 'el mismo viernes no'],
  ['pt', 'sexta'],
])('%s: "%s" does not', (language, text) => {
  expect(languageOf(language).reader.keeps(text)).toBe(false);
});

test.each([
  ['en', ['How much again?', 'Sorry, when was that again?', 'Can you repeat the price?']],
  ['de', ['Wie viel war das noch mal?', 'Wann war das noch mal, bitte?']],
  ['fr', ["C'est combien déjà ?", 'Vous pouvez répéter le prix ?']],
  ['es', ['¿Cuánto era?', '¿Puede repetir el precio, por favor?']],
  ['pt', ['Quanto era mesmo?', 'Pode repetir o preço, por favor?']],
] as const)('words ask for a value of the last line once more: %s', (language, texts) => {
  const { reader } = languageOf(language);
  for (const text of texts) expect(reader.request(text), text).toBe('value');
});
