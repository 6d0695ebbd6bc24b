import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Lookup } from '../../src/flow/expression/path.ts';
import { compileWhen, evaluateWhen, whenSchema, type When } from '../../src/flow/expression/when.ts';

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
    [{ notEquals: { var: 'unknown', value: 'pain' } }, false],
    [{ notEquals: { var: 'age', value: 'pain' } }, true],
    [{ notEquals: { var: 'nothing', value: 'pain' } }, false],
    [{ notEquals: { var: 'reason', value: null } }, true],
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
    expect(compileWhen(when).references).toEqual([
      { path: ['reason'], at: ['all', 0, 'exists', 'var'], isDenied: false },
      { path: ['visit', 'time'], at: ['all', 1, 'not', 'equals', 'var'], isDenied: true },
    ]);
  });

  it.each<[unknown, readonly (string | number)[], string]>([
    [{}, [], 'when-empty'],
    [{ all: [] }, ['all'], 'when-empty'],
    [{ any: 'x' }, ['any'], 'when-empty'],
    [{ all: [exists, {}] }, ['all', 1], 'when-empty'],
    [{ not: null }, ['not'], 'when-empty'],
    [{ ...exists, not: exists }, [], 'when-several-operators'],
    [{ exists: { var: 'a b' } }, ['exists', 'var'], 'when-path'],
    [{ equals: { value: 1 } }, ['equals'], 'when-operand'],
    [{ equals: 1 }, ['equals'], 'when-operand'],
    [{ equals: { var: 'reason', count: 'reason', value: 1 } }, ['equals'], 'when-operand'],
    [{ equals: { count: 'a b', value: 1 } }, ['equals', 'count'], 'when-operand'],
    [{ equals: { add: [1], value: 1 } }, ['equals', 'add'], 'when-operand'],
    [{ less: { daysBetween: ['a'], value: 1 } }, ['less', 'daysBetween'], 'when-operand'],
    [{ less: { add: [1, true], value: 1 } }, ['less', 'add', 1], 'when-operand'],
    [{ less: { var: 'age', value: { var: 'a b' } } }, ['less', 'value', 'var'], 'when-path'],
    [{ in: { weekday: 'now', values: ['Sat'] } }, ['in'], 'when-operand'],
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

  it.each<[When, boolean | undefined]>([
    [{ not: { less: { var: 'unknown', value: 5 } } }, undefined],
    [{ not: { equals: { var: 'unknown', value: 5 } } }, undefined],
    [{ not: { in: { var: 'unknown', values: [5] } } }, undefined],
    [{ not: { contains: { var: 'nothing', value: 'x' } } }, undefined],
    [{ not: { matches: { var: 'unknown', value: 'x' } } }, undefined],
    [{ not: { less: { var: 'reason', value: 5 } } }, undefined],
    [{ not: { exists: { var: 'unknown' } } }, true],
    [{ equals: { var: 'age', value: { var: 'unknown' } } }, undefined],
    [{ all: [{ less: { var: 'unknown', value: 5 } }, exists] }, undefined],
    [{ all: [{ less: { var: 'unknown', value: 5 } }, unknown] }, false],
    [{ any: [{ less: { var: 'unknown', value: 5 } }, exists] }, true],
    [{ any: [{ less: { var: 'unknown', value: 5 } }, unknown] }, undefined],
    [{ not: { any: [{ less: { var: 'unknown', value: 5 } }, unknown] } }, undefined],
  ])('%j is %j: what is compared with the unknown is unknown', (when, truth) => {
    expect(compileWhen(when).truth(lookup)).toBe(truth);
  });

  describe('that computes', () => {
    const stay = new Map<string, unknown>([
      ['arrive', '2026-12-30'],
      ['leave', '2027-01-02'],
      ['at', '14:30'],
      ['rooms', ['double', 'cot']],
      ['price', 80],
      ['written', '20'],
      ['now', '2026-11-22T16:45'],
      ['today', '2026-11-22'],
    ]);
    it.each<[When, boolean | undefined]>([
      [{ equals: { count: 'rooms', value: 2 } }, true],
      [{ greater: { count: 'rooms', value: 2 } }, false],
      [{ equals: { count: 'missing', value: 0 } }, undefined],
      [{ equals: { count: 'price', value: 1 } }, undefined],
      [{ equals: { add: ['price', 'written', 5], value: 105 } }, true],
      [{ equals: { add: ['price', 'missing'], value: 105 } }, undefined],
      [{ equals: { add: ['arrive', 3], value: { var: 'leave' } } }, true],
      [{ equals: { add: ['arrive', -30], value: '2026-11-30' } }, true],
      [{ equals: { add: ['arrive', 0.5], value: 0 } }, undefined],
      [{ equals: { daysBetween: ['arrive', 'leave'], value: 3 } }, true],
      [{ atMost: { daysBetween: ['today', 'arrive'], value: 38 } }, true],
      [{ less: { daysBetween: ['leave', '2026-12-31'], value: 0 } }, true],
      [{ less: { daysBetween: ['leave', 'at'], value: 0 } }, undefined],
      [{ less: { var: 'leave', value: { var: 'arrive' } } }, false],
      [{ less: { var: 'arrive', value: { add: ['leave', -1] } } }, true],
      [{ equals: { weekday: 'arrive', value: 'wednesday' } }, true],
      [{ in: { weekday: 'now', values: ['saturday', 'sunday'] } }, true],
      [{ equals: { weekday: 'at', value: 'sunday' } }, undefined],
      [{ less: { var: 'now', value: '17:00' } }, true],
      [{ less: { var: 'now', value: { var: 'at' } } }, false],
      [{ less: { var: 'now', value: '2026-12-24' } }, true],
      [{ atLeast: { var: 'now', value: '2026-11-22T16:45' } }, true],
      [{ greater: { var: 'arrive', value: { var: 'now' } } }, true],
      [{ contains: { var: 'rooms', value: { var: 'missing' } } }, undefined],
    ])('%j: %j', (when, truth) => {
      expect(whenSchema.parse(when)).toEqual(when);
      const compiled = compileWhen(when);
      expect(compiled.problems).toEqual([]);
      expect(compiled.truth((name) => stay.get(name))).toBe(truth);
    });

    it('reads days_between in either spelling where its keys are no part of a schema', () => {
      const when = { equals: { var: 'nights', value: { days_between: ['arrive', 'leave'] } } };
      const compiled = compileAny(when);
      expect(compiled.truth((name) => (name === 'nights' ? 3 : stay.get(name)))).toBe(true);
      expect(compiled.references.map(({ at }) => at.join('.'))).toEqual([
        'equals.var',
        'equals.value.days_between.0',
        'equals.value.days_between.1',
      ]);
    });

    it('ends on computations whose shared parts unfold without end', () => {
      let shared: unknown = 1;
      for (let level = 0; level < 16; level += 1) shared = { add: Array.from({ length: 50 }, () => shared) };
      const compiled = compileAny({ equals: { ...(shared as object), value: 1 } });
      expect(compiled.problems.map(({ code }) => code)).toContain('when-too-deep');
      expect(evaluateWhen(compiled, lookup)).toBe(false);
    });
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
