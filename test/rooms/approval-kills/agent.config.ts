import { join } from 'node:path';
import { defineConfig } from 'roomflow';
import example from '../../../examples/refund-approval/agent.config.ts';

/**
 * The unchanged example with short waits, because a test must not wait half a minute for a caller who has hung up, or a
 * minute for the next call to them.
 */
export default defineConfig({
  ...example,
  flows: { 'refund-approval': join(import.meta.dirname, '../../../examples/refund-approval/flow.yaml') },
  calls: { ...example.calls, every: '20s' },
  worker: { ...example.worker, rejoinTimeoutMs: 1_000 },
});
