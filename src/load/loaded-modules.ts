import { createRequire } from 'node:module';

/** The modules of the project that this process has loaded, absolute, as far as the loader of TypeScript has seen them. */
export function loadedModules(): readonly string[] {
  return Object.keys(createRequire(import.meta.url).cache).filter((path) => !/[\\/]node_modules[\\/]/.test(path));
}
