import { median, type Reading } from './measure.ts';

/** Two ways of doing the same. */
export interface Comparison {
  readonly candidate: () => unknown;
  readonly baseline: () => unknown;
  /** What the baseline is, for the reader of the table. */
  readonly baselineName: string;
  /** Tells the time in milliseconds; the machine's own where absent. */
  readonly now?: () => number;
}

// Many short samples: with 31 of 5 ms a thing against itself came out anywhere from 0.6 to 1.05 on a busy machine, with
// 301 of 1 ms from 0.99 to 1.01.
const sampleMs = 1;
const mostRounds = 301;
// Slow work gets as many rounds as fit into this time, but enough for a median.
const fewestRounds = 11;
const budgetMs = 3000;
const warmUpMs = 50;

const machineNow = (): number => performance.now();

/**
 * How many times as long the candidate takes as the baseline: the ratio of the medians. Both run in this process by
 * turns, so that what slows the machine down slows both.
 */
export async function ratio({ candidate, baseline, baselineName, now = machineNow }: Comparison): Promise<Reading> {
  const candidateCalls = callsPerSample(await warmUp(candidate, now));
  const baselineCalls = callsPerSample(await warmUp(baseline, now));
  const candidateMs: number[] = [];
  const baselineMs: number[] = [];
  const started = now();
  for (let round = 0; round < mostRounds; round += 1) {
    if (round >= fewestRounds && now() - started > budgetMs) break;
    // Changing the order keeps either from always coming first after the other's garbage.
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
    // Awaiting a plain value would cost a synchronous function a turn of the queue.
    if (result instanceof Promise) await result;
  }
  return (now() - started) / calls;
}
