import { env } from 'node:process';

/** Returns the number of inputs for a law: a twenty-fifth of `count` in `npm test`, multiplied by ROOMFLOW_TRIES if that is set. */
export function tries(count: number): number {
  return Math.ceil(count * Number(env['ROOMFLOW_TRIES'] ?? 0.04));
}

/** Whether this run is a broad one, such as `npm run laws` in `.ci/run`: it takes large inputs whole, `npm test` a part of them. */
export const isBroad = env['ROOMFLOW_TRIES'] !== undefined;
