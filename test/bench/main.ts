import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { alone } from './alone.ts';
import type { Measure } from './measure.ts';
import { bench, choiceIn, rehearse } from './report.ts';
import { isRehearsal, startRehearsal } from './rounds.ts';

const usage = 'npm run bench -- [--json] [--only PREFIX] [--strict] [--rehearse]';
const output = { line: console.log, error: console.error };

try {
  const choice = choiceIn(process.argv.slice(2));
  if (choice.rehearse === true) startRehearsal();
  const measures = await allMeasures();
  if (choice.rehearse === true) process.exit(await rehearse(measures, choice, output));
  process.exitCode = await bench(measures, choice, output);
} catch (error) {
  output.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  process.exitCode = 1;
}

async function allMeasures(): Promise<Measure[]> {
  const measures = new Map<string, Measure>();
  for (const file of readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.bench.ts'))
    .toSorted()) {
    // Each bench file implements this contract and is typed by it.
    const { href } = pathToFileURL(join(import.meta.dirname, file));
    const module = (await import(href)) as { measures?: Measure[] };
    if (module.measures === undefined) throw new Error(`${file} does not export "measures".`);
    for (const measure of module.measures) {
      if (measures.has(measure.name)) throw new Error(`${file} has a second measure named ${measure.name}.`);
      measures.set(measure.name, isRehearsal() ? measure : alone(href, measure));
    }
  }
  return [...measures.values()];
}
