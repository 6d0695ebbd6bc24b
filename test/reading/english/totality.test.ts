import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { read, type ReadOptions, type ValueKind } from '../../../src/language/english/reading.ts';
import { digitsOf } from '../../../src/language/english/numbers/spoken-numbers.ts';
import { leaning, plainAnswer } from '../../../src/language/english/answers/yes-no.ts';
import { NOW, unseenSentences } from './unseen-sentences.ts';
import { cpuSecondsOf } from '../../cpu.ts';
import { isBroad, tries } from '../../tries.ts';
import { expectReported } from '../reported.ts';

const kinds: ValueKind[] = [
  'name',
  'date',
  'time',
  'number',
  'integer',
  'boolean',
  'enum',
  'phone',
  'code',
  'email',
  'text',
];
const values = new Map([
  ['checkup', ['routine']],
  ['pain', ['hurts']],
  ['__proto__', ['constructor']],
]);
const words = [...new Set(unseenSentences.flatMap(({ text }) => text.split(' ')))];
const odd = [
  'é',
  '\u0000',
  '\ud800',
  '🙂',
  "'",
  '’',
  '.',
  ',',
  ':',
  '/',
  '-',
  '@',
  '+',
  '?',
  '(',
  '٣',
  'İ',
  '__proto__',
  '9'.repeat(400),
];
const sentence = fc
  .array(fc.constantFrom(...words, ...odd), { maxLength: 25 })
  .chain((parts) => fc.constantFrom(parts.join(' '), parts.join('')));
const text = fc.oneof(sentence, fc.string({ unit: 'binary' }), fc.string());
const options: fc.Arbitrary<ReadOptions> = fc.record(
  {
    now: fc.constantFrom(NOW, '2024-02-29T23:59', '', 'now', '9999-99-99T99:99'),
    region: fc.constantFrom('US', 'GB', 'XX', '', '__proto__'),
    values: fc.constant(values),
    direction: fc.constantFrom('past' as const, 'future' as const),
    asked: fc.boolean(),
  },
  { requiredKeys: ['now'] },
);

describe('whatever is said', () => {
  it('reading ends without a throw, and what it reports lies in the text', () => {
    fc.assert(
      fc.property(fc.constantFrom(...kinds), text, options, (kind, said, given) => {
        expectReported(kind, said, read(kind, said, given), [...values.keys()]);
      }),
      { numRuns: tries(1_500) },
    );
  });

  it('a value read is read again as itself', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('date', 'time', 'number', 'integer', 'enum', 'phone', 'email'),
        text,
        options,
        (kind, said, given) => {
          const reading = read(kind, said, given);
          if (!reading.ok) return;
          const again = read(kind, String(reading.value), { ...given, asked: true });
          expect(again).toMatchObject({ ok: true, value: reading.value });
        },
      ),
      { numRuns: tries(1_500) },
    );
  });

  it('an answer is yes or no or neither, and its number is text', () => {
    fc.assert(
      fc.property(text, (said) => {
        expect(['yes', 'no', undefined]).toContain(plainAnswer(said));
        const side = plainAnswer(said);
        if (side !== undefined) expect(leaning(said)).toBe(side);
        expect(typeof digitsOf(said)).toBe('string');
      }),
    );
  });
});

const characters = isBroad ? 50_000 : 12_500;
describe('a text of many thousand characters', () => {
  const pieces = [
    'no ',
    'four ',
    'four no ',
    '1',
    '1.',
    '1,111',
    'a-',
    'd e ',
    'march third ',
    'a@b.',
    'half past ',
    '\u0301',
    'my name is ',
    'in the morning ',
    '. ',
    'maria ',
    'my name is bob ',
    'call 4155552671 x ',
    'b o b the ',
    'nine in the morning ',
    'four no I want five ',
    'march third no I want april fourth ',
    'last name bob ',
    'joe at x dot com ',
    'pain or checkup ',
    'friday tonight ',
  ];
  it.each(pieces)('of %j is read in linear time', (piece) => {
    const long = piece.repeat(Math.ceil(characters / piece.length));
    for (const kind of kinds)
      // A quadratic rule takes hundreds.
      expect(
        cpuSecondsOf(() => read(kind, long, { now: NOW, asked: true, direction: 'future', values })),
        kind,
      ).toBeLessThan(5);
    plainAnswer(long);
    digitsOf(long);
  });
});
