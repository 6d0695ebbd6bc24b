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
