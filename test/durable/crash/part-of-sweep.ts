import { env } from 'node:process';

/** Returns N if the sweep runs every Nth crash point; null in `npm test`, where each sweep has its own share. */
export function partOfSweep(): number | null {
  const part = env['ROOMFLOW_SWEEP'];
  return part === undefined ? null : Number(part);
}
