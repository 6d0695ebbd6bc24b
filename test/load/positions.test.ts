import { describe, expect, it } from 'vitest';
import type { DocumentPath, Problem } from '../../src/flow/document/problems/diagnostic.ts';
import { readFlow } from '../../src/flow/load/read-flow.ts';
import { cpuSecondsOf } from '../cpu.ts';

type Where = Pick<Problem, 'path' | 'atKey' | 'within'>;

/** Returns `line:column` and the text that is marked there. */
function marked(text: string, where: Where): string {
  const { line, column, frame } = readFlow(text).locate({ code: 'x', severity: 'error', message: 'x', ...where });
  const row = text.split('\n')[(line ?? 0) - 1] ?? '';
  const length = /\^+$/.exec(frame ?? '')?.[0].length ?? 0;
  return `${line}:${column} ${row.slice((column ?? 0) - 1, (column ?? 0) - 1 + length)}`;
}

const flow = (node: string): string => `initial_node: a\nnodes:\n  a:\n    end: done\n${node}\n`;
const at = (...path: DocumentPath): DocumentPath => ['nodes', 'a', ...path];

describe('the place of a problem', () => {
  it('is that of the value, whichever spelling the path has', () => {
    for (const key of ['on_error', 'onError'])
      expect(marked(flow(`    on_error: b`), { path: at(key) })).toBe('5:15 b');
    expect(marked(flow(`    onError: b`), { path: at('on_error') })).toBe('5:14 b');
  });

  it('is the key where the key is meant, and where the value is empty', () => {
    expect(marked(flow('    "on_error": b'), { path: at('onError'), atKey: true })).toBe('5:5 "on_error"');
    expect(marked(flow('    config: { a: }'), { path: at('config', 'a') })).toBe('5:15 a');
  });

  it('is the key of the map that lacks a key', () => {
    expect(marked(flow('    config: { b: 1 }'), { path: at('config', 'a', 'b') })).toBe('5:5 config');
    expect(marked(flow(''), { path: at('functions', 0, 'name') })).toBe('3:3 a');
    expect(marked(flow(''), { path: ['slots'] })).toBe('1:1 initial_node');
  });

  it('is the beginning of a map or list that has no key', () => {
    const functions = '    functions:\n      - name: go\n        effect: read\n      - { name: b }';
    expect(marked(flow(functions), { path: at('functions', 0, 'handler') })).toBe('6:9 name');
    expect(marked(flow(functions), { path: at('functions', 1, 'handler') })).toBe('8:9 {');
    expect(marked(flow(functions), { path: at('functions') })).toBe('6:7 -');
    expect(marked(flow(functions), { path: at('functions', 7) })).toBe('5:5 functions');
    expect(marked(flow(functions), { path: [] })).toBe('1:1 initial_node');
  });

  it('is where an alias leads, for what is inside it', () => {
    const text = flow('    config: &x { b: word }\n    input: { c: *x }');
    expect(marked(text, { path: at('input', 'c') })).toBe('6:17 *x');
    expect(marked(text, { path: at('input', 'c', 'b') })).toBe('5:21 word');
  });

  it('does not take names of Object for keys', () => {
    expect(marked(flow(''), { path: at('constructor', '__proto__') })).toBe('3:3 a');
  });

  it('tells the path in the words of the author', () => {
    const { locate } = readFlow(flow('    onError: b'));
    const problem = { code: 'x', severity: 'error', message: 'x' } as const;
    expect(locate({ ...problem, path: at('on_error') }).path).toEqual(at('onError'));
    expect(locate({ ...problem, path: at('saveAs', 'maxTransitionsPerTurn') }).path).toEqual(
      at('save_as', 'max_transitions_per_turn'),
    );
  });
});

describe('the place inside a text', () => {
  const inside = (say: string, part: string, occurrence = 0): string => {
    const text = flow(`    say: ${say}`);
    const { document } = readFlow(text);
    const value = (document?.nodes as Record<string, { say: string }> | undefined)?.['a']?.say ?? '';
    let start = value.indexOf(part);
    for (let skipped = 0; skipped < occurrence; skipped += 1) start = value.indexOf(part, start + 1);
    return marked(text, { path: at('say'), within: { start, text: part } });
  };

  it.each([
    ['plain', 'Hi {{ x }}, {{ y', '{{ y', '5:22 {{ y'],
    ['in double quotes', '"Hi {{ x }}, {{ y"', '{{ y', '5:23 {{ y'],
    ['behind escapes', String.raw`"\tHi\x41\u0041\U0001F600 \"x\" {{ y"`, '{{ y', '5:42 {{ y'],
    ['behind an escaped line break', '"Hi \\\n      there {{ y"', '{{ y', '6:13 {{ y'],
    ['in single quotes, behind doubled ones', "'It''s {{ y'", '{{ y', '5:17 {{ y'],
    ['on a later line of a plain text', 'Hi\n      there\n\n      {{ y', '{{ y', '8:7 {{ y'],
    ['on a later line of a quoted text', '"Hi\n\n      {{ x }}\n     {{ y"', '{{ y', '8:6 {{ y'],
    ['in a literal block', '|\n      Hi\n\n        {{ x }}\n      and {{ y }}', '{{ y }}', '9:11 {{ y }}'],
    ['in a folded block', '>-\n      Hi\n      you\n\n      and {{ y }}', '{{ y }}', '9:11 {{ y }}'],
    ['in a block with a comment in its header', '| # {{ y }}\n      Hi {{ y }}', '{{ y }}', '6:10 {{ y }}'],
    ['over several lines, on the first', '|\n      {{ x\n      y }}', '{{ x\ny }}', '6:7 {{ x'],
  ])('is exact: %s', (_, say, part, expected) => {
    expect(inside(say, part)).toBe(expected);
  });

  it('is that of the right one of two equal parts', () => {
    expect(inside('|\n      {{ x }} {{ x }}\n      {{ x }}', '{{ x }}', 1)).toBe('6:15 {{ x }}');
    expect(inside('|\n      {{ x }} {{ x }}\n      {{ x }}', '{{ x }}', 2)).toBe('7:7 {{ x }}');
  });

  it('is the same in whichever order problems are located', () => {
    const { locate } = readFlow(flow('    say: "a b c d e f"'));
    const place = (start: number): number | undefined =>
      locate({ code: 'x', severity: 'error', message: 'x', path: at('say'), within: { start, text: 'x' } }).column;
    expect([8, 2, 4, 0].map(place)).toEqual([19, 13, 15, 11]);
  });

  it('never lies outside the text, whatever is claimed', () => {
    for (const start of [-5, 3, 1e9, Number.NaN])
      expect(marked(flow('    say: abc'), { path: at('say'), within: { start, text: 'zzz' } })).toMatch(/^5:1[0-2] /);
  });
});

describe('a code frame', () => {
  const frame = (text: string, path: DocumentPath): string => {
    return readFlow(text).locate({ code: 'x', severity: 'error', message: 'x', path }).frame ?? '';
  };

  it('keeps tabs, so that the mark stands under the place', () => {
    expect(frame('{"initial_node":\t"a",\n\t\t"nodes":\t"x"}', ['nodes']).split('\n').slice(-2)).toEqual([
      '> 2 | \t\t"nodes":\t"x"}',
      '    | \t\t        \t^^^',
    ]);
  });

  it('cuts a long line around the place, and the mark with it', () => {
    const text = `{"initial_node":"a","name":"${'x'.repeat(5_000)}","description":"${'y'.repeat(5_000)}","nodes":{"a":{"end":"z"}}}`;
    const [source = '', mark = ''] = frame(text, ['nodes', 'a', 'end']).split('\n');
    expect(source.length).toBeLessThan(120);
    expect(source.slice(mark.indexOf('^'), mark.lastIndexOf('^') + 1)).toBe('"z"');
    const [longSource = '', longMark = ''] = frame(text, ['name']).split('\n');
    expect(longMark.length).toBeLessThanOrEqual(longSource.length);
  });

  it('shows control characters as replaced, so that a terminal does not obey them', () => {
    expect(frame('initial_node: a\nnodes: "\u{1b}[31m"\n', ['nodes'])).not.toContain('\u{1b}');
  });
});

describe('ten thousand problems', () => {
  it('are located in time that grows with their number', () => {
    const keys = Array.from({ length: 9_990 }, (_, index) => `  n${index}: { end: x, say: "{{ a }}" }\n`);
    const { locate } = readFlow(`initial_node: n0\nnodes:\n${keys.join('')}`);
    const locateAll = (): void => {
      for (let index = 0; index < keys.length; index += 1)
        locate({
          code: 'x',
          severity: 'error',
          message: 'x',
          path: ['nodes', `n${index}`, 'say'],
          within: { start: 3, text: 'a' },
        });
    };
    expect(cpuSecondsOf(locateAll)).toBeLessThan(10);
  });

  it('of one long text are located in time that grows with their number', () => {
    const { locate } = readFlow(flow(`    say: "${'{{ a }} '.repeat(100_000)}"`));
    const locateAll = (): void => {
      for (let index = 0; index < 10_000; index += 1)
        locate({
          code: 'x',
          severity: 'error',
          message: 'x',
          path: at('say'),
          within: { start: index * 80, text: '{{ a }}' },
        });
    };
    expect(cpuSecondsOf(locateAll)).toBeLessThan(10);
  });
});
