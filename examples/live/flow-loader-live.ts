// A flow of files: a prompt file and a node pack: npx tsx examples/live/flow-loader-live.ts
import { fileURLToPath } from 'node:url';
import { builtinCatalog, createCatalog } from 'roomflow';
import { createFlowRunner } from 'roomflow/livekit';
import { check, model, outcomeOf } from './live.ts';
import pack from './loader/pack.ts';

const file = fileURLToPath(new URL('loader/flow.yaml', import.meta.url));
/** The catalog that the commands make from `nodePacks` of an agent.config.ts. */
const catalog = createCatalog(builtinCatalog.values(), new Map([['./pack.ts', pack]]));
const input = { article: 'tube' };

let told = '';
/** Records the requests to the model. */
const heard: typeof model = {
  label: model.label,
  generate(request) {
    told = request.messages[0]?.content ?? '';
    return model.generate(request);
  },
};
const { outputs, status } = await outcomeOf(createFlowRunner(file, catalog, { model: heard, input }));

check(`the flow is ${status}`, status === 'complete');
check('a node type of the pack runs', JSON.stringify(outputs['stock']) === '{"count":12}');
check('the agent is told what the prompt file says, filled in', told.includes('There are 12 of tube in stock.'));
let refused = '';
try {
  createFlowRunner(file, builtinCatalog, { model, input });
} catch (error) {
  refused = String(error);
}
check('without the pack the flow is refused', refused.includes('node pack "./pack.ts" is not allowed'));
