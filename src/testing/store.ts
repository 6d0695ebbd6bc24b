// `roomflow/testing/store`: what every store must do, for a store of one's own. Needs no LiveKit.
export { describeStore } from './store/describe-store.ts';
export type { TestRunner } from './store/store-runner.ts';
