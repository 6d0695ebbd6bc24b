export { type Caller, joinRoom } from '../../src/testing/caller.ts';
