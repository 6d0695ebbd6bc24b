import { env } from 'node:process';

const variable = 'ROOMFLOW_BENCH_REHEARSAL';

/** From now on each measure is small, also in child processes. Called before a bench file is loaded. */
export function startRehearsal(): void {
  env[variable] = '1';
}

export function isRehearsal(): boolean {
  return env[variable] !== undefined;
}

/** Returns the size of a measure: a number of rounds, sessions or milliseconds. A rehearsal gets the fewest that play the whole scenario. */
export function rounds(count: number, fewest = 1): number {
  return isRehearsal() ? Math.min(fewest, count) : count;
}
