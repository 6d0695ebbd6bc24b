import type { Seals } from '../model/ports/seals.ts';
import { systemSeals } from '../system.ts';

/** Returns the seals of this deployment. Processes that share `ROOMFLOW_SEAL_KEY` can open each other's values. */
export function runnerSeals(): Seals {
  return systemSeals(process.env['ROOMFLOW_SEAL_KEY']);
}
