import process from 'node:process';
import { parseArgs } from 'node:util';
import { explore, report } from './explore.ts';

const usage = 'npm run explore -- [--seeds N] [--from SEED] [--session]';

try {
  const { values } = parseArgs({
    options: { seeds: { type: 'string' }, from: { type: 'string' }, session: { type: 'boolean', default: false } },
  });
  const level = values.session ? 'session' : 'engine';
  const [from, seeds] = [count(values.from ?? '1'), count(values.seeds ?? '1000')];
  const began = performance.now();
  const every = Math.max(1, Math.round(seeds / 10));
  const onProgress = (done: number): void => {
    if (done % every === 0 && done < seeds) console.log(`${done} of ${seeds}`);
  };
  const finding = await explore({ level, from, seeds, onProgress });
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  if (finding === null) console.log(`${level}: seeds ${from} to ${from + seeds - 1} hold, in ${seconds} s`);
  else console.error(report(finding, level));
  // LiveKit closes its sessions half a second later, for which nobody waits.
  process.exit(finding === null ? 0 : 1);
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  process.exit(2);
}

function count(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`"${text}" is no whole number above 0.`);
  return value;
}
