import { join } from 'node:path';
import { defineConfig } from 'roomflow';
import example from '../../../examples/refund-approval/agent.config.ts';

/** The example as it is, but that nobody waits half a minute for a caller who has hung up, or a minute to call them again. */
export default defineConfig({
  ...example,
  flows: { 'refund-approval': join(import.meta.dirname, '../../../examples/refund-approval/flow.yaml') },
  calls: { ...example.calls, every: '20s' },
  worker: { ...example.worker, rejoinTimeoutMs: 1_000 },
});
