import { defineConfig } from 'roomflow';

// A file in this folder or below, or the name of a package such as '@acme/nodes'.
export default defineConfig({ nodePacks: ['./pack.ts'] });
