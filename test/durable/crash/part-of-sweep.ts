import { env } from 'node:process';

/** Every how manyth crash point `npm run sweep` takes; null in `npm test`, where each sweep has another share. */
export function partOfSweep(): number | null {
  const part = env['ROOMFLOW_SWEEP'];
  return part === undefined ? null : Number(part);
}
