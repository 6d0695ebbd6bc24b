#!/usr/bin/env node
import { checkFlow } from '../load/check-flow.ts';
import { builtinCatalog } from '../nodes/builtin.ts';
import { runStage } from '../studio/dev/stage.ts';
import { endWithinMs } from '../studio/dev/stage-process.ts';
import { openConfig } from '../config.ts';
import { registeredBy } from '../runner/registered-by.ts';
import { pretendFor } from './stand-ins.ts';

// The process of the sessions of a studio: `roomflow dev` starts it, speaks to it over its channel, and it ends with that. With
// `covering FLOW TESTS` it is the one that plays the tests of a flow for the studio, whose code runs here as well.
const [, , task, flow = '', ...tests] = process.argv;
if (task === 'covering') {
  const { coveringTests } = await import('./covering-tests.ts');
  const nodes = await coveringTests(flow, tests);
  process.stdout.write(`\n${JSON.stringify(nodes)}\n`, () => process.exit(0));
} else serveSessions();

function serveSessions(): void {
  // Ctrl-C is for all processes of the terminal: this one ends once the studio has let go of its sessions.
  process.on('SIGINT', () => undefined);
  // Without a studio nothing can be kept. What tools do just now is let finish, and what stays open ends with this process.
  process.once('disconnect', () => void setTimeout(() => process.exit(0), endWithinMs).unref());

  runStage(
    {
      send: (message) => void process.send?.(message, undefined, undefined, () => undefined),
      listen: (listener) => void process.on('message', listener),
    },
    {
      openConfig,
      pretend: pretendFor,
      check: async (source, config, place) => {
        const registered = config === null ? {} : await registeredBy(config);
        return checkFlow(source, { catalog: config?.catalog ?? builtinCatalog, ...registered, ...place });
      },
    },
  );
}
