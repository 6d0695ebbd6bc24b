// `roomflow/testing/timekeeper`: what every timekeeper must do, for an engine of one's own. Needs no LiveKit.
export { describeTimekeeper } from './timekeeper/describe-timekeeper.ts';
export type { TimekeeperTrial } from './timekeeper/describe-timekeeper.ts';
