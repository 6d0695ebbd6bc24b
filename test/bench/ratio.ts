import { median, type Reading } from './measure.ts';
import { rounds } from './rounds.ts';

/** Two ways of doing the same work. */
export interface Comparison {
  readonly candidate: () => unknown;
  readonly baseline: () => unknown;
  /** The name of the baseline in the table. */
  readonly baselineName: string;
  /** Returns the time in milliseconds. Default: the system clock. */
  readonly now?: () => number;
}

// Many short samples: on a busy machine, 31 samples of 5 ms measured a ratio of equal work between 0.6 and 1.05, and
// 301 samples of 1 ms between 0.99 and 1.01.
const sampleMs = 1;
const mostRounds = rounds(301);
// Slow work gets as many rounds as fit into this time, but enough for a median.
const fewestRounds = 11;
const budgetMs = 3000;
const warmUpMs = rounds(50);

const machineNow = (): number => performance.now();

/**
 * Returns how many times longer the candidate takes than the baseline: the ratio of the medians. Both run alternately
 * in this process, so that a slower machine affects both.
 */
export async function ratio({ candidate, baseline, baselineName, now = machineNow }: Comparison): Promise<Reading> {
  const candidateCalls = callsPerSample(await warmUp(candidate, now));
  const baselineCalls = callsPerSample(await warmUp(baseline, now));
  const candidateMs: number[] = [];
  const baselineMs: number[] = [];
  const started = now();
  for (let round = 0; round < mostRounds; round += 1) {
    if (round >= fewestRounds && now() - started > budgetMs) break;
    // Alternating the order spreads the effect of the other's garbage.
    if (round % 2 === 0) candidateMs.push(await timePerCall(candidate, candidateCalls, now));
    baselineMs.push(await timePerCall(baseline, baselineCalls, now));
    if (round % 2 === 1) candidateMs.push(await timePerCall(candidate, candidateCalls, now));
  }
  const reference = median(baselineMs);
  return {
    value: median(candidateMs) / reference,
    baseline: `${baselineName}, ${reference.toPrecision(3)} ms`,
    runs: candidateMs.length,
  };
}

async function warmUp(work: () => unknown, now: () => number): Promise<number> {
  const started = now();
  let calls = 0;
  do {
    await work();
    calls += 1;
  } while (now() - started < warmUpMs);
  return (now() - started) / calls;
}

function callsPerSample(callMs: number): number {
  return Math.max(1, Math.round(sampleMs / callMs));
}

async function timePerCall(work: () => unknown, calls: number, now: () => number): Promise<number> {
  const started = now();
  for (let call = 0; call < calls; call += 1) {
    const result = work();
    // Awaiting a plain value would cost a synchronous function a microtask.
    if (result instanceof Promise) await result;
  }
  return (now() - started) / calls;
}
