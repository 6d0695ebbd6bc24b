import { expect, test } from 'vitest';
import type { ConversationFlow } from '../../../src/flow/document/document.ts';
import { createVirtualClock, settleLiveKit } from '../../../src/testing/virtual-clock.ts';
import { until } from '../until.ts';
import type { RealtimeScript } from './fake-model.ts';
import { realtimeCall } from './rig.ts';

const order: ConversationFlow = {
  initialNode: 'order',
  slots: { size: { type: 'enum', values: ['small', 'large'], ask: 'Which size?' } },
  nodes: { order: { collect: ['size'], defaultTransition: 'bye' }, bye: { say: 'Thank you.', end: 'ordered' } },
};

async function asked(hasMicrophone = true, script: RealtimeScript = () => ({ text: 'Small or large?' })) {
  const clock = createVirtualClock(undefined, settleLiveKit);
  const call = await realtimeCall(order, script, {}, { clock, hasMicrophone });
  await call.hasHeard(1);
  const passes = async (ms: number): Promise<void> => {
    await clock.advance(ms);
    await call.runner.idle();
  };
  return { ...call, clock, passes };
}

test('a silent caller of a realtime model is prompted, and finally the call ends', async () => {
  const { passes, heard, runner, clock } = await asked();
  await passes(8_000);
  expect(heard).toEqual(['Which size?', 'Are you still there? Which size?']);
  await passes(8_000);
  await clock.advance(8_000);
  expect(await runner.ended).toBe('no-input');
  expect(heard).toHaveLength(4);
  await until(() => clock.pending === 0, 'every timer to be gone');
});

test('a speaking caller of a realtime model is not prompted, and gets a minute after asking for a moment', async () => {
  const { passes, heard, hasHeard, model, session } = await asked();
  await passes(7_000);
  model.last.emit('input_speech_started', {});
  expect(session.userState).toBe('speaking');
  await passes(100_000);
  expect(heard).toHaveLength(1);
  model.last.callerSays('One moment, please.');
  await hasHeard(2);
  await passes(59_000);
  expect(heard).toHaveLength(2);
  await passes(1_000);
  expect(heard.slice(2)).toEqual(['Are you still there? Which size?']);
});

test('a caller is prompted if a realtime model asked beside a call and no reply followed', async () => {
  const script: RealtimeScript = () => ({ text: 'Small or large?', calls: [{ name: 'record', args: {} }] });
  const { passes, heard, hasHeard, model, runner } = await asked(true, script);
  model.last.callerSays('whichever is nicer');
  await hasHeard(2);
  await runner.idle();
  await passes(8_000);
  expect(heard.slice(1)).toEqual(['Small or large?', 'Are you still there? Which size?']);
});

test('a caller who types to a realtime model is not prompted', async () => {
  const { passes, heard } = await asked(false);
  await passes(100_000);
  expect(heard).toHaveLength(1);
});
