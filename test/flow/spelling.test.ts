import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { conversationSchema } from '../../src/flow/document/document.ts';
import { nodeSchema } from '../../src/flow/document/node.ts';
import { camelCase, snakeCase } from '../../src/flow/document/problems/schema-shape.ts';
import { normalizeSpelling } from '../../src/flow/document/problems/spelling.ts';

describe('the spelling of keys', () => {
  it('gives every known key its camelCase name, at any depth and in any branch of a union', () => {
    const { value, problems } = normalizeSpelling(conversationSchema, {
      initial_node: 'a',
      policy: { max_transitions_per_turn: 3 },
      nodes: {
        a: {
          task_messages: [{ role: 'system', content: 'x' }],
          context_strategy: { strategy: 'reset', summary_prompt: 'Sum up.' },
          functions: [{ name: 'go', save_as: 'x', retry: { max_attempts: 2 } }],
        },
      },
      edges: [{ from: 'a', to: 'a', when: { all: [{ not_equals: { var: 'x', value: 1 } }] } }],
    });
    expect(problems).toEqual([]);
    expect(value).toEqual({
      initialNode: 'a',
      policy: { maxTransitionsPerTurn: 3 },
      nodes: {
        a: {
          taskMessages: [{ role: 'system', content: 'x' }],
          contextStrategy: { strategy: 'reset', summaryPrompt: 'Sum up.' },
          functions: [{ name: 'go', saveAs: 'x', retry: { maxAttempts: 2 } }],
        },
      },
      edges: [{ from: 'a', to: 'a', when: { all: [{ notEquals: { var: 'x', value: 1 } }] } }],
    });
  });

  it('knows the keys of a list of nodes as it knows those of a map of nodes', () => {
    const { value } = normalizeSpelling(conversationSchema, { nodes: [{ id: 'a', default_transition: 'b' }] });
    expect(value).toEqual({ nodes: [{ id: 'a', defaultTransition: 'b' }] });
  });

  it('leaves the author’s own maps alone: ids, state, schemas, config, unknown keys', () => {
    const document = {
      state: { save_as: 1, inner: { initial_node: 2 } },
      slots: { birth_date: { type: 'date' } },
      nodes: {
        default_transition: { config: { save_as: 1 }, input: { time_zone: 'x' } },
        b: { functions: [{ name: 'go', parameters: { save_as: { type: 'string' } } }] },
      },
      some_thing: { save_as: 1 },
    };
    expect(normalizeSpelling(conversationSchema, document).value).toBe(document);
  });

  it('returns what needs no change by identity, beside what does', () => {
    const kept = { id: 'a', say: 'Hi.' };
    const { value } = normalizeSpelling(conversationSchema, { nodes: [kept, { id: 'b', on_error: 'a' }] });
    expect((value as { nodes: unknown[] }).nodes[0]).toBe(kept);
  });

  it('never changes what it was given', () => {
    const given = Object.freeze({ on_error: 'a', functions: Object.freeze([Object.freeze({ save_as: 'x' })]) });
    expect(normalizeSpelling(nodeSchema, given).value).toEqual({ onError: 'a', functions: [{ saveAs: 'x' }] });
  });

  it.each([
    ['snake first', { on_error: 'a', onError: 'b' }],
    ['camel first', { onError: 'b', on_error: 'a' }],
  ])('reports both spellings of a key at once and keeps the camelCase one, %s', (_, node) => {
    const { value, problems } = normalizeSpelling(conversationSchema, { nodes: { a: node } });
    expect(value).toEqual({ nodes: { a: { onError: 'b' } } });
    expect(problems).toMatchObject([
      { code: 'both-spellings', severity: 'error', path: ['nodes', 'a', 'on_error'], atKey: true },
    ]);
    expect(problems[0]?.message).toContain('"on_error" and "onError"');
  });

  it('takes a name such as constructor or __proto__ for an ordinary key', () => {
    const node = JSON.parse('{"__proto__":{"on_error":"a"},"constructor":1,"toString":2,"on_error":"b"}') as object;
    const { value } = normalizeSpelling(nodeSchema, node);
    expect(Object.entries(value as object)).toEqual([
      ['__proto__', { on_error: 'a' }],
      ['constructor', 1],
      ['toString', 2],
      ['onError', 'b'],
    ]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it('reports a YAML 1.1 truth word where either a boolean or text may stand', () => {
    const { problems } = normalizeSpelling(nodeSchema, { end: 'no', functions: [{ name: 'go', confirm: 'Yes' }] });
    expect(problems.map(({ code, path, hint }) => [code, path, hint])).toEqual([
      ['boolean-word', ['end'], 'Write false.'],
      ['boolean-word', ['functions', 0, 'confirm'], 'Write true.'],
    ]);
    expect(normalizeSpelling(nodeSchema, { end: 'booked', say: 'yes' }).problems).toEqual([]);
    const isQuoted = (path: readonly PropertyKey[]): boolean => path[0] === 'end';
    const spelled = normalizeSpelling(nodeSchema, { end: 'no', functions: [{ name: 'go', confirm: 'Yes' }] }, isQuoted);
    expect(spelled.problems.map(({ path }) => path)).toEqual([['functions', 0, 'confirm']]);
  });

  it('takes the keys of both branches where two branches of a union are objects', () => {
    const schema = z.union([
      z.object({ firstKey: z.string() }),
      z.object({ secondKey: z.object({ innerKey: z.string() }) }),
    ]);
    expect(normalizeSpelling(schema, { second_key: { inner_key: 'x' } }).value).toEqual({
      secondKey: { innerKey: 'x' },
    });
  });

  it('looks through optional, nullable, default, lazy, readonly, preprocessed and transformed schemas', () => {
    const inner = z.object({ innerKey: z.string() });
    const wrapped = [
      inner.optional(),
      inner.nullable(),
      inner.default({ innerKey: 'x' }),
      z.lazy(() => inner),
      inner.readonly(),
      z.preprocess((value) => value, inner),
      inner.transform((value) => value.innerKey),
      z.intersection(inner, z.object({ other: z.string().optional() })),
    ];
    for (const schema of wrapped)
      expect(normalizeSpelling(schema, { inner_key: 'y' }).value, schema._zod.def.type).toEqual({ innerKey: 'y' });
  });

  it('ends on a value deeper than any document', () => {
    let when: unknown = { exists: { var: 'x' } };
    for (let level = 0; level < 100_000; level += 1) when = { not: when };
    expect(() => normalizeSpelling(conversationSchema, { edges: [{ when }] })).not.toThrow();
  });

  it('turns every key of the format into snake_case and back', () => {
    for (const name of ['saveAs', 'maxTransitionsPerTurn', 'say', '$schema', 'pii'])
      expect(camelCase(snakeCase(name))).toBe(name);
  });
});
