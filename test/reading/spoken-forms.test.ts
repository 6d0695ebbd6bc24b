import { describe, expect, it } from 'vitest';
import { languageOf } from '../../src/language/language-of.ts';
import { languages } from './languages.ts';
import { NOW } from './conformance.ts';

const WITHOUT_RULES = ['it', 'nl', 'ja', 'ar', 'ru', 'zh', 'ko', 'pl', 'tr', 'fa', 'hi', 'sv'];
const today = (): string => NOW.slice(0, 10);

describe('a language without rules', () => {
  it.each(WITHOUT_RULES)('says days, times and numbers as Intl does and reads them again: %s', (language) => {
    const { reader } = languageOf(language);
    const options = { now: NOW, asked: true, direction: 'future' } as const;
    for (const day of ['2026-12-01', '2027-03-15', '2028-02-29'])
      for (const isAhead of [false, true]) {
        const spoken = reader.spoken('date', day, { today, isAhead });
        expect(spoken).not.toBe(day);
        expect(reader.value('date', spoken, options), spoken).toMatchObject({ ok: true, value: day });
      }
    for (const time of ['00:05', '09:30', '12:00', '15:30', '23:59'])
      expect(reader.value('time', reader.spoken('time', time, { today }), options)).toMatchObject({ value: time });
    for (const number of [0, 4, 1240.5, 2500, -3])
      expect(reader.value('number', reader.spoken('number', number, { today }), options)).toMatchObject({
        value: number,
      });
  });

  it('says a number with the decimal mark of the language', () => {
    expect(languageOf('it').reader.spoken('number', 1240.5, { today })).toBe('1240,5');
    expect(languageOf('it').reader.spoken('time', '15:30', { today })).toBe('15:30');
    expect(languageOf('it').reader.spoken('date', '2026-12-01', { today })).toBe('1 dicembre 2026');
  });

  it.each([
    ['it', '+39 06 1234 5678', 'IT', '+390612345678'],
    ['it', '347 123 4567', 'IT', '+393471234567'],
    ['nl', '06-12345678', 'NL', '+31612345678'],
    ['ja', '03-1234-5678', 'JP', '+81312345678'],
    ['ja', '０３－１２３４－５６７８', 'JP', '+81312345678'],
    ['ar', '٠٢ ٢٧٣٩ ٠١٢٣', 'EG', '+20227390123'],
    ['it', 'il mio numero è 347 123 4567', 'IT', '+393471234567'],
  ])('reads a phone number by the region of its slot: %s, %s', (language, text, region, value) => {
    const read = languageOf(language).reader.value('phone', text, { now: NOW, asked: true, region });
    expect(read).toMatchObject({ ok: true, value, certain: !/\p{L}/u.test(text) });
  });

  it('reads an enum by its synonyms, and certainly only by these', () => {
    const values = new Map([
      ['small', ['piccolo', 'piccola']],
      ['large', ['grande']],
    ]);
    const read = (text: string): unknown =>
      languageOf('it').reader.value('enum', text, { now: NOW, asked: true, values });
    expect(read('Piccola.')).toMatchObject({ ok: true, value: 'small', certain: true });
    expect(read('GRANDE')).toMatchObject({ ok: true, value: 'large', certain: true });
    expect(read('non grande')).toMatchObject({ ok: true, value: 'large', certain: false });
    expect(read('piccolo o grande')).toMatchObject({ ok: false, problem: 'ambiguous' });
    const sizes = new Map([
      ['small', ['小さい']],
      ['large', ['大きい']],
    ]);
    expect(languageOf('ja').reader.value('enum', '大きいです', { now: NOW, asked: true, values: sizes })).toMatchObject(
      {
        value: 'large',
        certain: false,
      },
    );
  });
});

describe('an enum value', () => {
  const values = new Map([
    ['std_room', ['habitación normal']],
    ['suite', []],
  ]);
  it('is said by its first synonym outside English', () => {
    for (const language of ['es', 'de', 'fr', 'pt', 'it'])
      expect(languageOf(language).reader.spoken('enum', 'std_room', { today, values })).toBe('habitación normal');
    expect(languageOf('es').reader.spoken('enum', 'suite', { today, values })).toBe('suite');
  });
  it('is said by its key in English, unless that is a code', () => {
    const { reader } = languageOf('en');
    expect(reader.spoken('enum', 'small_size', { today, values: new Map([['small_size', ['little']]]) })).toBe(
      'small size',
    );
    expect(reader.spoken('enum', 'XL', { today, values: new Map([['XL', ['extra large']]]) })).toBe('extra large');
  });
});

describe('a phone number', () => {
  it.each([
    ['de', '+493012345678', 'DE', '0 3 0, 1 2 3 4, 5 6 7 8'],
    ['fr', '+33612345678', 'FR', '0 6, 1 2, 3 4, 5 6, 7 8'],
    ['es', '+34612345678', 'ES', '6 1 2, 3 4, 5 6, 7 8'],
    ['pt', '+5511987654321', 'BR', '1 1, 9 8 7, 6 5, 4 3 2 1'],
    ['de', '+33612345678', 'DE', '+3 3, 6, 1 2, 3 4, 5 6, 7 8'],
    ['de', '+33612345678', 'FR', '0 6, 1 2, 3 4, 5 6, 7 8'],
    ['en', '+14155552671', 'US', '4 1 5, 5 5 5, 2 6 7 1'],
    ['en', '+442071234567', 'GB', '0 2 0, 7 1 2 3, 4 5 6 7'],
    ['it', '+393471234567', 'IT', '3 4 7, 1 2 3, 4 5 6 7'],
  ])('is said in the groups of its country: %s, %s in %s', (language, value, region, spoken) => {
    expect(languageOf(language).reader.spoken('phone', value, { today, region })).toBe(spoken);
    expect(languageOf(language).reader.value('phone', spoken, { now: NOW, asked: true, region })).toMatchObject({
      value,
    });
  });
});

it('a name that stands for none is not a name', () => {
  for (const [, reader] of languages)
    for (const text of ['Unknown', 'N/A', 'Not provided'])
      expect(reader.value('name', text, { now: NOW, asked: true }).ok, text).toBe(false);
});
