import { describe, expect, test } from 'vitest';
import { everyFlawOnce, everyNoiseOnce, holdAll, reportTalks, talkOfSeed } from './talk/talks.ts';

/** `.ci/run` plays hundreds more, and every caller with every noise and flaw (`npm run explore -- --talk --every`). */
const seeds = 6;
const isInPart = (_: unknown, index: number): boolean => index % 2 === 0;

describe('a talk with a caller or a model that makes mistakes', () => {
  test.each([
    ['in every other way that is known, one at a time', everyNoiseOnce().filter(isInPart)],
    ['on a realtime model', everyFlawOnce('realtime')],
    ['by chance', Array.from({ length: seeds }, (_, index) => talkOfSeed(index + 1))],
  ])('%s, breaks no law and comes to its end', { timeout: 600_000 }, async (_, talks) => {
    const result = await holdAll(talks);
    expect(result.broken.length === 0 ? 'all hold' : reportTalks(result)).toBe('all hold');
    expect(result.held).toBe(talks.length);
  });
});
