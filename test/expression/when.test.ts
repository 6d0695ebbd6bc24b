import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Lookup } from '../../src/expression/path.ts';
import { compileWhen, evaluateWhen, whenSchema, type When } from '../../src/expression/when.ts';

const values = new Map<string, unknown>([
  ['reason', 'pain'],
  ['age', 41],
  ['spoken', '7'],
  ['ok', 'true'],
  ['nothing', null],
  ['empty', ''],
  ['visit', { time: '14:30', day: '2026-05-01', tags: ['new', { id: 1 }] }],
]);
const lookup: Lookup = (name) => values.get(name);
const holds = (when: When): boolean => evaluateWhen(compileWhen(when), lookup);
/** What comes from outside has any shape. */
const compileAny = (when: unknown): ReturnType<typeof compileWhen> => compileWhen(when as When);
const nested = (levels: number, inner: unknown): unknown => {
  let when = inner;
  for (let level = 0; level < levels; level += 1) when = { not: when };
  return when;
};
const exists = { exists: { var: 'reason' } };
const unknown = { exists: { var: 'unknown' } };

describe('a condition', () => {
  it.each<[When, boolean]>([
    [{ equals: { var: 'reason', value: 'pain' } }, true],
    [{ equals: { var: 'reason', value: 'Pain' } }, false],
    [{ equals: { var: 'ok', value: true } }, true],
    [{ equals: { var: 'age', value: '41' } }, true],
    [{ equals: { var: 'visit.tags', value: ['new', { id: '1' }] } }, true],
    [{ equals: { var: 'nothing', value: null } }, true],
    [{ equals: { var: 'unknown', value: null } }, false],
    [{ notEquals: { var: 'reason', value: 'pain' } }, false],
    [{ notEquals: { var: 'unknown', value: 'pain' } }, true],
    [{ greater: { var: 'age', value: 40 } }, true],
    [{ greater: { var: 'age', value: 41 } }, false],
    [{ greater: { var: 'spoken', value: '10' } }, false],
    [{ greater: { var: 'visit.time', value: '09:00' } }, true],
    [{ greater: { var: 'unknown', value: 0 } }, false],
    [{ less: { var: 'age', value: 42 } }, true],
    [{ less: { var: 'age', value: 41 } }, false],
    [{ less: { var: 'nothing', value: 1 } }, false],
    [{ less: { var: 'reason', value: 'z' } }, false],
    [{ atLeast: { var: 'age', value: 41 } }, true],
    [{ atLeast: { var: 'age', value: 42 } }, false],
    [{ atMost: { var: 'visit.day', value: '2026-05-01' } }, true],
    [{ atMost: { var: 'visit.day', value: '2026-04-30' } }, false],
    [{ atLeast: { var: 'unknown', value: 0 } }, false],
    [{ atMost: { var: 'unknown', value: 0 } }, false],
    [{ contains: { var: 'reason', value: 'ai' } }, true],
    [{ contains: { var: 'reason', value: 'AI' } }, false],
    [{ contains: { var: 'visit.tags', value: 'new' } }, true],
    [{ contains: { var: 'visit.tags', value: { id: '1' } } }, true],
    [{ contains: { var: 'visit.tags', value: 'ne' } }, false],
    [{ contains: { var: 'visit', value: 'time' } }, false],
    [{ contains: { var: 'unknown', value: '' } }, false],
    [{ matches: { var: 'reason', value: '^p.*n$' } }, true],
    [{ matches: { var: 'reason', value: '^AI' } }, false],
    [{ matches: { var: 'reason', value: 'AI', flags: 'i' } }, true],
    [{ matches: { var: 'age', value: '^\\d+$' } }, true],
    [{ matches: { var: 'unknown', value: '' } }, false],
    [exists, true],
    [unknown, false],
    [{ exists: { var: 'nothing' } }, false],
    [{ exists: { var: 'empty' } }, false],
    [{ exists: { var: 'visit.tags.1.id' } }, true],
    [{ in: { var: 'reason', values: ['other', 'pain'] } }, true],
    [{ in: { var: 'age', value: ['41'] } }, true],
    [{ in: { var: 'reason', values: [] } }, false],
    [{ in: { var: 'unknown', values: ['a'] } }, false],
    [{ all: [exists, exists] }, true],
    [{ all: [exists, unknown] }, false],
    [{ any: [unknown, exists] }, true],
    [{ any: [unknown, unknown] }, false],
    [{ not: exists }, false],
    [{ not: { any: [unknown, { not: exists }] } }, true],
  ])('%j: %j', (when, result) => {
    expect(whenSchema.parse(when)).toEqual(when);
    expect(compileWhen(when).problems).toEqual([]);
    expect(holds(when)).toBe(result);
  });

  it('names the variables that it reads, in order', () => {
    const when: When = { all: [exists, { not: { equals: { var: 'visit.time', value: 1 } } }] };
    expect(compileWhen(when).references).toEqual([['reason'], ['visit', 'time']]);
  });

  it.each<[unknown, readonly (string | number)[], string]>([
    [{}, [], 'when-empty'],
    [{ all: [] }, ['all'], 'when-empty'],
    [{ any: 'x' }, ['any'], 'when-empty'],
    [{ all: [exists, {}] }, ['all', 1], 'when-empty'],
    [{ not: null }, ['not'], 'when-empty'],
    [{ ...exists, not: exists }, [], 'when-several-operators'],
    [{ exists: { var: 'a b' } }, ['exists', 'var'], 'when-path'],
    [{ equals: { value: 1 } }, ['equals', 'var'], 'when-path'],
    [{ equals: 1 }, ['equals', 'var'], 'when-path'],
    [{ not: { matches: { var: 'reason', value: '(?=p)' } } }, ['not', 'matches', 'value'], 'when-pattern'],
    [{ matches: { var: 'reason', value: 5 } }, ['matches', 'value'], 'when-pattern'],
    [{ matches: { var: 'reason', value: 'p', flags: 'g' } }, ['matches', 'value'], 'when-pattern'],
    ['text', [], 'when-empty'],
    [[exists], [], 'when-empty'],
    [Object.create(exists), [], 'when-empty'],
  ])('%j is a problem and does not hold', (when, at, code) => {
    const compiled = compileAny(when);
    expect(compiled.problems).toEqual([{ at, code, reason: expect.any(String), hint: expect.any(String) }]);
    expect(evaluateWhen(compiled, lookup)).toBe(false);
  });

  it('does not hold by denying what has a problem', () => {
    expect(evaluateWhen(compileAny({ not: {} }), lookup)).toBe(false);
    expect(evaluateWhen(compileAny({ not: { all: [exists, {}] } }), lookup)).toBe(false);
    expect(evaluateWhen(compileAny({ any: [{}, exists] }), lookup)).toBe(true);
  });

  it('nests 64 levels and no deeper', () => {
    expect(evaluateWhen(compileAny(nested(64, exists)), lookup)).toBe(true);
    const compiled = compileAny(nested(65, unknown));
    expect(compiled.problems).toMatchObject([{ code: 'when-too-deep', at: Array.from({ length: 65 }, () => 'not') }]);
    expect(evaluateWhen(compiled, lookup)).toBe(false);
  });

  it('has at most 10,000 conditions, and does not hold when it has more', () => {
    expect(evaluateWhen(compileAny({ all: Array.from({ length: 9_999 }, () => exists) }), lookup)).toBe(true);
    const compiled = compileAny({ any: Array.from({ length: 10_000 }, () => exists) });
    expect(compiled.problems).toMatchObject([{ code: 'when-too-deep', at: [] }]);
    expect(evaluateWhen(compiled, lookup)).toBe(false);
  });

  it('ends on cycles, on shared parts that unfold without end, and on 10,000 levels', () => {
    const cycle: { not?: unknown } = {};
    cycle.not = cycle;
    let shared: unknown = exists;
    for (let level = 0; level < 60; level += 1) shared = { all: [shared, shared] };
    for (const when of [cycle, shared, nested(10_000, exists)]) {
      const compiled = compileAny(when);
      expect(compiled.problems).toMatchObject([{ code: 'when-too-deep' }]);
      expect(evaluateWhen(compiled, lookup)).toBe(false);
    }
  });

  it('ends for any JSON, and holds only if it has no problem at its root', () => {
    const operator = fc.constantFrom(
      'equals',
      'greater',
      'contains',
      'matches',
      'exists',
      'in',
      'all',
      'any',
      'not',
      '__proto__',
      'x',
    );
    const { when } = fc.letrec((tie) => ({
      when: fc.oneof(
        { maxDepth: 5 },
        fc.jsonValue(),
        fc.dictionary(operator, fc.oneof(tie('when'), fc.array(tie('when')), tie('operand')), { maxKeys: 2 }),
      ),
      operand: fc.record(
        { var: fc.constantFrom('reason', 'constructor', 'a b'), value: fc.jsonValue() },
        { requiredKeys: [] },
      ),
    }));
    fc.assert(
      fc.property(when, fc.anything(), (condition, value) => {
        whenSchema.safeParse(condition);
        const compiled = compileAny(condition);
        const result = evaluateWhen(compiled, () => value);
        expect(result && compiled.problems.some(({ at }) => at.length === 0)).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('whenSchema', () => {
  it.each<[unknown, string]>([
    [{ equal: { var: 'a', value: 1 } }, 'equal'],
    [{ equals: { var: 'a', value: 1, extra: 1 } }, 'extra'],
    [{ equals: { var: 'a' } }, 'expected'],
    [{ greater: { var: 'a', value: true } }, 'Invalid input'],
    [{ in: { var: 'a' } }, 'values'],
    [{ in: { var: 'a', values: [1], value: [1] } }, 'values'],
    [{ all: [{ not: { equal: 1 } }] }, 'equal'],
    ['a', 'expected object'],
  ])('refuses %j', (when, message) => {
    expect(whenSchema.safeParse(when).error?.issues).toEqual([
      expect.objectContaining({ message: expect.stringContaining(message) }),
    ]);
  });

  it('refuses what is too deep to be read, without overflowing the stack', () => {
    const parsed = whenSchema.safeParse(nested(10_000, exists));
    expect(parsed.error?.issues[0]?.message).toContain('too deep');
  });

  it('leaves to compileWhen whatever compileWhen can point at', () => {
    expect(whenSchema.safeParse(nested(65, exists)).success).toBe(true);
    expect(whenSchema.safeParse({}).success).toBe(true);
  });

  it('is one described definition in a JSON schema', () => {
    const schema = z.toJSONSchema(z.object({ when: whenSchema }), { io: 'input' });
    expect(schema.$defs?.['When']).toMatchObject({
      description: expect.any(String),
      additionalProperties: false,
      minProperties: 1,
      maxProperties: 1,
      properties: { equals: { description: expect.any(String) }, not: { description: expect.any(String) } },
    });
  });
});
