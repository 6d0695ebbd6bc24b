import { defineConfig } from 'roomflow';

// A file of this folder or below it, or the name of a package such as '@acme/nodes'.
export default defineConfig({ nodePacks: ['./pack.ts'] });
