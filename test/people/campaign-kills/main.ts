// `npm run campaign`: three processes write to ten thousand people, and one of them is killed every few seconds.
import process from 'node:process';
import { startVitest } from 'vitest/node';

process.env['ROOMFLOW_CAMPAIGN'] = 'full';
const vitest = await startVitest('test', ['test/people/campaign-kills.test.ts'], {
  config: 'test/vitest.config.ts',
  watch: false,
});
await vitest.close();
