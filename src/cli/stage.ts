#!/usr/bin/env node
import { checkFlow } from '../flow/load/check-flow.ts';
import { builtinCatalog } from '../flow/nodes/builtin.ts';
import { runStage } from '../studio/dev/stage.ts';
import { endWithinMs } from '../studio/dev/stage-process.ts';
import { openConfig } from '../config/config.ts';
import { connected } from '../config/connected-config.ts';
import { systemClock } from '../system.ts';
import { registeredBy } from '../runner/registered-by.ts';
import { pretendFor } from './run/stand-ins.ts';

// The session process of a studio. `roomflow dev` starts it, talks to it over its channel, and it ends with the studio.
// With `covering FLOW TESTS` it plays the tests of a flow for the studio, because they run code of the project.
const [, , task, flow = '', ...tests] = process.argv;
if (task === 'covering') {
  const { coveringTests } = await import('./test/covering-tests.ts');
  const nodes = await coveringTests(flow, tests);
  process.stdout.write(`\n${JSON.stringify(nodes)}\n`, () => process.exit(0));
} else serveSessions();

function serveSessions(): void {
  // Ctrl-C reaches all processes of the terminal. This process ends when the studio has released its sessions.
  process.on('SIGINT', () => undefined);
  // Without the studio nothing can be stored. Running tools may finish; everything else ends with this process.
  process.once('disconnect', () => void setTimeout(() => process.exit(0), endWithinMs).unref());

  runStage(
    {
      send: (message) => void process.send?.(message, undefined, undefined, () => undefined),
      listen: (listener) => void process.on('message', listener),
    },
    {
      async openConfig(file) {
        const { config } = await connected(await openConfig(file), { env: process.env, clock: systemClock });
        return config;
      },
      pretend: pretendFor,
      check: async (source, config, place) => {
        const registered = config === null ? {} : await registeredBy(config);
        return checkFlow(source, { catalog: config?.catalog ?? builtinCatalog, ...registered, ...place });
      },
    },
  );
}
