import { expect, test } from 'vitest';
import { callers } from '../explore/talk/callers.ts';
import { everyNoise, holdAll, reportTalks } from '../explore/talk/talks.ts';
import { isBroad } from '../tries.ts';

/** Each noise is made by one caller in this many; `npm run explore -- --talk --every --brain` has all of them make it. */
const part = isBroad ? 3 : 6;

test('callers who hesitate, refuse, correct, digress or are silent at every question come to their end on the offline brain', async () => {
  const all = everyNoise();
  const kinds = all.length / callers.length;
  // Foreign words count as a name or a wish if the flow has asked for one.
  const talks = all
    .filter((_, index) => (index + Math.floor(index / kinds)) % part === 0)
    .filter(({ name }) => name.includes('caller: ') && !name.endsWith('foreign'))
    .map((talk) => ({ ...talk, model: 'brain' as const }));
  const report = await holdAll(talks);
  expect(report.held).toBeGreaterThanOrEqual(27 / (part / 3));
  expect(reportTalks(report)).toBe('');
}, 600_000);
