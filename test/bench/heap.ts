import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { promisify } from 'node:util';
import { median, type Reading } from './measure.ts';

const root = join(import.meta.dirname, '../..');

/**
 * Returns the median heap size of a function's result in bytes, each time in a fresh process. The function is an export
 * without parameters (`heapHeld(import.meta.url, 'openThousandSessions')`). A first call fills caches, so that they do
 * not count.
 */
export async function heapHeld(module: string, exportName: string, runs = 5): Promise<Reading> {
  const child = ['--expose-gc', '--import', 'tsx', join(import.meta.dirname, 'heap-child.ts'), module, exportName];
  const bytes: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const { stdout } = await promisify(execFile)(execPath, child, { cwd: root });
    bytes.push(Number(stdout));
  }
  return { value: median(bytes), baseline: null, runs };
}
