import { describe, expect, it } from 'vitest';
import { read } from '../../../src/language/english/reading.ts';
import { outcome, type Row } from './outcome.ts';
import { NOW } from './unseen-sentences.ts';

describe('a time asked for', () => {
  const rows: Row[] = [
    ['ten', '10:00'],
    ['four', '16:00'],
    ['twelve', '12:00'],
    ['seven', '07:00'],
    ['half past three', '15:30'],
    ['half past three in the morning', '03:30'],
    ['quarter to five', '16:45'],
    ['quarter past ten am', '10:15'],
    ['ten past four', '16:10'],
    ['ten to five', '16:50'],
    ['twenty five minutes past nine', '09:25'],
    ['quarter to one', '12:45'],
    ['noon', '12:00'],
    ['twelve noon', '12:00'],
    ['midnight', '00:00'],
    ['quarter past midnight', '00:15'],
    ['at ten thirty', '10:30'],
    ['ten oh five', '10:05'],
    ['around nine in the evening', '21:00'],
    ['nine tonight', '21:00'],
    ["three o'clock", '15:00'],
    ['three o clock in the afternoon', '15:00'],
    ['seven pm', '19:00'],
    ['7pm', '19:00'],
    ['7 p.m.', '19:00'],
    ['seven p m', '19:00'],
    ['twelve am', '00:00'],
    ['12:30 pm', '12:30'],
    ['10:30', '10:30'],
    ['2:30', '14:30'],
    ['02:30', '02:30'],
    ['14:30', '14:30'],
    ['14:30:00', '14:30'],
    ['fourteen thirty', '14:30'],
    ['1030 am', '10:30'],
    ['tomorrow morning at eight', '08:00'],
    ['in the evening, at six', '18:00'],
    ['three pm, no, four', '16:00'],
    ['three am, no, pm', '15:00'],
    ['ten, sorry, ten thirty', '10:30'],
    ['at nine, actually make that eleven', '11:00'],
    ['not ten, eleven', '11:00'],
    ['let me think, maybe ten', '10:00'],
    ['three would be fine', '15:00'],
    ['in half an hour', '12:30'],
    ['in twenty minutes', '12:20'],
    ['in two hours', '14:00'],
    ['five to one am', '00:55'],
    ['a table for four at seven', '07:00'],
    ["ten doesn't work, eleven", '11:00'],
    ["ten won't do", 'not-found'],
    ['nine am not pm', '09:00'],
    ['eight, eight thirty', '08:30'],
    ['18, 8:30 in the morning', '08:30'],
    ['eight, nine thirty', 'ambiguous'],
    ['nine to five', 'ambiguous'],
    ['noon or one', 'ambiguous'],
    ['ten in the morning or three in the afternoon', 'ambiguous'],
    ['by ten', 'ambiguous'],
    ['eleven at the latest', 'ambiguous'],
    ['I finish work at five so after that', 'ambiguous'],
    ['let us do one fifteen', '13:15'],
    ['three at night', 'ambiguous'],
    ['7:5', 'not-found'],
    ['ten or eleven', 'ambiguous'],
    ['between ten and twelve', 'ambiguous'],
    ['from ten to five', 'ambiguous'],
    ['after three', 'ambiguous'],
    ['nine in the afternoon', 'ambiguous'],
    ['twelve in the morning', 'ambiguous'],
    ['in the morning', 'incomplete hour'],
    ['sometime this afternoon', 'incomplete hour'],
    ['25:00', 'invalid'],
    ['10:75', 'invalid'],
    ['15:00 am', 'invalid'],
    ['four people', 'not-found'],
    ['in ten days', 'not-found'],
    ['the second one', 'not-found'],
    ['whenever', 'not-found'],
    ['ten, no', 'not-found'],
    ['ten, hold on', 'not-found'],
    ['good morning', 'not-found'],
    ['', 'not-found'],
  ];
  it.each(rows)('%j is %j', (text, expected) => {
    expect(outcome('time', text, { asked: true })).toBe(expected);
  });
});

describe('a time that was not asked for', () => {
  const rows: Row[] = [
    ['a table at seven thirty for four', '07:30'],
    ['a table for four at seven thirty in the evening', '19:30'],
    ['can I come at nine', '09:00'],
    ['tomorrow at ten', '10:00'],
    ['Friday, three in the afternoon', '15:00'],
    ['a table for four', 'not-found'],
    ['a table for four tonight', 'incomplete hour'],
    ['a table for four tomorrow morning', 'incomplete hour'],
    ['I need about four', 'not-found'],
    ['we are six', 'not-found'],
    ['march third nineteen eighty four', 'not-found'],
    ['I live at ten downing street', 'not-found'],
    ['my number is 415 555 2671', 'not-found'],
    ['3/4/1984', 'not-found'],
    ['1984-03-04', 'not-found'],
  ];
  it.each(rows)('%j is %j', (text, expected) => {
    expect(outcome('time', text)).toBe(expected);
  });
});

it.each([
  ['seven', 'pm', '19:00'],
  ['eleven thirty', 'pm', '23:30'],
  ['six', 'am', '06:00'],
  ['seven in the morning', 'pm', '07:00'],
  ['one', 'am', '13:00'],
  ['twelve', 'pm', '12:00'],
] as const)('%j is, where the talk is of hours %s, %s', (text, half, expected) => {
  expect(outcome('time', text, { asked: true, half })).toBe(expected);
});

it('candidates keep each its own half of the day', () => {
  const reading = read('time', 'ten in the morning or three in the afternoon', { now: NOW, asked: true });
  expect(reading).toEqual({ ok: false, problem: 'ambiguous', candidates: ['10:00', '15:00'] });
});

it('a time counted from now stays within the day', () => {
  expect(outcome('time', 'in two hours', { asked: true, now: '2026-11-21T21:30' })).toBe('23:30');
  expect(outcome('time', 'in three hours', { asked: true, now: '2026-11-21T21:30' })).toBe('not-found');
});

it('an hour without its half of the day follows the rule and is not certain', () => {
  const certain = (text: string): boolean | undefined => {
    const reading = read('time', text, { now: NOW, asked: true });
    return reading.ok ? reading.certain : undefined;
  };
  expect(certain('ten')).toBe(false);
  expect(certain('half past three')).toBe(false);
  expect(certain('ten am')).toBe(true);
  expect(certain('14:30')).toBe(true);
  expect(certain('noon')).toBe(true);
  expect(certain('ten to five pm')).toBe(false);
});
