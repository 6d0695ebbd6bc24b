// The fresh process of alone.ts: BENCH-FILE MEASURE. Sends what the measure reads.
import process from 'node:process';
import type { Measure } from './measure.ts';

const [file = '', name = ''] = process.argv.slice(2);
// The contract that each bench file is written against, and typed by.
const { measures } = (await import(file)) as { measures: readonly Measure[] };
const measure = measures.find((each) => each.name === name);
if (measure === undefined) throw new Error(`${file} has no measure named ${name}.`);
const reading = await measure.run();
// What was measured may be at work still, and would keep the process alive.
process.send?.(reading, () => process.exit());
