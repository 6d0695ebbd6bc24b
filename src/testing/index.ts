// The public names of `roomflow/testing`: a separate entry point, so that an agent does not load what only tests need.

// Simulate: a conversation on a real session, in virtual time.
export { assertSimulation, simulateRoom } from './simulate-room.ts';
export type { SimulationOptions } from './simulate-room.ts';
export type { SimulationResult, TranscriptLine } from './conversation-record.ts';
export type { Expectation, Script, ScriptStep } from './script.ts';

// Test: conversations in a file next to the flow, or in TypeScript.
export { assertFlowTest, defineFlowTest, runFlowTest } from '../flowtest/run-flow-test.ts';
export type { FlowTestOptions, FlowTestResult } from '../flowtest/run-flow-test.ts';
export type { FlowTest } from '../flowtest/document/document.ts';
export type { ScenarioResult, TestFailure } from '../flowtest/play/scenario-result.ts';

// Play: the same script in a real room.
export { playInRoom } from './play-in-room.ts';
export type { RoomPlayOptions } from './play-in-room.ts';
export { joinRoom } from './caller.ts';
export type { Caller, RoomServer } from './caller.ts';

// Script: the answers of the model.
export { ScriptedModel } from './scripted-model.ts';
export type { ModelScript, ScriptedCall, ScriptedReply, ScriptedRequest, ScriptedRule } from './scripted-model.ts';

// Predict: time, random numbers and ids.
export { createVirtualClock } from './virtual-clock.ts';
export type { VirtualClock } from './virtual-clock.ts';
export { createSeededRandom } from './seeded-random.ts';
export { createCountingIds } from './counting-ids.ts';
