// The fresh process of heap.ts: prints how many bytes the heap grew by while the result is held.
import { argv, exit, memoryUsage, stdout } from 'node:process';

const [, , module = '', exportName = ''] = argv;
const make = ((await import(module)) as Record<string, unknown>)[exportName];
if (typeof make !== 'function') throw new Error(`${module} exports no function ${exportName}.`);

await make();
const before = await settledHeap();
const held: unknown = await make();
const after = await settledHeap();
// Reading the result here is what keeps it alive until the second measuring is done.
// What is held may be at work still, and would keep the process alive.
stdout.write(held === undefined ? '0' : String(after - before), () => exit());

/** The heap when nothing more can be thrown away: one stream of Node's keeps the next alive until it is gone itself. */
async function settledHeap(): Promise<number> {
  let fewest = Infinity;
  for (let unchanged = 0; unchanged < 5; unchanged += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
    const { heapUsed } = memoryUsage();
    if (heapUsed < fewest - 4096) unchanged = 0;
    fewest = Math.min(fewest, heapUsed);
  }
  return fewest;
}
