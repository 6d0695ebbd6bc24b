import { expect, test } from 'vitest';
import { everyNoise, holdAll, reportTalks } from '../explore/talk/talks.ts';

test('callers who hesitate, refuse, correct, digress or are silent at every question come to their end on the offline brain', async () => {
  // Foreign words count as a name or a wish if the flow has asked for one. Each noise is made by a third of the
  // callers; `npm run explore -- --talk --every --brain` has all of them make it.
  const talks = everyNoise()
    .filter(({ name }, index) => index % 3 === 0 && name.includes('caller: ') && !name.endsWith('foreign'))
    .map((talk) => ({ ...talk, model: 'brain' as const }));
  const report = await holdAll(talks);
  expect(report.held).toBeGreaterThanOrEqual(27);
  expect(reportTalks(report)).toBe('');
}, 600_000);
