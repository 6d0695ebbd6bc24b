import { join } from 'node:path';
import { defineConfig } from 'roomflow';
import example from '../../examples/refund-approval/agent.config.ts';

/** The unchanged example, but each worker has one process for its only call. */
export default defineConfig({
  ...example,
  flows: { 'refund-approval': join(import.meta.dirname, '../../examples/refund-approval/flow.yaml') },
  worker: { ...example.worker, idleProcesses: 1 },
});
