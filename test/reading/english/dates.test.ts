import { describe, expect, it } from 'vitest';
import { read } from '../../../src/language/english/reading.ts';
import { outcome, type Row } from './outcome.ts';
import { NOW } from './unseen-sentences.ts';

describe('a birth date', () => {
  const rows: Row[] = [
    ['March third nineteen eighty four', '1984-03-03'],
    ['march 3rd, 1984', '1984-03-03'],
    ['March third, no wait, the fourth, 1984', '1984-03-04'],
    ['the fourth of march nineteen eighty four', '1984-03-04'],
    ['4 March 1984', '1984-03-04'],
    ['March the 4th of 1984', '1984-03-04'],
    ['my birthday is may 2nd two thousand and five', '2005-05-02'],
    ['may second oh five', '2005-05-02'],
    ['august nineteenth seventy nine', '1979-08-19'],
    ["the 12th of October '92", '1992-10-12'],
    ['June twenty nineteen ninety', '1990-06-20'],
    ['January first twenty ten', '2010-01-01'],
    ['nineteen oh five march second', '1905-03-02'],
    ['december thirty first nineteen ninety nine', '1999-12-31'],
    ['1984-03-04', '1984-03-04'],
    ['1984-03-04T10:00', '1984-03-04'],
    ['3/4/1984', '1984-03-04'],
    ['03-04-1984', '1984-03-04'],
    ['3/4/84', '1984-03-04'],
    ['25/12/1990', '1990-12-25'],
    ['three four eighty four', '1984-03-04'],
    ['oh three oh four eighty four', '1984-03-04'],
    ['three slash four slash nineteen eighty four', '1984-03-04'],
    ['twelve eleven nineteen ninety', '1990-12-11'],
    ['Feb 29 2000', '2000-02-29'],
    ['sept. 9 1971', '1971-09-09'],
    ['uh it is the um third of uh march nineteen eighty four', '1984-03-03'],
    ['not march third, march fourth 1984', '1984-03-04'],
    ['1984, march third', '1984-03-03'],
    ['march third 1984, sorry, 1985', '1985-03-03'],
    ['march third 1984 I mean april third 1984', '1984-04-03'],
    ['I was born on the third of march 1984 in Boston', '1984-03-03'],
    ['march third eighty four, no sorry, eighty five', '1985-03-03'],
    ['march third 1984, no sorry, eighty five', '1985-03-03'],
    ['march third eighty four, no sorry, 1985', '1985-03-03'],
    ['march third, oh sorry, fourth, nineteen, nineteen eighty four', '1984-03-04'],
    ['it was the 14th, 14th of February 1999', '1999-02-14'],
    ['ten ten ten', '2010-10-10'],
    ['june 7th 1988 or 89', 'ambiguous'],
    ['march third', 'incomplete year'],
    ['the third', 'incomplete month'],
    ['march', 'incomplete day'],
    ['march 1984', 'incomplete day'],
    ['nineteen eighty four', 'incomplete month'],
    ['march third twenty', 'incomplete year'],
    ['2024-02-30', 'invalid'],
    ['february 30th 1984', 'invalid'],
    ['February 29 1999', 'invalid'],
    ['13/13/1990', 'invalid'],
    ['1984-13-01', 'invalid'],
    ['march third 2031', 'out-of-range'],
    ['tomorrow', 'out-of-range'],
    ['tuesday', 'incomplete date'],
    ['1984 or 1985', 'ambiguous'],
    ['march third or march fourth 1984', 'ambiguous'],
    ['march third 1984, scratch that', 'not-found'],
    ['march third 1984, no', 'not-found'],
    ['before march third 1984', 'ambiguous'],
    ['I am forty two', 'not-found'],
    ['', 'not-found'],
    ['I do not remember', 'not-found'],
  ];
  it.each(rows)('%j is read as %j', (text, expected) => {
    expect(outcome('date', text, { asked: true, direction: 'past' })).toBe(expected);
  });

  it('gives the dates of both centuries when a two-digit year allows both', () => {
    const reading = read('date', 'march third twenty', { now: NOW, asked: true, direction: 'past' });
    expect(reading).toMatchObject({ ok: false, candidates: ['1920-03-03', '2020-03-03'] });
  });

  it('is not taken from a sentence that names no year', () => {
    expect(outcome('date', 'I would like to come on Friday', { direction: 'past' })).toBe('incomplete year');
    expect(outcome('date', 'the pain began yesterday', { direction: 'past' })).toBe('incomplete year');
    expect(outcome('date', 'born march third 1984', { direction: 'past' })).toBe('1984-03-03');
  });
});

describe('a past day asked for', () => {
  const rows: Row[] = [
    ['yesterday', '2026-11-20'],
    ['the day before yesterday', '2026-11-19'],
    ['three days ago', '2026-11-18'],
    ['a week ago', '2026-11-14'],
    ['today', '2026-11-21'],
    ['last night', '2026-11-20'],
    ['monday last week', '2026-11-09'],
  ];
  it.each(rows)('%j is %j', (text, expected) => {
    expect(outcome('date', text, { asked: true, direction: 'past' })).toBe(expected);
  });

  it('is ambiguous where people mean different weeks', () => {
    expect(outcome('date', 'last tuesday', { asked: true, direction: 'past' })).toBe('ambiguous');
    expect(outcome('date', 'last tuesday', { asked: true, direction: 'past', now: '2026-11-23T09:00' })).toBe(
      '2026-11-17',
    );
  });
});

describe('a day to come', () => {
  const rows: Row[] = [
    ['tomorrow', '2026-11-22'],
    ['To-morrow.', '2026-11-22'],
    ['tomorrow morning', '2026-11-22'],
    ['november twenty first', '2026-11-21'],
    ['november 20th', '2027-11-20'],
    ['4 may', '2027-05-04'],
    ['four may be enough', 'not-found'],
    ['today', '2026-11-21'],
    ['tonight', '2026-11-21'],
    ['the day after tomorrow', '2026-11-23'],
    ['next Tuesday', '2026-11-24'],
    ['this coming friday', '2026-11-27'],
    ['on monday please', '2026-11-23'],
    ['the fourth of March', '2027-03-04'],
    ['december fourth', '2026-12-04'],
    ['Friday the fourth', '2026-12-04'],
    ['Friday, December 4', '2026-12-04'],
    ['the fourth', '2026-12-04'],
    ['on the first', '2026-12-01'],
    ['Tuesday first', '2026-12-01'],
    ['tuesday next week', '2026-11-24'],
    ['next week on thursday', '2026-11-26'],
    ['the third of next month', '2026-12-03'],
    ['in two weeks', '2026-12-05'],
    ['in a week', '2026-11-28'],
    ['ten days from now', '2026-12-01'],
    ['a week from tomorrow', '2026-11-29'],
    ['two weeks from tuesday', '2026-12-08'],
    ['tuesday week', '2026-12-01'],
    ['march third next year', '2027-03-03'],
    ['january fifth twenty twenty seven', '2027-01-05'],
    ['12/24', '2026-12-24'],
    ['february 29th', '2028-02-29'],
    ['how about wednesday at ten', '2026-11-25'],
    ['monday, no, tuesday', '2026-11-24'],
    ['monday, sorry, I meant the tuesday', '2026-11-24'],
    ['tomorrow, actually make it thursday', '2026-11-26'],
    ['Friday the fourth, no the eleventh', '2026-12-11'],
    ["I can't do monday but tuesday works", '2026-11-24'],
    ['anything but monday', 'not-found'],
    ['not tomorrow', 'not-found'],
    ["friday doesn't work", 'not-found'],
    ["tuesday isn't good, how about wednesday", '2026-11-25'],
    ['friday is not possible', 'not-found'],
    ["friday I can't", 'not-found'],
    ["I don't actually want friday", 'not-found'],
    ['not that friday', 'not-found'],
    ['I would do friday rather than saturday', '2026-11-27'],
    ['tomorrow or the day after', 'ambiguous'],
    ['friday or so', '2026-11-27'],
    ['by friday', 'ambiguous'],
    ['every tuesday', 'ambiguous'],
    ['monday after next', '2026-11-30'],
    ['a fortnight from today', '2026-12-05'],
    ['four four twenty seven', '2027-04-04'],
    ['a table for two on the fourth at seven', '2026-12-04'],
    ['give me a second', 'not-found'],
    ['second', 'not-found'],
    ['friday or saturday', 'ambiguous'],
    ['before friday', 'ambiguous'],
    ['after the fourth of december', 'ambiguous'],
    ['between monday and wednesday', 'ambiguous'],
    ['the week of the fourth', 'ambiguous'],
    ['saturday', 'ambiguous'],
    ['next sunday', 'ambiguous'],
    ['Monday the fourth of December', 'ambiguous'],
    ['next week', 'incomplete day'],
    ['this weekend', 'incomplete day'],
    ['sometime in december', 'incomplete day'],
    ['next month', 'incomplete day'],
    ['yesterday', 'out-of-range'],
    ['march third 2020', 'out-of-range'],
    ['november 31st', 'invalid'],
    ['as soon as possible', 'not-found'],
    ['I will march right over', 'not-found'],
    ['it may be late', 'not-found'],
    ['the first time I called', 'not-found'],
    ['whatever you have first', 'not-found'],
    ['let me ask my wife first', 'not-found'],
    ['give me a second', 'not-found'],
    ['monday, wait, let me check', 'not-found'],
  ];
  it.each(rows)('%j is %j', (text, expected) => {
    expect(outcome('date', text, { asked: true, direction: 'future' })).toBe(expected);
  });

  it('is not a bare day of the month unless it is asked for', () => {
    expect(outcome('date', 'the fourth', { direction: 'future' })).toBe('incomplete month');
    expect(outcome('date', 'Friday the fourth', { direction: 'future' })).toBe('2026-12-04');
  });

  it('is not certain where a rule chose', () => {
    const certain = (text: string): boolean | undefined => {
      const reading = read('date', text, { now: NOW, asked: true, direction: 'future' });
      return reading.ok ? reading.certain : undefined;
    };
    expect(certain('december fourth')).toBe(true);
    expect(certain('the fourth')).toBe(false);
    expect(certain('november third')).toBe(false);
  });

  it('gives both days when "next friday" is said within the week', () => {
    const reading = read('date', 'next friday', { now: '2026-11-23T09:00', direction: 'future' });
    expect(reading).toEqual({ ok: false, problem: 'ambiguous', candidates: ['2026-11-27', '2026-12-04'] });
  });
});

describe('a date without a direction', () => {
  it('needs its year', () => {
    expect(outcome('date', 'march third', { asked: true })).toBe('incomplete year');
    expect(outcome('date', 'march third 2031', { asked: true })).toBe('2031-03-03');
    expect(outcome('date', 'next tuesday')).toBe('2026-11-24');
  });
});

describe('the order of numerals', () => {
  it('is the region’s, unless only the other one is possible', () => {
    expect(outcome('date', '12/11/1990')).toBe('1990-12-11');
    expect(outcome('date', '12/11/1990', { region: 'GB' })).toBe('1990-11-12');
    expect(outcome('date', '12.11.1990', { region: 'DE' })).toBe('1990-11-12');
    expect(outcome('date', '12/25/1990', { region: 'GB' })).toBe('1990-12-25');
    expect(outcome('date', '25/12/1990', { region: 'US' })).toBe('1990-12-25');
  });
});

describe('what was said', () => {
  it('is reported with its place in the text', () => {
    const text = 'well, the fourth of March 1984, I think';
    const reading = read('date', text, { now: NOW, direction: 'past' });
    expect(reading).toMatchObject({ ok: true, said: 'fourth of March 1984' });
    expect(reading.ok && text.slice(reading.start, reading.end)).toBe('fourth of March 1984');
  });

  it('spans a correction', () => {
    const reading = read('date', 'March third, no wait, the fourth, 1984', {
      now: NOW,
      asked: true,
      direction: 'past',
    });
    expect(reading).toMatchObject({ ok: true, said: 'March third, no wait, the fourth, 1984' });
  });
});

it('a day does not depend on the time zone of the process', () => {
  const zone = process.env['TZ'];
  const days = ['Pacific/Auckland', 'America/Los_Angeles', 'UTC'].map((name) => {
    process.env['TZ'] = name;
    return [NOW, '2026-03-29T00:30', '2026-12-31T23:59'].map((now) => outcome('date', 'tomorrow', { now }));
  });
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
  expect(days[0]).toEqual(['2026-11-22', '2026-03-30', '2027-01-01']);
  expect(new Set(days.map(String)).size).toBe(1);
});

it('an unreadable present gives nothing that is counted from it', () => {
  expect(outcome('date', 'tomorrow', { now: 'soon' })).toBe('incomplete date');
  expect(outcome('date', 'march third 1984', { now: 'soon' })).toBe('1984-03-03');
});
