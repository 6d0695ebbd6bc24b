import { describe, expect, test } from 'vitest';
import { everyFlawOnce, everyNoiseOnce, holdAll, reportTalks, talkOfSeed } from './talk/talks.ts';

/** `.ci/run` plays hundreds more, and every caller with every noise and flaw. */
const seeds = 12;

describe('a talk with a caller or a model that makes mistakes', () => {
  test.each([
    ['in every way that is known, one at a time', everyNoiseOnce()],
    ['on a realtime model', everyFlawOnce('realtime')],
    ['by chance', Array.from({ length: seeds }, (_, index) => talkOfSeed(index + 1))],
  ])('%s, breaks no law and comes to its end', { timeout: 600_000 }, async (_, talks) => {
    const result = await holdAll(talks);
    expect(result.broken.length === 0 ? 'all hold' : reportTalks(result)).toBe('all hold');
    expect(result.held).toBe(talks.length);
  });
});
