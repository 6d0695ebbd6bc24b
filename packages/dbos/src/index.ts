// `@roomflow/dbos`: timers of Roomflow as workflows of DBOS.
export { createDbosTimekeeper } from './dbos-timekeeper.ts';
export type { DbosTimekeeperOptions } from './dbos-timekeeper.ts';
