import { describe, expect, test } from 'vitest';
import { everyFlawOnce, everyNoise, holdAll, reportTalks, talkOfSeed } from './talk/talks.ts';

const seeds = 300;

/** `npm run explore -- --talk --every` has every caller err in every way; here a third of the callers does in each. */
const known = everyNoise().filter((_, index) => index % 3 === 0);

describe('a talk with a caller who errs, or through a model that does', () => {
  test.each([
    ['in every way that is known, one at a time', known],
    ['on a realtime model', everyFlawOnce('realtime')],
    ['by chance', Array.from({ length: seeds }, (_, index) => talkOfSeed(index + 1))],
  ])('%s, breaks no law and comes to its end', { timeout: 600_000 }, async (_, talks) => {
    const result = await holdAll(talks);
    expect(result.broken.length === 0 ? 'all hold' : reportTalks(result)).toBe('all hold');
    expect(result.held).toBe(talks.length);
  });
});
