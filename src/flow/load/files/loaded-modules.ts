import { createRequire } from 'node:module';

/**
 * The absolute paths of the project modules that this process has loaded, as far as the TypeScript loader has seen
 * them.
 */
export function loadedModules(): readonly string[] {
  return Object.keys(createRequire(import.meta.url).cache).filter((path) => !/[\\/]node_modules[\\/]/.test(path));
}
