import { expect, it } from 'vitest';
import { read } from '../../../src/language/english/reading.ts';
import { plainAnswer } from '../../../src/language/english/answers/yes-no.ts';
import { laterUnseenAnswers, secondUnseen, thirdUnseen } from './later-unseen-sentences.ts';
import { NOW, unseenAnswers, unseenSentences, type UnseenSentence } from './unseen-sentences.ts';

const later = [...secondUnseen, ...thirdUnseen].map(([kind, text, expected, options]): UnseenSentence => ({
  kind,
  text,
  expected,
  ...(options && { options }),
}));
const sentences = [...unseenSentences, ...later];

it('no value is invented on sentences written before the rules that read them', () => {
  const wrong = sentences.filter(({ kind, text, options, expected }) => {
    const reading = read(kind, text, { now: NOW, ...options });
    return reading.ok && reading.value !== expected;
  });
  expect(wrong.map(({ text }) => text)).toEqual([]);
});

it('nearly all of them are read', () => {
  const right = sentences.filter(({ kind, text, options, expected }) => {
    const reading = read(kind, text, { now: NOW, ...options });
    return (reading.ok ? reading.value : undefined) === expected;
  });
  expect(sentences.length).toBeGreaterThan(350);
  expect(right.length / sentences.length).toBeGreaterThan(0.97);
});

it.each([...unseenAnswers, ...laterUnseenAnswers])('%j is plainly %j', (text, expected) => {
  expect(plainAnswer(text)).toBe(expected);
});
