import { expect, test } from 'vitest';
import { exampleOf, publicNames } from './docstrings.ts';

const names = publicNames();

test('every public name says what it is', () => {
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter(({ docstring }) => docstring === '').map(({ name, file }) => `${name} (${file})`)).toEqual([]);
});

// The examples are compiled with the snippets of the pages: snippets.test.ts.
test('every public function has an example', () => {
  const functions = names.filter(({ isFunction }) => isFunction);
  expect(functions.length).toBeGreaterThan(25);
  expect(functions.filter((one) => exampleOf(one) === null).map(({ name, file }) => `${name} (${file})`)).toEqual([]);
});
