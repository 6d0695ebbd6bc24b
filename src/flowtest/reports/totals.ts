import type { FileResult } from '../run-tests.ts';

export interface Totals {
  readonly scenarios: number;
  readonly passed: number;
  readonly failed: number;
  readonly broken: number;
  readonly skipped: number;
  /** The checks that engines could not make, and how often. */
  readonly unchecked: Readonly<Record<string, number>>;
}

/** Adds the totals of several rounds or files. */
export function sumOfTotals(all: readonly Totals[]): Totals {
  const unchecked: Record<string, number> = {};
  for (const one of all)
    for (const [what, times] of Object.entries(one.unchecked)) unchecked[what] = (unchecked[what] ?? 0) + times;
  const sum = (key: Exclude<keyof Totals, 'unchecked'>): number => all.reduce((total, one) => total + one[key], 0);
  return {
    scenarios: sum('scenarios'),
    passed: sum('passed'),
    failed: sum('failed'),
    broken: sum('broken'),
    skipped: sum('skipped'),
    unchecked,
  };
}

export function totalsOf(results: readonly FileResult[]): Totals {
  const all = results.flatMap(({ scenarios }) => scenarios);
  const unchecked: Record<string, number> = {};
  for (const one of all)
    for (const [what, times] of Object.entries(one.unchecked)) unchecked[what] = (unchecked[what] ?? 0) + times;
  const count = (status: string): number => all.filter((one) => one.status === status).length;
  return {
    scenarios: all.length,
    passed: count('passed'),
    failed: count('failed'),
    broken: count('broken'),
    skipped: count('skipped'),
    unchecked,
  };
}
