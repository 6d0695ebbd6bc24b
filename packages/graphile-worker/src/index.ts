// `@roomflow/graphile-worker`: timers of Roomflow as jobs of graphile-worker.
export { createGraphileTimekeeper } from './graphile-timekeeper.ts';
export type { GraphileTimekeeperOptions } from './graphile-timekeeper.ts';
