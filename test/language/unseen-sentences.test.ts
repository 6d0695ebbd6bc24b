import { expect, it } from 'vitest';
import { read } from '../../src/language/reading.ts';
import { plainAnswer } from '../../src/language/yes-no.ts';
import { NOW, unseenAnswers, unseenSentences } from './unseen-sentences.ts';

it('invents no value on sentences written before the rules', () => {
  const wrong = unseenSentences.filter(({ kind, text, options, expected }) => {
    const reading = read(kind, text, { now: NOW, ...options });
    return reading.ok && reading.value !== expected;
  });
  expect(wrong.map(({ text }) => text)).toEqual([]);
});

it('reads nearly all sentences written before the rules', () => {
  const right = unseenSentences.filter(({ kind, text, options, expected }) => {
    const reading = read(kind, text, { now: NOW, ...options });
    return (reading.ok ? reading.value : undefined) === expected;
  });
  expect(unseenSentences.length).toBeGreaterThan(120);
  expect(right.length / unseenSentences.length).toBeGreaterThan(0.95);
});

it.each(unseenAnswers)('%j is plainly %j', (text, expected) => {
  expect(plainAnswer(text)).toBe(expected);
});
