import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { promisify } from 'node:util';
import { median, type Reading } from './measure.ts';
import { isRehearsal } from './rounds.ts';

const root = join(import.meta.dirname, '../..');

/**
 * Returns the median heap size of a function's result in bytes, each time in a fresh process. The function is an export
 * without parameters (`heapHeld(import.meta.url, 'openThousandSessions')`). A first call fills caches, so that they do
 * not count.
 */
export async function heapHeld(module: string, exportName: string, runs = 5): Promise<Reading> {
  if (isRehearsal()) return await madeOnce(module, exportName);
  const child = ['--expose-gc', '--import', 'tsx', join(import.meta.dirname, 'heap-child.ts'), module, exportName];
  const bytes: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const { stdout } = await promisify(execFile)(execPath, child, { cwd: root });
    bytes.push(Number(stdout));
  }
  return { value: median(bytes), baseline: null, runs };
}

/** In a rehearsal the function is called in this process, and its result is not measured. */
async function madeOnce(module: string, exportName: string): Promise<Reading> {
  const make = ((await import(module)) as Record<string, unknown>)[exportName];
  if (typeof make !== 'function') throw new Error(`${module} exports no function ${exportName}.`);
  await make();
  return { value: Number.NaN, baseline: null, runs: 1 };
}
