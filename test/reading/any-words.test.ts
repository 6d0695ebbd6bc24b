import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReadOptions, ValueKind } from '../../src/model/ports/reader.ts';
import { cpuSecondsOf } from '../cpu.ts';
import { isBroad, tries } from '../tries.ts';
import { NOW } from './conformance.ts';
import { languages, unknown } from './languages.ts';
import { expectReported } from './reported.ts';

const kinds: readonly ValueKind[] = [
  ...(['name', 'date', 'time', 'number', 'integer', 'boolean', 'enum', 'phone', 'code', 'email', 'text'] as const),
];
const odd = ['é', 'sí', '\u0000', '\ud800', '🙂', "'", '.', ',', ':', '/', '-', '@', '+', '?', '٣', '__proto__', '12'];
/** Created once, because fast-check sorts all existing characters for each of these. */
const binary = fc.string({ unit: 'binary' });
const options: fc.Arbitrary<ReadOptions> = fc.record(
  {
    now: fc.constantFrom(NOW, '2024-02-29T23:59', '', '9999-12-31T23:59', '9999-99-99T99:99'),
    region: fc.constantFrom('US', 'ES', 'XX', '', '__proto__'),
    values: fc.constant(
      new Map([
        ['small', ['little']],
        ['__proto__', ['constructor']],
      ]),
    ),
    direction: fc.constantFrom('past' as const, 'future' as const),
    asked: fc.boolean(),
  },
  { requiredKeys: ['now'] },
);

const readers = [
  ...languages.map(([name, reader, { agreements, refusals, neither, moments, numbers }]) => ({
    name,
    reader,
    sentences: [...agreements, ...refusals, ...neither, ...[...moments, ...numbers].map(([text]) => text)],
  })),
  { name: 'a language without rules', ...unknown },
];

describe.each(readers)('whatever is said, the reader of $name', ({ reader, sentences }) => {
  const words = [...new Set(sentences.flatMap((sentence) => sentence.split(' '))), ...odd];
  const text = fc.oneof(
    fc
      .array(fc.constantFrom(...words), { maxLength: 20 })
      .chain((parts) => fc.constantFrom(parts.join(' '), parts.join(''))),
    binary,
  );
  it('reads no day behind the last one of the calendar', () => {
    const told = words.map((said) => reader.value('date', said, { now: '9999-12-31T23:59', asked: true }));
    const days = told.flatMap((read) => (read.ok ? [read.value] : (read.candidates ?? [])));
    for (const day of days) expect(day).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  it('is total: it ends without a throw, and what it reports lies in the text', () => {
    fc.assert(
      fc.property(fc.constantFrom(...kinds), text, options, (kind, said, given) => {
        expectReported(kind, said, reader.value(kind, said, given), ['small', '__proto__']);
      }),
      { numRuns: tries(250) },
    );
    fc.assert(
      fc.property(text, text, (said, other) => {
        const { answer, isHedged } = reader.consent(said, other);
        if (answer !== undefined) expect(isHedged).toBe(false);
        reader.leaning(said);
        reader.isConnecting(said, other);
        reader.saysNothing(said);
        reader.request(said);
        reader.asks(said);
        reader.keepsQuestion(said, other);
        reader.isYesNoQuestion(said);
        reader.answerMeant(said);
        reader.choosesOffered(said);
        for (const kind of kinds)
          reader.grounding(kind, other, { turns: [said], asked: true, about: '', options: { now: NOW } });
      }),
      { numRuns: tries(150) },
    );
  });

  it('reads a text of many thousand words that are all a yes', () => {
    for (const word of ['yep', 'eso es', 'hört sich gut an', 'entendu', 'isso mesmo'])
      expect(
        cpuSecondsOf(() => reader.consent(`${word} `.repeat(isBroad ? 8_000 : 1_500), word)),
        word,
      ).toBeLessThan(5);
  });

  it('ends soon on a text of many thousand characters', () => {
    const apart = Math.ceil(sentences.length / tries(2));
    // The numerals are one clause of twenty thousand words.
    for (const sentence of ['15/3', ...sentences.filter((_, index) => index % apart === 0)]) {
      const long = `${sentence} `.repeat(Math.ceil((isBroad ? 50_000 : 12_500) / (sentence.length + 1)));
      for (const kind of kinds)
        expect(
          cpuSecondsOf(() => reader.value(kind, long, { now: NOW, asked: true })),
          `${kind} ${sentence}`,
        ).toBeLessThan(5);
      expect(
        cpuSecondsOf(() => reader.consent(long, sentence)),
        sentence,
      ).toBeLessThan(5);
    }
  });
});
