import { env } from 'node:process';
import fc from 'fast-check';

// What is drawn by chance is the same in each run, so that a run fails for what was changed. ROOMFLOW_SEED draws something else.
fc.configureGlobal({ seed: Number(env['ROOMFLOW_SEED'] ?? 1) });
