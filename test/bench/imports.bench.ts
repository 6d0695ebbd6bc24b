import { execFile } from 'node:child_process';
import { execPath } from 'node:process';
import { promisify } from 'node:util';
import { bundleBytes } from './bundle.ts';
import { median, type Measure, type Reading } from './measure.ts';

const run = promisify(execFile);
const rounds = 15;

/** The cost of importing modules in a fresh process: CPU time in milliseconds and resident memory in megabytes. */
interface ImportCost {
  readonly cpuMs: number;
  readonly residentMb: number;
}

async function importCost(modules: readonly string[]): Promise<ImportCost> {
  const program = `
    const before = process.cpuUsage();
    for (const module of ${JSON.stringify(modules)}) await import(module);
    const { user, system } = process.cpuUsage(before);
    console.log(JSON.stringify({ cpuMs: (user + system) / 1e3, residentMb: process.memoryUsage().rss / 2 ** 20 }));`;
  const { stdout } = await run(execPath, ['--input-type=module', '-e', program]);
  return JSON.parse(stdout) as ImportCost; // The program prints this shape.
}

/** Compares the import of roomflow with that of zod and yaml alone, alternately, so that a busy machine slows both. */
async function coreRatio(cost: keyof ImportCost, unit: string): Promise<Reading> {
  const core: number[] = [];
  const alone: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    alone.push((await importCost(['zod', 'yaml']))[cost]);
    core.push((await importCost(['roomflow']))[cost]);
  }
  const baseline = median(alone);
  return { value: median(core) / baseline, baseline: `zod and yaml, ${baseline.toPrecision(3)} ${unit}`, runs: rounds };
}

const rehearsedBy = 'test/entries.test.ts';

function bundle(name: string, exported: string): Measure {
  return {
    name: `bundle.${name}_kb`,
    unit: 'kB',
    better: 'lower',
    limit: 5,
    rehearsedBy,
    run: async () => ({ value: (await bundleBytes(exported)) / 1e3, baseline: null, runs: 1 }),
  };
}

export const measures: Measure[] = [
  {
    name: 'import.core_ratio',
    unit: 'times',
    better: 'lower',
    limit: 2,
    rehearsedBy,
    run: () => coreRatio('cpuMs', 'ms of processor time'),
  },
  {
    name: 'import.core_memory_ratio',
    unit: 'times',
    better: 'lower',
    limit: 2,
    rehearsedBy,
    run: () => coreRatio('residentMb', 'MB'),
  },
  bundle('flow_error', 'FlowError'),
  bundle('define_flow', 'defineFlow'),
];
