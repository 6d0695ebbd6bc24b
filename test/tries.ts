import { env } from 'node:process';

/** On how many inputs `npm test` tries what holds for all: a bounded part. ROOMFLOW_TRIES is how many times as many. */
export function tries(count: number): number {
  return count * Number(env['ROOMFLOW_TRIES'] ?? 1);
}
