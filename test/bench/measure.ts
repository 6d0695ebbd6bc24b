/** The result of a measurement. `baseline` is the reference: a number of the same unit, or words. */
export interface Reading {
  readonly value: number;
  readonly baseline: number | string | null;
  /** Number of runs behind the median. */
  readonly runs: number;
}

/** One line of `npm run bench`. A file `test/bench/NAME.bench.ts` exports its own as `measures`. */
export interface Measure {
  /** Unique. `--only` selects by its prefix (`compile/…`). */
  readonly name: string;
  readonly unit: string;
  readonly better: 'lower' | 'higher';
  /** A value beyond it is marked, and fails `npm run bench -- --strict`. */
  readonly limit?: number;
  /** A rehearsal leaves it out, because these tests or measures play its scenario. */
  readonly rehearsedBy?: string;
  run(): Promise<Reading>;
}

/** Returns the median; for an even count the mean of the two middle values. Throws without values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  if (low === undefined || high === undefined) throw new Error('There is no median of no values.');
  return (low + high) / 2;
}
