// The fresh process of heap.ts: prints the heap growth in bytes while the result is held.
import { argv, exit, memoryUsage, stdout } from 'node:process';

const [, , module = '', exportName = ''] = argv;
const make = ((await import(module)) as Record<string, unknown>)[exportName];
if (typeof make !== 'function') throw new Error(`${module} exports no function ${exportName}.`);

await make();
const before = await settledHeap();
const held: unknown = await make();
const after = await settledHeap();
// Reading the result here keeps it alive until the second measurement. `exit` is explicit because the result may still
// be active.
stdout.write(held === undefined ? '0' : String(after - before), () => exit());

/** Returns the heap size after garbage collection, which takes several rounds because one stream of Node keeps the next alive. */
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
