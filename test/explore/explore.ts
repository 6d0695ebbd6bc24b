import { exploreEngine } from './explore-engine.ts';
import { exploreSession } from './explore-session.ts';
import type { Fault, SessionFault } from './fault.ts';
import type { Finding } from './watch.ts';

export type Exploration = Seeds & (OnEngine | OnSession);

interface Seeds {
  readonly from: number;
  readonly seeds: number;
  /** Called after each seed with the number of seeds walked. */
  readonly onProgress?: (done: number) => void;
}

interface OnEngine {
  readonly level: 'engine';
  readonly fault?: Fault;
}

interface OnSession {
  readonly level: 'session';
  readonly fault?: SessionFault;
}

/** Sessions mostly wait for LiveKit's timers, so several run concurrently. The engine alone keeps a core busy. */
const atOnce = { engine: 1, session: 12 };

/** Walks the seeds in order and stops at the first finding. */
export async function explore(exploration: Exploration): Promise<Finding | null> {
  const { level, from, seeds, onProgress } = exploration;
  const walk = (seed: number): Promise<Finding | null> =>
    exploration.level === 'engine' ? exploreEngine(seed, exploration.fault) : exploreSession(seed, exploration.fault);
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
  // A fault is found within a few seeds, so concurrent walks would be wasted.
  const width = exploration.fault === undefined ? atOnce[level] : 1;
  await Promise.all(Array.from({ length: width }, walkOn));
  return finding;
}

/** Formats a finding, with the command that repeats it. */
export function report({ seed, flow, invariant, detail, trace }: Finding, level: Exploration['level']): string {
  return [
    `seed ${seed} on flow "${flow}" breaks: ${invariant}`,
    `  ${detail}`,
    'what happened last:',
    ...trace.map((line) => `  ${line}`),
    `again: npm run explore -- --seeds 1 --from ${seed}${level === 'session' ? ' --session' : ''}`,
  ].join('\n');
}
