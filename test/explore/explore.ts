import { exploreEngine } from './explore-engine.ts';
import { exploreSession } from './explore-session.ts';
import type { Fault } from './fault.ts';
import type { Finding } from './watch.ts';

export interface Exploration {
  readonly level: 'engine' | 'session';
  readonly from: number;
  readonly seeds: number;
  /** Hears after each seed how many have been walked. */
  readonly onProgress?: (done: number) => void;
  /** Something wrong on purpose, on the engine. */
  readonly fault?: Fault;
}

/** Sessions wait for LiveKit's timers most of the time, so several go side by side; the engine keeps a core busy alone. */
const atOnce = { engine: 1, session: 12 };

/** Walks through the seeds, and stops at the first finding. */
export async function explore({ level, from, seeds, onProgress, fault }: Exploration): Promise<Finding | null> {
  const walk = (seed: number) => (level === 'engine' ? exploreEngine(seed, fault) : exploreSession(seed));
  let next = from;
  let done = 0;
  let finding: Finding | null = null;
  const walkOn = async (): Promise<void> => {
    while (next < from + seeds && finding === null) {
      const seed = next;
      next += 1;
      finding = (await walk(seed)) ?? finding;
      onProgress?.((done += 1));
    }
  };
  await Promise.all(Array.from({ length: atOnce[level] }, walkOn));
  return finding;
}

/** A finding as text, with the command that repeats it. */
export function report({ seed, flow, invariant, detail, trace }: Finding, level: Exploration['level']): string {
  return [
    `seed ${seed} on flow "${flow}" breaks: ${invariant}`,
    `  ${detail}`,
    'what happened last:',
    ...trace.map((line) => `  ${line}`),
    `again: npm run explore -- --seeds 1 --from ${seed}${level === 'session' ? ' --session' : ''}`,
  ].join('\n');
}
