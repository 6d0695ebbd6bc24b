import type { BuildOptions } from 'esbuild';

export const pageOptions: BuildOptions & { readonly metafile: true };
