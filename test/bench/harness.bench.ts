import type { Measure } from './measure.ts';
import { ratio } from './ratio.ts';

const text = JSON.stringify(Array.from({ length: 500 }, (_, index) => ({ index, name: `node ${index}` })));
const parse = () => JSON.parse(text) as unknown;

/** The ratio of a piece of work to itself: the noise in all other ratios. */
export const measures: Measure[] = [
  {
    name: 'harness/noise',
    unit: 'times',
    better: 'lower',
    run: () => ratio({ candidate: parse, baseline: parse, baselineName: 'itself' }),
  },
];
