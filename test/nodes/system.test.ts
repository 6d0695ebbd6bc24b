import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/model/json.ts';
import { issuesOf } from './evaluate.ts';
import { keptValues, runNode } from './run-node.ts';

const deep = (): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < 10_000; level += 1) value = [value];
  return value;
};

describe('system.log', () => {
  test('writes a line, with the key of the node that writes it', async () => {
    const lines: unknown[] = [];
    const log = { write: (...line: readonly unknown[]) => void lines.push(line) };
    expect(await runNode('system.log', { level: 'warn', message: 'Late.' }, { log })).toEqual({ ok: true });
    expect(lines).toEqual([['warn', 'Late.', { key: 'session/1' }]]);
    expect(issuesOf('system.log', { level: 'loud', message: '' })).toHaveLength(1);
  });
});

describe('system.metrics', () => {
  test('records a value with its tags', async () => {
    const records: unknown[] = [];
    const metrics = { record: (...record: readonly unknown[]) => void records.push(record) };
    const input = { name: 'triage.ms', value: 12.5, tags: { kind: 'bug' } };
    expect(await runNode('system.metrics', input, { metrics })).toEqual({ ok: true });
    await runNode('system.metrics', { name: 'runs', value: 0 }, { metrics });
    expect(records).toEqual([
      ['triage.ms', 12.5, { kind: 'bug' }],
      ['runs', 0, {}],
    ]);
  });

  test('refuses what a metric cannot take', () => {
    expect(issuesOf('system.metrics', { name: '1st', value: 1 })).toHaveLength(1);
    expect(issuesOf('system.metrics', { name: 'a', value: -1 })).toHaveLength(1);
    expect(issuesOf('system.metrics', { name: 'a', value: Number.NaN })).toHaveLength(1);
    expect(issuesOf('system.metrics', { name: 'a', value: 1, tags: { n: 1 } })).toHaveLength(1);
  });
});

describe.each([
  ['system.cache', 'cache'],
  ['system.state', 'state'],
] as const)('%s', (family, port) => {
  test('gives what was set under a key, and nothing under another', async () => {
    const given = { [port]: keptValues() };
    expect(await runNode(`${family}.set`, { key: 'a', value: { b: [1] } }, given)).toEqual({ ok: true });
    expect(await runNode(`${family}.get`, { key: 'a' }, given)).toEqual({ value: { b: [1] } });
    expect(await runNode(`${family}.get`, { key: '__proto__' }, given)).toEqual({});
  });

  test('refuses what nests too deep to be kept', async () => {
    const values = new Map<string, Json>();
    const given = { [port]: keptValues(values) };
    expect(await runNode(`${family}.set`, { key: 'a', value: deep() }, given)).toContain('json-too-large: ');
    expect(values.size).toBe(0);
  });
});

test('system.cache.set says how long a value holds', async () => {
  const times: unknown[] = [];
  const cache = {
    ...keptValues(),
    set: async (...[, , ttlMs]: readonly unknown[]) => Promise.resolve(void times.push(ttlMs)),
  };
  await runNode('system.cache.set', { key: 'a', value: 1, ttl_ms: 500 }, { cache });
  await runNode('system.cache.set', { key: 'a', value: 1 }, { cache });
  expect(times).toEqual([500, undefined]);
});
