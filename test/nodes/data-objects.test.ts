import { describe, expect, test } from 'vitest';
import { issuesOf, outcome } from './evaluate.ts';

const poisoned = JSON.parse('{"__proto__":{"polluted":true},"a":1}') as object;

function keysOf(output: unknown): readonly string[] {
  const { object } = output as { object: object };
  expect('polluted' in object).toBe(false);
  return Object.keys(object);
}

describe('data.merge', () => {
  test('puts objects together, the last of a key counting, without going into them', () => {
    const objects = [{ a: { x: 1 }, b: 1 }, { a: { y: 2 } }];
    expect(outcome('data.merge', { objects })).toEqual({ object: { a: { y: 2 }, b: 1 } });
    expect(objects[0]).toEqual({ a: { x: 1 }, b: 1 });
    expect(outcome('data.merge', { objects: [] })).toEqual({ object: {} });
  });

  test('keeps a key such as __proto__ as an ordinary one', () => {
    expect(keysOf(outcome('data.merge', { objects: [poisoned, { b: 2 }] }))).toEqual(['__proto__', 'a', 'b']);
  });

  test('passes over null, which stands for a path that was not taken', () => {
    expect(outcome('data.merge', { objects: [null, { a: 1 }, null] })).toEqual({ object: { a: 1 } });
  });

  test('refuses what is no object, and says where', () => {
    expect(issuesOf('data.merge', { objects: [{}, []] })).toEqual([['objects.1', 'This is not an object.']]);
  });
});

describe('data.pick', () => {
  test('keeps the named keys and leaves out those that are not there', () => {
    const object = { a: 1, b: null, c: 3 };
    expect(outcome('data.pick', { object, keys: ['b', 'a', 'd', 'toString'] })).toEqual({ object: { b: null, a: 1 } });
  });

  test('keeps a key such as __proto__ as an ordinary one', () => {
    expect(keysOf(outcome('data.pick', { object: poisoned, keys: ['__proto__'] }))).toEqual(['__proto__']);
  });
});
