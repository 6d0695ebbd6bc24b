/** What one measuring found; `baseline` is what it is held against, as a number of the same unit or in words. */
export interface Reading {
  readonly value: number;
  readonly baseline: number | string | null;
  /** How many runs the value is the median of. */
  readonly runs: number;
}

/** One line of `npm run bench`. A file `test/bench/NAME.bench.ts` exports its own as `measures`. */
export interface Measure {
  /** Unique, and grouped by its beginning (`compile/…`), which is what `--only` chooses by. */
  readonly name: string;
  readonly unit: string;
  readonly better: 'lower' | 'higher';
  /** A value beyond it is marked, and fails `npm run bench -- --strict`. */
  readonly limit?: number;
  run(): Promise<Reading>;
}

/** The middle of the values; of an even number the mean of the two in the middle. Throws without values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  if (low === undefined || high === undefined) throw new Error('There is no median of no values.');
  return (low + high) / 2;
}
