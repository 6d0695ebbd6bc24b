import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Measure, Reading } from './measure.ts';

/**
 * Runs a measure in a fresh process each time. Garbage and code compiled for another measure's objects made the kernel
 * three times slower.
 */
export function alone(file: string, measure: Measure): Measure {
  return { ...measure, run: () => runIn(file, measure.name) };
}

function runIn(file: string, name: string): Promise<Reading> {
  const child = fork(join(import.meta.dirname, 'measure-child.ts'), [file, name], { execArgv: ['--import', 'tsx'] });
  return new Promise((resolve, reject) => {
    child.on('message', (reading: Reading) => resolve(reading)); // measure-child.ts sends this shape.
    child.on('exit', (code) => reject(new Error(`its process ended with ${code ?? 'a signal'}.`)));
  });
}
