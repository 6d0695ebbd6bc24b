// `roomflow/testing/timekeeper`: the tests that every timekeeper must pass, for custom engines. Needs no LiveKit.
export { describeTimekeeper } from './timekeeper/describe-timekeeper.ts';
export type { TimekeeperTrial } from './timekeeper/describe-timekeeper.ts';
