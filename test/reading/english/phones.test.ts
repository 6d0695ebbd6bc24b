import { describe, expect, it } from 'vitest';
import { read } from '../../../src/language/english/reading.ts';
import { outcome, type Row } from './outcome.ts';
import { NOW } from './unseen-sentences.ts';

describe('a telephone number asked for', () => {
  const rows: Row[] = [
    ['four one five five five five two six seven one', '+14155552671'],
    ['415 555 2671', '+14155552671'],
    ['+14155550123', '+14155550123'],
    ['1-415-555-2671', '+14155552671'],
    ['four one five, triple five, two six seven one', '+14155552671'],
    ['four fifteen five fifty five twenty six seventy one', '+14155552671'],
    ['area code four one five, then five five five, and then two six seven one', '+14155552671'],
    ['it is uh four one five um five five five two six seven one thank you', '+14155552671'],
    ['415 555 2671 extension 12', '+14155552671'],
    ['plus one four one five five five five two six seven one', '+14155552671'],
    ['eight hundred five five five oh one nine nine', '+18005550199'],
    ['plus four nine three oh two two seven seven two four eight one', '+493022772481'],
    ['four one five, no wait, four one six, five five five, two six seven one', '+14165552671'],
    ['415 555 2671, sorry, 415 555 2672', '+14155552672'],
    ['415 555 2671. 415 555 2671.', '+14155552671'],
    ['415 555 2671 or 415 555 2672', 'ambiguous'],
    ['415 555 2671, no, 2672', 'ambiguous'],
    ['415 555, no, 556 2671', 'incomplete area code'],
    ['four one five that is the area code five five five two six seven one', 'incomplete area code'],
    ['555 2671', 'incomplete area code'],
    ['four one five', 'incomplete digits'],
    ['415 555 26711', 'invalid'],
    ['123 456 7890', 'invalid'],
    ['555 555 5555', 'invalid'],
    ['no', 'not-found'],
    ['I would rather not', 'not-found'],
    ['', 'not-found'],
  ];
  it.each(rows)('%j is %j', (text, expected) => {
    expect(outcome('phone', text, { asked: true })).toBe(expected);
  });

  it('follows its region', () => {
    expect(outcome('phone', '020 7946 0958', { asked: true, region: 'GB' })).toBe('+442079460958');
    expect(outcome('phone', '030 227 72481', { asked: true, region: 'DE' })).toBe('+493022772481');
    expect(outcome('phone', '415 555 2671', { asked: true, region: 'nowhere' })).toBe('invalid');
    expect(outcome('phone', '+1 415 555 2671', { asked: true, region: 'nowhere' })).toBe('+14155552671');
  });
});

describe('a telephone number that was not asked for', () => {
  const rows: Row[] = [
    ['you can reach me at four one five five five five two six seven one', '+14155552671'],
    ['my phone number is 4155552671', '+14155552671'],
    ['415-555-2671', '+14155552671'],
    ['my account number is 4155552671', 'not-found'],
    ['it costs 4155552671', 'not-found'],
    ['I was born 1984-03-04', 'not-found'],
  ];
  it.each(rows)('%j is %j', (text, expected) => {
    expect(outcome('phone', text)).toBe(expected);
  });

  it('is reported with its place in the text', () => {
    const reading = read('phone', 'call 415-555-2671 please', { now: NOW });
    expect(reading).toMatchObject({ said: '415-555-2671', start: 5, end: 17 });
  });
});
