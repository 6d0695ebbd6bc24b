import { expect, test } from 'vitest';
import { replaceTexts } from '../../src/flow/load/yaml/replace-texts.ts';

const put = (source: string, text: string, ...path: (string | number)[]): string =>
  replaceTexts(source, [{ path, text }]).source;

test.each([
  ['a plain value', 'a: old # why\nb: 1\n', 'new', 'a: new # why\nb: 1\n'],
  ['a value that needs quotes', 'a: old\n', 'yes: no', 'a: "yes: no"\n'],
  ['a value that is not written yet', 'a:\nb: 1\n', 'new', 'a: new\nb: 1\n'],
  ['one in braces that is not written yet', '{ a: , b: 1 }\n', 'new', '{ a: "new", b: 1 }\n'],
  ['the last one in braces', '{ b: 1, a: }\n', 'new', '{ b: 1, a: "new" }\n'],
  ['quotes', "a: 'old' # why\n", 'it’s new', 'a: it’s new # why\n'],
  ['a block', 'a: |-\n  old\n  lines\nb: 1\n', 'new', 'a: new\nb: 1\n'],
  ['several lines', 'a: old\nb: 1\n', 'one\n\ntwo', 'a: |-\n  one\n\n  two\nb: 1\n'],
  ['JSON', '{"a": "old", "b": 1}', 'one\ntwo', '{"a": "one\\ntwo", "b": 1}'],
])('a text takes the place of %s, and all else stays as it was', (_name, source, text, expected) => {
  expect(put(source, text, 'a')).toBe(expected);
});

test('several lines stand below their own key in a list of maps', () => {
  const source = 'turns:\n  - user: hello\n    expect:\n      said:\n        exactly: old\n';
  expect(put(source, 'one\ntwo', 'turns', 0, 'expect', 'said', 'exactly')).toBe(
    'turns:\n  - user: hello\n    expect:\n      said:\n        exactly: |-\n          one\n          two\n',
  );
});

test('what stands behind an alias, or nowhere, is told and left as it is', () => {
  const source = 'a: &shared { b: old }\nc: *shared\n';
  const { source: same, missed } = replaceTexts(source, [{ path: ['c', 'b'], text: 'new' }]);
  expect(same).toBe(source);
  expect(missed).toHaveLength(1);
});
