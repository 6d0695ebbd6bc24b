import { describe, expect, test } from 'vitest';
import { evaluate, issuesOf, names, outcome } from './evaluate.ts';

const members = [
  { name: 'Ann', age: 61 },
  { name: 'Bo', age: 17 },
];

describe('data.map', () => {
  test('fills its template in for each member, with item, index and the names of the flow', () => {
    const input = { list: members, template: '{{ index }}: {{ item.name }} of {{ clinic }}' };
    const list = ['0: Ann of Harbour', '1: Bo of Harbour'];
    expect(outcome('data.map', input, names({ clinic: 'Harbour', item: 'hidden' }))).toEqual({ list });
  });

  test('gives the value itself where the template is one name and nothing else, and null where it is unknown', () => {
    expect(outcome('data.map', { list: members, template: '{{ item.age }}' })).toEqual({ list: [61, 17] });
    expect(outcome('data.map', { list: members, template: '{{ item.phone }}' })).toEqual({ list: [null, null] });
  });

  test('without a template gives the members', () => {
    expect(outcome('data.map', { list: [1, null] })).toEqual({ list: [1, null] });
  });

  test('never reads a member as a template', () => {
    const input = { list: ['{{ secret }}'], template: 'Say {{ item }}.' };
    expect(outcome('data.map', input, names({ secret: 'x' }))).toEqual({ list: ['Say {{ secret }}.'] });
  });

  test('refuses to write more than ten million characters', () => {
    const input = { list: Array.from({ length: 100 }, () => 0), template: '{{ text }}.' };
    expect(outcome('data.map', input, names({ text: 'x'.repeat(200_000) }))).toBe('list-too-long');
  });

  test('refuses a member whose text would be too long, and says which', () => {
    const result = evaluate('data.map', { list: ['a', 'x'.repeat(1_000_001)], template: 'Say {{ item }}.' });
    expect(result).toEqual({
      ok: false,
      code: 'text-too-long',
      message: expect.stringMatching(/^Member 1: .*\{\{ item \}\}/) as string,
    });
  });

  test('refuses a list that unfolds to over a million values', () => {
    const input = { list: Array.from({ length: 2_000 }, () => 0), template: '{{ rows }}' };
    const rows = Array.from({ length: 1_000 }, () => 0);
    expect(outcome('data.map', input, names({ rows }))).toBe('json-too-large');
  });
});

describe('data.filter', () => {
  test('keeps the members for which its condition holds, by item, index and the names of the flow', () => {
    const grown = { list: members, when: { at_least: { var: 'item.age', value: 18 } } };
    expect(outcome('data.filter', grown)).toEqual({ list: [members[0]] });
    const first = { list: members, when: { less: { var: 'index', value: 1 } } };
    expect(outcome('data.filter', first)).toEqual({ list: [members[0]] });
    const either = { list: members, when: { equals: { var: 'all', value: true } } };
    expect(outcome('data.filter', either, names({ all: true }))).toEqual({ list: members });
  });

  test('tells what is wrong in its condition before it runs', () => {
    expect(issuesOf('data.filter', { list: [], when: { exists: { var: '1' } } })).toEqual([
      ['when.exists.var', expect.stringContaining('not the name of a variable')],
    ]);
  });
});

describe('data.reduce', () => {
  test.each([
    ['sums numbers', [1, 2.5, -1], 2.5],
    ['sums decimals exactly', [0.1, 0.2, 0.7], 1],
    ['joins texts', ['a', '', 'b'], 'ab'],
    ['joins lists by one level', [[1], [], [[2]]], [1, [2]]],
    ['puts objects together, the last of a key counting', [{ a: 1, b: 1 }, { b: 2 }], { a: 1, b: 2 }],
    ['gives a single member as it is', [true], true],
    ['gives null for nothing', [], null],
  ])('%s', (_what, list, value) => {
    expect(outcome('data.reduce', { list })).toEqual({ value });
  });

  test('begins with `initial`, which is the value of an empty list', () => {
    expect(outcome('data.reduce', { list: [1, 2], initial: 10 })).toEqual({ value: 13 });
    expect(outcome('data.reduce', { list: [], initial: 0 })).toEqual({ value: 0 });
  });

  test('refuses members of several kinds, and says which one', () => {
    expect(evaluate('data.reduce', { list: [1, 'a'] })).toMatchObject({
      code: 'not-addable',
      message: expect.stringMatching(/^Member 1 /),
    });
    expect(evaluate('data.reduce', { list: ['a'], initial: 1 })).toMatchObject({
      message: expect.stringMatching(/^Member 0 /),
    });
    expect(outcome('data.reduce', { list: [true, false] })).toBe('not-addable');
    expect(evaluate('data.reduce', { list: [null, 1, 'a'] })).toMatchObject({
      message: expect.stringMatching(/^Member 2 /),
    });
  });

  test('adds nothing for what is not known, so that a node can count by its own output', () => {
    expect(evaluate('data.reduce', { list: [null, 1] })).toEqual({ ok: true, output: { value: 1 } });
    expect(evaluate('data.reduce', { list: [null], initial: 3 })).toEqual({ ok: true, output: { value: 3 } });
    expect(evaluate('data.reduce', { list: [null] })).toEqual({ ok: true, output: { value: null } });
  });

  test('refuses a sum that is no number of JSON', () => {
    expect(outcome('data.reduce', { list: [1e308, 1e308] })).toBe('not-addable');
  });

  test('keeps a key such as __proto__ as an ordinary one', () => {
    const list = [JSON.parse('{"__proto__":{"polluted":true}}'), { a: 1 }];
    const { value } = outcome('data.reduce', { list }) as { value: object };
    expect(Object.keys(value)).toEqual(['__proto__', 'a']);
    expect('polluted' in value).toBe(false);
  });
});
