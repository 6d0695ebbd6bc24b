import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePattern } from '../../src/flow/expression/pattern.ts';
import { cpuSecondsOf } from '../cpu.ts';

const test = (source: string, text: string, flags?: string): boolean => {
  const pattern = compilePattern(source, flags);
  if (!pattern.ok) throw new Error(pattern.reason);
  return pattern.test(text);
};

describe('compilePattern', () => {
  it.each([
    ['b', 'abc', true],
    ['^b', 'abc', false],
    ['^\\d{3}-\\d{4}$', '555-1234', true],
    ['^\\d{3}-\\d{4}$', '555-12345', false],
    ['^\\w+@\\w+\\.(?:com|org)$', 'ann@example.org', true],
    ['(?<year>\\d{4})', 'in 2026', true],
    ['\\u0041', 'A', true],
    ['\\u{1F600}', '😀', true],
    ['^.$', '😀', true],
    ['\\p{L}', 'é', true],
    ['[^]', '\n', true],
    ['[]', 'a', false],
    ['a/b', 'a/b', true],
    ['a\\/b', 'a/b', true],
    ['[(?=]', '=', true],
    ['\\(?=', '=', true],
    ['\\\\1', '\\1', true],
    ['', '', true],
    ['a$', 'a\n', false],
  ])('%j on %j: %j', (source, text, found) => {
    expect(test(source, text)).toBe(found);
  });

  it.each([
    ['', 'B', false],
    ['i', 'B', true],
    ['m', 'a\nb', true],
    ['', 'a\nb', false],
    ['imsu', 'A\nB', true],
  ])('takes the flags %j', (flags, text, found) => {
    expect(test('^b', text, flags)).toBe(found);
  });

  it('lets . match the end of a line with the flag s only', () => {
    expect(test('a.b', 'a\nb')).toBe(false);
    expect(test('a.b', 'a\nb', 's')).toBe(true);
  });

  it.each([
    ['(?=a)', 'lookahead'],
    ['x(?!a)', 'lookahead'],
    ['(?<=a)', 'lookbehind'],
    ['(?<!a)', 'lookbehind'],
    ['(a)\\1', 'backreference'],
    ['(?<n>a)\\k<n>', 'backreference'],
    ['\\uD83D\\uDE00', 'half of a character'],
    ['\\Z', '\\Z is not known'],
    ['\\Qa\\E', '\\Q is not known'],
    ['(a', 'missing closing )'],
    ['a{1001}', 'invalid repeat count'],
    ['\\', 'trailing backslash'],
    ['[ab]{1000}'.repeat(100), 'too large'],
    ['a'.repeat(1_001), 'longer than 1000'],
  ])('refuses %j and says why', (source, reason) => {
    expect(compilePattern(source)).toMatchObject({ ok: false, reason: expect.stringContaining(reason) });
  });

  it.each(['g', 'y', 'v', 'x', 'i m'])('refuses the flags %j', (flags) => {
    expect(compilePattern('a', flags)).toMatchObject({ ok: false, reason: expect.stringContaining('flags') });
  });

  it('finds nothing in text of over ten thousand characters', () => {
    expect(test('a', 'a'.repeat(10_000))).toBe(true);
    expect(test('a', 'a'.repeat(10_001))).toBe(false);
  });

  it.each([
    ['(a+)+$', 'a'.repeat(9_999) + '!'],
    ['(a|a)*b?$', 'a'.repeat(9_999) + '!'],
    ['(.*)*x?(.*)*y?(.*)*!$', 'a'.repeat(10_000)],
    ['^(\\w+\\s?)*$', 'a '.repeat(4_999) + '!'],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(10_000)],
    ['(?:a?){999}[ab]{400}$', 'ab'.repeat(5_000)],
    ['[ab]*a[ab]{1000}$', 'abb'.repeat(3_333)],
  ])('searches ten thousand characters for %s in no time', (source, text) => {
    expect(cpuSecondsOf(() => test(source, text))).toBeLessThan(50);
  });

  it('agrees with JavaScript on patterns that both know', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      '.',
      '\\d',
      '[ab]',
      '[^a]',
      '(?:a|b)',
      '\\w',
      '\\b',
      '^',
      '$',
      'é',
      '\\x61',
      '\\.',
      '(b)',
    );
    const piece = fc
      .tuple(atom, fc.constantFrom('', '', '*', '+?', '?', '{2}', '{0,3}'))
      .map((parts) => parts.join(''));
    const text = fc.array(fc.constantFrom('a', 'b', 'é', '1', '\n', '.', '😀')).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), text, (pieces, subject) => {
        const source = pieces.join('');
        let native: RegExp | undefined;
        try {
          native = new RegExp(source, 'u');
        } catch {
          fc.pre(false);
        }
        const pattern = compilePattern(source);
        fc.pre(pattern.ok);
        expect(pattern.ok && pattern.test(subject)).toBe(native?.test(subject));
      }),
      { numRuns: 500 },
    );
  });

  it('never throws, whatever the source, the flags and the text', () => {
    const piece = fc.constantFrom(
      '(',
      ')',
      '[',
      ']',
      '\\',
      '*',
      '{2',
      '}',
      '?',
      '<',
      '=',
      '|',
      '^',
      '-',
      '\\u',
      '\\p{',
      ':',
      'a',
      '\ud83d',
    );
    const source = fc.oneof(
      fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
      fc.string({ unit: 'binary', maxLength: 40 }),
    );
    fc.assert(
      fc.property(
        source,
        fc.oneof(fc.constant('i'), fc.string()),
        fc.string({ unit: 'binary' }),
        (pattern, flags, text) => {
          const compiled = compilePattern(pattern, flags);
          expect(compiled.ok ? typeof compiled.test(text) : compiled.reason.length > 0).toBeTruthy();
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
