import { fileURLToPath } from 'node:url';
import claude from '@roomflow/claude';
import { builtinCatalog, createCatalog } from 'roomflow';
import { createFlowRun } from 'roomflow/livekit';

const catalog = createCatalog(builtinCatalog.values(), new Map([['@roomflow/claude', claude]]));
const flow = createFlowRun(fileURLToPath(new URL('flow.yaml', import.meta.url)), { catalog });
flow.subscribe('agent:start', ({ runId = '' }) => {
  for (const wish of ['Shorter.', 'Funnier.']) flow.sendToRun(runId, wish);
});
flow.subscribe('agent:text', (event) => {
  if (event.type === 'agent:text') process.stdout.write(event.data.delta);
});

const { outputs } = await flow.run();
console.log(JSON.stringify(outputs));
