import { expect, test } from 'vitest';
import type { ConversationFlow } from '../../../src/flow/document/document.ts';
import { createMemoryStore } from '../../../src/store/memory/store.ts';
import { recordSession } from '../../../src/flowtest/record/record-session.ts';
import { createVirtualClock, settleLiveKit } from '../../../src/testing/virtual-clock.ts';
import { voiceCall } from './voice-rig.ts';

const order: ConversationFlow = {
  initialNode: 'order',
  slots: { size: { type: 'enum', values: ['small', 'large'], ask: 'Which size?' } },
  nodes: { order: { collect: ['size'], defaultTransition: 'bye' }, bye: { say: 'Thank you.', end: 'ordered' } },
};

test('a recorded silence keeps its length even if the flow was changed during it', async () => {
  const clock = createVirtualClock(undefined, settleLiveKit);
  const store = createMemoryStore({ clock });
  const script = { '*': [{ text: 'Small or large?' }] };
  const call = await voiceCall(order, script, { preemptive: false, clock, store, sessionId: 'call' });
  await call.hasHeard(1);
  await clock.advance(500);
  const thanks = { ...order.nodes, bye: { say: 'Thanks.', end: 'ordered' } };
  expect(await call.runner.reviseFlow({ ...order, nodes: thanks })).toBe('revised');
  await clock.advance(7_500);
  await call.runner.idle();
  expect(call.heard).toEqual(['Which size?', 'Are you still there? Which size?']);
  await call.runner.stop('quit');

  const { scenario } = await recordSession(store, 'call');
  expect(scenario.turns).toEqual([{ silence: 8_000 }]);
});
