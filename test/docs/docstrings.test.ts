import { expect, test } from 'vitest';
import { errorCodes } from '../../src/model/error-codes.ts';
import { exampleOf, publicMethods, publicNames } from './docstrings.ts';

const names = publicNames();

test('every public name says what it is', () => {
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter(({ docstring }) => docstring === '').map(({ name, file }) => `${name} (${file})`)).toEqual([]);
});

// The examples are compiled with the snippets of the pages: snippets.test.ts.
test('every public function and class has an example', () => {
  const functions = names.filter(({ isFunction, isClass }) => isFunction || isClass);
  expect(functions.length).toBeGreaterThan(25);
  expect(functions.filter((one) => exampleOf(one) === null).map(({ name, file }) => `${name} (${file})`)).toEqual([]);
});

test('every public function and method names the errors that it throws, and says so where it throws none', () => {
  const codes = Object.values(errorCodes).flatMap((rows) => Object.keys(rows));
  const methods = publicMethods();
  expect(methods.length).toBeGreaterThan(15);
  const called = [...names.filter(({ isFunction }) => isFunction), ...methods];
  const silent = called.filter(({ docstring }) => !thrownBy(docstring).some(isAnswer));
  expect(silent.map(({ name, file }) => `${name} (${file})`)).toEqual([]);
  const told = [...names, ...methods]
    .flatMap(({ docstring }) => thrownBy(docstring))
    .flatMap((said) => said.match(/(?<=`)[a-z]+(-[a-z]+)+(?=`)/g) ?? []);
  expect(told.length).toBeGreaterThan(20);
  expect(told.filter((code) => !codes.includes(code))).toEqual([]);
});

/** Returns the sentences of a docstring about errors. */
function thrownBy(docstring: string): readonly string[] {
  const text = docstring.replaceAll(/\s*\n\s*\* ?/g, ' ');
  return text.match(/\b[Tt]hrows [^.]+/g) ?? [];
}

/** Checks whether a sentence names a code, a foreign error, or no error. */
function isAnswer(said: string): boolean {
  return /^[Tt]hrows (nothing|an? [A-Z]?[a-z]*error|what )|`[a-z]+(-[a-z]+)+`/i.test(said);
}
