import { describe, expect, it } from 'vitest';
import type { Reader } from '../../src/model/ports/reader.ts';
import { languages } from './languages.ts';

const english = readerOf('English');

function readerOf(language: string): Reader {
  const found = languages.find(([name]) => name === language);
  if (found === undefined) throw new Error(`There is no reader of ${language}.`);
  return found[1];
}

const WEEK = Array.from({ length: 7 }, (_, day) => `2026-11-${23 + day}`);

describe('a day within the bounds of its slot', () => {
  it.each(WEEK)('is the only one that a weekday can mean after today, on %s', (today) => {
    for (const weekday of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'])
      for (const text of [weekday, `next Thursday, no sorry, ${weekday}`, `${weekday}, please.`]) {
        const read = english.value('date', text, {
          now: `${today}T10:00`,
          asked: true,
          direction: 'future',
          bounds: { after: today },
        });
        expect(read, text).toMatchObject({ ok: true, certain: true });
        expect(read.ok && String(read.value) > today, text).toBe(true);
      }
  });

  it.each(languages)('is every candidate that is offered, in %s', (_name, reader) => {
    const weekdays = Array.from({ length: 7 }, (_, day) =>
      new Intl.DateTimeFormat(reader.language, { weekday: 'long', timeZone: 'UTC' }).format(
        Date.UTC(2026, 10, 23 + day),
      ),
    );
    for (const today of WEEK)
      for (const weekday of weekdays) {
        const bounds = { after: today, before: '2026-12-10' };
        const read = reader.value('date', weekday, { now: `${today}T10:00`, asked: true, direction: 'future', bounds });
        const offered = read.ok ? [read.value] : (read.candidates ?? []);
        expect(offered.filter((day) => String(day) <= today || String(day) >= '2026-12-10')).toEqual([]);
      }
  });

  it('may be the only one of a year', () => {
    const options = { now: '2026-11-27T10:00', asked: true, direction: 'past' } as const;
    expect(
      english.value('date', 'March third', { ...options, bounds: { after: '2026-01-01', before: '2026-11-27' } }),
    ).toMatchObject({ ok: true, value: '2026-03-03' });
    expect(english.value('date', 'March third', { ...options, bounds: { before: '2026-11-27' } })).toMatchObject({
      problem: 'incomplete',
      missing: 'year',
    });
  });
});

describe('a day before today', () => {
  const options = {
    now: '2026-11-27T10:00',
    asked: true,
    direction: 'past',
    bounds: { before: '2026-11-27' },
  } as const;
  const past = [
    ['English', 'Monday', '2026-11-23'],
    ['English', 'on the 24th', '2026-11-24'],
    ['English', 'the 28th', '2026-10-28'],
    ['Spanish', 'el lunes', '2026-11-23'],
    ['German', 'am Montag', '2026-11-23'],
    ['German', 'am vierundzwanzigsten', '2026-11-24'],
    ['French', 'lundi', '2026-11-23'],
    ['Portuguese', 'segunda-feira', '2026-11-23'],
  ] as const;
  it.each(past)('%s: "%s" is the last one, and read back', (language, text, value) => {
    const about = 'last_used When did you last use it?';
    expect(readerOf(language).value('date', text, { ...options, about })).toMatchObject({
      ok: true,
      value,
      certain: false,
    });
  });

  it('is never given a year that was not said', () => {
    const texts = [
      ['English', 'March third'],
      ['Spanish', 'el tres de diciembre'],
      ['German', 'am dritten Dezember'],
      ['French', 'le trois décembre'],
      ['Portuguese', 'três de dezembro'],
    ] as const;
    for (const [language, text] of texts)
      expect(readerOf(language).value('date', text, { ...options, about: 'last_used' })).toMatchObject({
        ok: false,
        problem: 'incomplete',
        missing: 'year',
      });
  });

  it('is not a date of birth', () => {
    const about = 'birth_date When were you born?';
    for (const text of ['Monday', 'the 24th'])
      expect(readerOf('English').value('date', text, { ...options, about })).toMatchObject({ problem: 'incomplete' });
  });
});

it('a number that the bounds refuse is not offered', () => {
  const options = { now: '2026-11-27T10:00', asked: true, bounds: { minimum: 1, maximum: 6 } };
  expect(english.value('integer', 'four or forty', options)).toMatchObject({ ok: false, candidates: [4] });
});

it.each(['twenty ', 'one hundred ', 'fifty cents ', '3 ', 'monday '])(
  'a value or a turn of 20,000 characters of "%s" is compared in bounded time',
  (word) => {
    const long = word.repeat(20_000 / word.length);
    const { user } = process.cpuUsage();
    for (const kind of ['text', 'enum', 'number', 'date'] as const)
      for (const [value, turn] of [
        [long, 'yes'],
        ['5', long],
      ] as const)
        english.grounding(kind, value, {
          turns: [turn],
          asked: true,
          about: 'it',
          options: { now: '2026-11-23T10:00' },
        });
    expect((process.cpuUsage().user - user) / 1_000).toBeLessThan(1_500);
  },
);
