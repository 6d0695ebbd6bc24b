import { fileURLToPath } from 'node:url';
import { builtinCatalog, createCatalog, createFlowRunner } from 'roomflow';
import pack from './pack.ts';

const catalog = createCatalog([...builtinCatalog.values(), ...pack]);
const file = fileURLToPath(new URL('flow.yaml', import.meta.url));
const { outputs } = await createFlowRunner(file, catalog, { input: { article: 'tube' } }).run();
console.log(JSON.stringify(outputs));
