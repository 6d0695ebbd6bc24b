import { describe, expect, it } from 'vitest';
import { outcome, type Row } from './outcome.ts';

describe('an e-mail address asked for', () => {
  const rows: Row[] = [
    ['maria dot delgado at example dot com', 'maria.delgado@example.com'],
    ['Maria.Delgado@Example.com', 'maria.delgado@example.com'],
    ['maria.delgado@example.com.', 'maria.delgado@example.com'],
    ['it is m underscore d at example dot com', 'm_d@example.com'],
    ['j o e at example dot com', 'joe@example.com'],
    ['it is g r e t a at example dot com', 'greta@example.com'],
    ['J-O-E at example dot com', 'j-o-e@example.com'],
    ['joe at e x a m p l e dot com', 'joe@example.com'],
    ['maria delgado all one word at example dot com', 'mariadelgado@example.com'],
    ['maria delgado at example dot com, no spaces', 'mariadelgado@example.com'],
    ['joe ninety two at example dot co dot uk', 'joe92@example.co.uk'],
    ['joe one two three at example dot com', 'joe123@example.com'],
    ['info at blue dash cross dot org', 'info@blue-cross.org'],
    ['m as in mary dot delgado at example dot com', 'm.delgado@example.com'],
    ['joe plus news at example dot com', 'joe+news@example.com'],
    ['mary I mean maria at example dot com', 'maria@example.com'],
    ['joe at example dot com, sorry, joe at example dot org', 'joe@example.org'],
    ['maria delgado at example dot com', 'ambiguous'],
    ['maria dot delgado sorry delgada at example dot com', 'ambiguous'],
    ['joe at example dot com, no, dot org', 'ambiguous'],
    ['joe at example dot com or ann at example dot com', 'ambiguous'],
    ['joe underscore smith the number four at example dot com', 'joe_smith4@example.com'],
    ['joe smith the number four at example dot com', 'ambiguous'],
    ['joe the plumber at example dot com', 'ambiguous'],
    ['j smith at example dot com', 'ambiguous'],
    ['joe double o seven at example dot com', 'joe007@example.com'],
    ['maria delgado at example dot com all lowercase', 'ambiguous'],
    ['joe at example dot com, all lower case', 'joe@example.com'],
    [`${'a.'.repeat(30)}b@example.com`, 'not-found'],
    [`joe@${'a.'.repeat(30)}com`, 'not-found'],
    ['joe at gmail', 'incomplete domain'],
    ['joe two thousand five at example dot com', 'not-found'],
    ['joe at blue cross dot com', 'incomplete domain'],
    ['dot joe at example dot com', 'invalid'],
    ['josé@example.com', 'josé@example.com'],
    ['I am at work', 'not-found'],
    ['meet me at example dot com', 'not-found'],
    ['I have no email', 'not-found'],
    ['', 'not-found'],
  ];
  it.each(rows)('%j is %j', (text, expected) => {
    expect(outcome('email', text, { asked: true })).toBe(expected);
  });

  it('is found in a sentence, too', () => {
    expect(outcome('email', 'you can write to joe at example dot com about it')).toBe('joe@example.com');
    expect(outcome('email', 'I will be at the office')).toBe('not-found');
  });
});
