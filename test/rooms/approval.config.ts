import { join } from 'node:path';
import { defineConfig } from 'roomflow';
import example from '../../examples/refund-approval/agent.config.ts';

/** The example as it is, but that each of its workers has one process for the one call that comes. */
export default defineConfig({
  ...example,
  flows: { 'refund-approval': join(import.meta.dirname, '../../examples/refund-approval/flow.yaml') },
  worker: { ...example.worker, idleProcesses: 1 },
});
