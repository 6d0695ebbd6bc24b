import { env } from 'node:process';
import fc from 'fast-check';

// Random inputs are the same in each run, so that only a change of the code can make a run fail. ROOMFLOW_SEED sets another seed.
fc.configureGlobal({ seed: Number(env['ROOMFLOW_SEED'] ?? 1) });
