// `roomflow/testing/store`: the tests that every store must pass, for custom stores. Needs no LiveKit.
export { describeStore } from './store/describe-store.ts';
export type { TestRunner } from './store/store-runner.ts';
