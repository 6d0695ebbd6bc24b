// The fresh process of alone.ts: BENCH-FILE MEASURE. Sends the reading.
import process from 'node:process';
import type { Measure } from './measure.ts';

const [file = '', name = ''] = process.argv.slice(2);
// Each bench file implements this contract and is typed by it.
const { measures } = (await import(file)) as { measures: readonly Measure[] };
const measure = measures.find((each) => each.name === name);
if (measure === undefined) throw new Error(`${file} has no measure named ${name}.`);
const reading = await measure.run();
// The measured work may still be active and would keep the process alive.
process.send?.(reading, () => process.exit());
