import { describe, expect, it } from 'vitest';
import type { Reader } from '../../src/ports/reader.ts';
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
    ['English', 'March third', '2026-03-03'],
    ['English', 'December third', '2025-12-03'],
    ['Spanish', 'el lunes', '2026-11-23'],
    ['Spanish', 'el tres de diciembre', '2025-12-03'],
    ['German', 'am Montag', '2026-11-23'],
    ['German', 'am vierundzwanzigsten', '2026-11-24'],
    ['German', 'am dritten Dezember', '2025-12-03'],
    ['French', 'lundi', '2026-11-23'],
    ['French', 'le trois décembre', '2025-12-03'],
    ['Portuguese', 'segunda-feira', '2026-11-23'],
    ['Portuguese', 'três de dezembro', '2025-12-03'],
  ] as const;
  it.each(past)('%s: "%s" is the last one, and read back', (language, text, value) => {
    const about = 'last_used When did you last use it?';
    expect(readerOf(language).value('date', text, { ...options, about })).toMatchObject({
      ok: true,
      value,
      certain: false,
    });
  });

  it.each(past.filter(([, text]) => /March|December|diciembre|Dezember|décembre|dezembro/.test(text)))(
    '%s: "%s" is not a date of birth',
    (language, text) => {
      const read = readerOf(language).value('date', text, { ...options, about: 'birth_date When were you born?' });
      expect(read).toMatchObject({ ok: false, problem: 'incomplete', missing: 'year' });
    },
  );
});

it('a number that the bounds refuse is not offered', () => {
  const options = { now: '2026-11-27T10:00', asked: true, bounds: { minimum: 1, maximum: 6 } };
  expect(english.value('integer', 'four or forty', options)).toMatchObject({ ok: false, candidates: [4] });
});
