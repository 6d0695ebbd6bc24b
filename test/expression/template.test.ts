import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Lookup } from '../../src/flow/expression/path.ts';
import { parseTemplate, renderTemplate, templateReferences } from '../../src/flow/expression/template.ts';
import { cpuSecondsOf } from '../cpu.ts';

const scope = (values: Record<string, unknown>): Lookup => {
  const names = new Map(Object.entries(values));
  return (name) => names.get(name);
};
const render = (source: string, values: Record<string, unknown> = {}): string =>
  renderTemplate(parseTemplate(source), scope(values)).text;

/** Text rich in what the syntax is made of. */
const braces = fc
  .array(fc.constantFrom('{', '{{', '}', '}}', '\\', '\\{{', ' ', 'a', 'a.b', '.', '#if', '|', '(', '\n', '💙'), {
    maxLength: 40,
  })
  .map((pieces) => pieces.join(''));

describe('parseTemplate', () => {
  it('splits text and references, with the offsets of their braces', () => {
    expect(parseTemplate('Hi {{ name }}, at {{visit.time}}.')).toEqual({
      source: 'Hi {{ name }}, at {{visit.time}}.',
      parts: [
        'Hi ',
        { path: ['name'], start: 3, end: 13 },
        ', at ',
        { path: ['visit', 'time'], start: 18, end: 32 },
        '.',
      ],
      problems: [],
    });
  });

  it('has no parts for an empty text, and no empty parts', () => {
    expect(parseTemplate('').parts).toEqual([]);
    expect(parseTemplate('{{a}}{{ b }}').parts).toEqual([
      { path: ['a'], start: 0, end: 5 },
      { path: ['b'], start: 5, end: 12 },
    ]);
  });

  it('lists its references in order', () => {
    expect(templateReferences(parseTemplate('{{ b }} and {{ a }}')).map(({ path }) => path)).toEqual([['b'], ['a']]);
  });

  it.each([
    ['a {{ b', 2, 4, 'never closed'],
    ['a {{', 2, 4, 'never closed'],
    ['{{ a {{ b }}', 0, 2, 'never closed'],
    ['x{{}}', 1, 5, 'Nothing is named'],
    ['x{{   }}', 1, 8, 'Nothing is named'],
    ['{{ a | upper }}', 0, 15, 'no filters'],
    ['{{ f() }}', 0, 9, 'calls no functions'],
    ['{{#if a}}yes', 0, 9, 'no blocks'],
    ['{{> part }}', 0, 11, 'no blocks'],
    ['-{{{ x }}}-', 1, 10, 'two braces'],
    ['-{{{ x }}-', 1, 9, 'two braces'],
    ['-{{{ x }}}}-', 1, 10, 'two braces'],
    ['{{ a + b }}', 0, 11, 'no operators'],
    ['{{ a || b }}', 0, 12, 'no operators'],
    ['{{ a - b }}', 0, 11, 'no operators'],
    ['{{ a ? b : c }}', 0, 15, 'no operators'],
    ['{{ "a" }}', 0, 9, 'no operators'],
    ['{{ a[0] }}', 0, 10, 'after a dot'],
    ['{{ two words }}', 0, 15, 'not a name'],
    ['{{ 0 }}', 0, 7, 'not a name'],
  ])('reports %j, and renders it as it stands', (source, start, end, reason) => {
    const { problems } = parseTemplate(source);
    expect(problems).toEqual([{ start, end, reason: expect.stringContaining(reason), hint: expect.any(String) }]);
    expect(render(source, { a: 1, b: 2, x: 3 })).toBe(source.replace('{{ b }}', '2'));
  });

  it('goes on after a problem, and reports each', () => {
    const source = '{{ f() }} {{ a }} {{ | }} {{';
    expect(parseTemplate(source).problems.map(({ start, end }) => source.slice(start, end))).toEqual([
      '{{ f() }}',
      '{{ | }}',
      '{{',
    ]);
    expect(render(source, { a: 'A' })).toBe('{{ f() }} A {{ | }} {{');
  });

  it('points at its problems and references inside the source, in order and without overlap', () => {
    fc.assert(
      fc.property(braces, (source) => {
        const template = parseTemplate(source);
        const spans = [...template.problems, ...templateReferences(template)].toSorted((a, b) => a.start - b.start);
        let last = 0;
        for (const { start, end } of spans) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(source.slice(start, start + 2)).toBe('{{');
          last = end;
        }
        expect(last).toBeLessThanOrEqual(source.length);
      }),
    );
  });
});

describe('renderTemplate', () => {
  it.each([
    ['text as it is', 'a "b"', 'a "b"'],
    ['a number', 1.5, '1.5'],
    ['false', false, 'false'],
    ['null as nothing', null, ''],
    ['an object as JSON', { a: [1, null] }, '{"a":[1,null]}'],
    ['a list as JSON', ['x'], '["x"]'],
    ['a big integer', 10n, '10'],
    ['a big integer inside', [10n], '["10"]'],
  ])('writes %s', (_, value, text) => {
    expect(renderTemplate(parseTemplate('<{{ x }}>'), scope({ x: value }))).toEqual({
      text: `<${text}>`,
      unwritten: [],
    });
  });

  it('leaves out what is unknown', () => {
    const template = parseTemplate('{{ a.b }}-{{ c }}-{{ a.b }}');
    expect(renderTemplate(template, scope({ a: {} }))).toEqual({ text: '--', unwritten: [] });
  });

  it('leaves out and names what cannot be written', () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    let shared: unknown = 'x';
    for (let level = 0; level < 60; level += 1) shared = [shared, shared];
    let deep: unknown = [];
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    const throwing = { toJSON: () => expect.unreachable() };
    const values = { cycle, shared, deep, throwing, symbol: Symbol('s'), call: () => 1, long: 'x'.repeat(1_000_001) };
    for (const name of Object.keys(values)) {
      expect(renderTemplate(parseTemplate(`<{{ ${name} }}>`), scope(values))).toEqual({
        text: '<>',
        unwritten: [name],
      });
    }
  });

  it('writes at most a million characters of values', () => {
    const template = parseTemplate('{{ x }}'.repeat(100_000));
    const { text, unwritten } = renderTemplate(template, scope({ x: 'y'.repeat(9_999) }));
    expect(text.length).toBe(9_999 * 100);
    expect(unwritten).toEqual(['x']);
  });

  it('writes two plain braces for an escaped pair', () => {
    expect(render('\\{{ a }} {{ a }} \\ \\\\{{ {', { a: 1 })).toBe('{{ a }} 1 \\ \\{{ {');
    expect(parseTemplate('\\{{ a }}').problems).toEqual([]);
  });

  it('leaves single braces around a reference as they are', () => {
    expect(render('{ {{ a }}} }', { a: 1 })).toBe('{ 1} }');
  });

  it('gives back any text whose braces were escaped', () => {
    fc.assert(
      fc.property(fc.oneof(braces, fc.string()), (text) => {
        const template = parseTemplate(text.replaceAll('{{', '\\{{'));
        expect(template.problems).toEqual([]);
        expect(renderTemplate(template, () => 'value').text).toBe(text);
      }),
    );
  });

  it('never reads a value again', () => {
    expect(render('{{ a }}{{ b }}', { a: '{{ b }}', b: '{{' })).toBe('{{ b }}{{');
    fc.assert(
      fc.property(braces, braces, (before, value) => {
        const fixed = before.replaceAll('{', '');
        expect(render(`${fixed} {{ x }} {{ x }}`, { x: value })).toBe(`${fixed} ${value} ${value}`);
      }),
    );
  });

  it('renders any text with any value without throwing, and unchanged where nothing is escaped or named', () => {
    fc.assert(
      fc.property(fc.oneof(braces, fc.string()), fc.anything({ withBigInt: true, withMap: true }), (source, value) => {
        const template = parseTemplate(source);
        const { text } = renderTemplate(template, () => value);
        if (templateReferences(template).length === 0) expect(text).toBe(source.replaceAll('\\{{', '{{'));
      }),
      { numRuns: 500 },
    );
  });

  it.each(['{{', '{{ a }}', '\\{{', '{', '}}', '{{{', '{{ a', '{{ }}', '{{ | }}', ' {{\\{{ ', '{{ } ', '\\{{ } '])(
    'reads a megabyte of %j in time linear in it',
    (piece) => {
      const source = piece.repeat(1_000_000 / piece.length);
      expect(cpuSecondsOf(() => renderTemplate(parseTemplate(source), () => 'x'))).toBeLessThan(12);
    },
  );
});
