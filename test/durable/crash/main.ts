// `npm run sweep`: every crash point on every store, for calls and for outside events, and 100 processes that are
// really killed. `-- --part N` runs every Nth of them.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';

const { values } = parseArgs({ options: { part: { type: 'string', default: '1' } } });
if (!/^[1-9]\d*$/.test(values.part)) throw new Error(`--part ${values.part} is not a whole number above 0.`);
process.env['ROOMFLOW_SWEEP'] = values.part;
const vitest = await startVitest('test', ['test/durable/crash-sweep.test.ts', 'test/durable/people-sweep.test.ts'], {
  config: 'test/vitest.config.ts',
  watch: false,
});
await vitest.close();
