// `npm run sweep`: every crash point on every store, of calls and of what comes from outside, and 100 processes that are
// really killed.
import process from 'node:process';
import { startVitest } from 'vitest/node';

process.env['ROOMFLOW_SWEEP'] = 'full';
const vitest = await startVitest('test', ['test/durable/crash-sweep.test.ts', 'test/durable/people-sweep.test.ts'], {
  config: 'test/vitest.config.ts',
  watch: false,
});
await vitest.close();
