import { env } from 'node:process';

/** On how many inputs a law is tried: a twenty-fifth in `npm test`, and ROOMFLOW_TRIES times as many if that is set. */
export function tries(count: number): number {
  return Math.ceil(count * Number(env['ROOMFLOW_TRIES'] ?? 0.04));
}
