import { describe, expect, it } from 'vitest';
import { languages } from './languages.ts';

const options = { now: '2026-11-27T10:00', asked: true, direction: 'future' } as const;
const readerOf = new Map(languages.map(([name, reader]) => [name, reader]));

describe('a correction of a number of people, a room or an hour', () => {
  it.each([
    ['English', 'hold on, five, no, six people'],
    ['English', 'wait, six of us'],
    ['English', 'no, five guests'],
    ['English', 'sorry, I meant room 12'],
    ['English', 'no, flight 204'],
    ['English', 'no sorry, two nights'],
    ['Spanish', 'espera, cinco, no, seis personas'],
    ['German', 'Moment, fünf, nein, sechs Personen'],
    ['French', 'attendez, cinq, non, six personnes'],
    ['Portuguese', 'espera, cinco, não, seis pessoas'],
  ])('is not a day and not a time: %s, "%s"', (language, text) => {
    const reader = readerOf.get(language);
    expect(reader?.value('date', text, options).ok).toBe(false);
    expect(reader?.value('time', text, options).ok).toBe(false);
  });

  it('of an hour is not a day', () => {
    expect(readerOf.get('English')?.value('date', 'no, at seven', options).ok).toBe(false);
    expect(readerOf.get('English')?.value('time', 'no, at seven', options)).toMatchObject({ value: '07:00' });
  });

  it('of a day is a day', () => {
    for (const text of ['no, the fifth', 'no, five', 'sorry, I meant the fifth'])
      expect(readerOf.get('English')?.value('date', text, options)).toMatchObject({ value: '2026-12-05' });
  });
});

describe('a choice that is corrected', () => {
  const values = new Map([
    ['small', ['pequeño', 'klein', 'petit', 'pequeno']],
    ['large', ['grande', 'groß', 'grand']],
  ]);
  it.each([
    ['English', 'small no large'],
    ['English', 'small, no, the large one please'],
    ['English', 'small no no large'],
    ['Spanish', 'pequeño, no, grande'],
    ['Spanish', 'pequeño, perdón, grande'],
    ['German', 'klein nein groß'],
    ['German', 'klein, nein, groß bitte'],
    ['French', 'petit, non, grand'],
    ['Portuguese', 'pequeno, não, grande'],
  ])('is the last one: %s, "%s"', (language, text) => {
    expect(readerOf.get(language)?.value('enum', text, { ...options, values })).toMatchObject({
      ok: true,
      value: 'large',
    });
  });

  it.each([
    ['English', 'small not large', 'small'],
    ['German', 'klein, nicht groß', 'small'],
    ['French', 'petit, pas grand', 'small'],
  ])('is told from one that is denied: %s, "%s"', (language, text, value) => {
    expect(readerOf.get(language)?.value('enum', text, { ...options, values })).toMatchObject({ ok: true, value });
  });

  it('is asked for where a pause would tell', () => {
    for (const [language, text] of [
      ['Spanish', 'pequeño no grande'],
      ['Portuguese', 'pequeno não grande'],
    ] as const)
      expect(readerOf.get(language)?.value('enum', text, { ...options, values })).toMatchObject({
        problem: 'ambiguous',
      });
  });
});
