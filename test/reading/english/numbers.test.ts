import { describe, expect, it } from 'vitest';
import { digitsOf } from '../../../src/language/english/numbers/spoken-numbers.ts';
import { read } from '../../../src/language/english/reading.ts';
import { outcome, type Row } from './outcome.ts';
import { NOW } from './unseen-sentences.ts';

describe('a whole number asked for', () => {
  const rows: Row[] = [
    ['four', 4],
    ['4', 4],
    ['42', 42],
    ['-5', -5],
    ['four people', 4],
    ['four, sorry, five people', 5],
    ['four, no, five', 5],
    ['four no five', 5],
    ['four actually', 4],
    ['four, make that six', 6],
    ['four people, sorry about the noise', 4],
    ['we are twenty one', 21],
    ['twenty-one', 21],
    ['two hundred and five', 205],
    ['three thousand four hundred', 3400],
    ['fifteen hundred', 1500],
    ['1,500', 1500],
    ['a dozen', 12],
    ['half a dozen', 6],
    ['zero', 0],
    ['just one', 1],
    ['one', 1],
    ['nineteen eighty four', 1984],
    ['one two three four', 1234],
    ['four, four people', 4],
    ['not four, five', 5],
    ['three nights', 3],
    ['oh four', 4],
    ['four or five', 'ambiguous'],
    ['four to six', 'ambiguous'],
    ['two adults, three children', 'ambiguous'],
    ['more than four', 'ambiguous'],
    ['at least four', 'ambiguous'],
    ['up to four', 'ambiguous'],
    ['four thirty', 'ambiguous'],
    ['four plus a baby', 'ambiguous'],
    ['two thirds', 'ambiguous'],
    ['me and two friends', 'ambiguous'],
    ['me plus three', 'ambiguous'],
    ['two adults and a child', 'ambiguous'],
    ['a hundred and something', 'ambiguous'],
    ["four isn't enough", 'not-found'],
    ['four is too many, three', 3],
    ['point five', 'not-found'],
    ['5,5', 'not-found'],
    ['1e3', 'not-found'],
    ['–3', -3],
    ['four people no pets', 4],
    ['four and five', 'ambiguous'],
    ['two and a half', 'invalid'],
    ['9'.repeat(30), 'invalid'],
    ['at four', 'not-found'],
    ['four pm', 'not-found'],
    ['the third', 'not-found'],
    ['march third', 'not-found'],
    ['that one', 'not-found'],
    ['one more thing', 'not-found'],
    ['no one', 'not-found'],
    ['four, wait', 'not-found'],
    ['four, no wait, let me count', 'not-found'],
    ['a few', 'not-found'],
    ['10:30', 'not-found'],
    ['B2B', 'not-found'],
    ['', 'not-found'],
  ];
  it.each(rows)('%j is %j', (text, expected) => {
    expect(outcome('integer', text, { asked: true })).toBe(expected);
  });
});

describe('a number asked for', () => {
  const rows: Row[] = [
    ['two point five', 2.5],
    ['two point oh five', 2.05],
    ['ninety eight point six', 98.6],
    ['98.6', 98.6],
    ['two and a half', 2.5],
    ['minus four', -4],
    ['one million', 1_000_000],
    ['2.5 million', 2_500_000],
    ['2.5 cm', 2.5],
    ['5kg', 5],
  ];
  it.each(rows)('%j is %j', (text, expected) => {
    expect(outcome('number', text, { asked: true })).toBe(expected);
  });
});

describe('a number that was not asked for', () => {
  const rows: Row[] = [
    ['a table for four please', 4],
    ['a table for four at seven thirty', 4],
    ['flight 204', 'not-found'],
    ['room 5', 'not-found'],
    ['in three days', 'not-found'],
    ['I am forty two', 'not-found'],
    ['my number is 4155552671', 'not-found'],
    ['born in 1984', 'not-found'],
    ['the meeting is at ten', 'not-found'],
  ];
  it.each(rows)('%j is %j', (text, expected) => {
    expect(outcome('integer', text)).toBe(expected);
  });

  it('is never certain', () => {
    expect(read('integer', 'a table for four', { now: NOW })).toMatchObject({ ok: true, value: 4, certain: false });
  });
});

describe('spoken numbers as digits', () => {
  const rows: [string, string][] = [
    ['march third nineteen eighty four', 'march 3rd 1984'],
    ['two thousand and five', '2005'],
    ['twenty ten', '2010'],
    ['nineteen oh five', '1905'],
    ['double five oh one', '5501'],
    ['triple seven', '777'],
    ['four one five', '415'],
    ['two point five', '2.5'],
    ['one hundred and twenty first street', '121st street'],
    ['twenty-two rooms', '22 rooms'],
    ['three million two hundred thousand', '3200000'],
    ['oh, I see', 'oh, I see'],
    ['no numbers here', 'no numbers here'],
    ['  room 12,  4 beds ', '  room 12,  4 beds '],
    ["four o'clock", "4 o'clock"],
    ['1,234,567', '1234567'],
  ];
  it.each(rows)('%j becomes %j', (text, expected) => {
    expect(digitsOf(text)).toBe(expected);
  });
});
