import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Measure, Reading } from './measure.ts';

/**
 * The same measure, each in a fresh process: what another one has left of garbage, and of code compiled for other
 * objects, made the kernel three times as slow.
 */
export function alone(file: string, measure: Measure): Measure {
  return { ...measure, run: () => runIn(file, measure.name) };
}

function runIn(file: string, name: string): Promise<Reading> {
  const child = fork(join(import.meta.dirname, 'measure-child.ts'), [file, name], { execArgv: ['--import', 'tsx'] });
  return new Promise((resolve, reject) => {
    child.on('message', (reading: Reading) => resolve(reading)); // As measure-child.ts sends it.
    child.on('exit', (code) => reject(new Error(`its process ended with ${code ?? 'a signal'}.`)));
  });
}
