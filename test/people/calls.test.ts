import { type llm, voice } from '@livekit/agents';
import { expect, test } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { createWaitRegistry } from '../../src/store/wait-registry.ts';
import { FlowError } from '../../src/model/errors.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import type { CallNote, OutgoingCall, PlaceCall } from '../../src/people/calls/call-out.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { until } from '../livekit/until.ts';
import { clerkOf } from './clerk-of.ts';

const flow: ConversationFlow = {
  initialNode: 'approve',
  nodes: {
    approve: {
      type: 'interrupt.escalate',
      input: { to: 'refunds', question: 'Refund it?', options: ['approve', 'reject'], reach: 'call' },
      defaultTransition: 'done',
    },
    done: { say: 'It is decided.', end: 'decided' },
  },
};

/** A caller who hung up during a wait, and clerks that may call them; `null` cannot. */
async function hungUp(...placing: (PlaceCall | null)[]) {
  const clock = createVirtualClock();
  const store = createMemoryStore({ clock });
  const notes: CallNote[] = [];
  const answer = async () => {
    const heard: string[] = [];
    const session = createTextSession(new ScriptedModel(() => ({ text: 'Yes.' })));
    const runner = createRunner({ session, flow, store, sessionId: 's', clock, timeZone: 'UTC' });
    runner.onSpeech((text) => heard.push(text));
    await runner.start();
    await runner.idle();
    return { runner, heard };
  };
  const { runner } = await answer();
  await runner.leave();
  const key = (await store.effects.listOpen({ kind: 'wait', limit: 1 }))[0]?.effect.key ?? '';
  const clerks = placing.map((placeCall) =>
    clerkOf({
      ...{ config: { calls: { attempts: 2, every: '5m' } }, flow, store, clock, placeCall },
      onCall: (note) => notes.push(note),
      onFailed: ({ reason }) => notes.push({ event: 'call:not-placed', sessionId: 's', attempt: 0, reason }),
    }),
  );
  for (const clerk of clerks) await clerk.start();
  await createWaitRegistry(store, 'ada').resolve(key, { decision: 'approve' });
  const stop = async (): Promise<void> => {
    for (const clerk of clerks) await clerk.stop();
  };
  const entries = async () =>
    (await store.inbox.list({ limit: 9 })).map(({ entry, state, reason }) => ({
      type: entry.signal.type,
      state,
      reason,
    }));
  return { clock, store, notes, answer, stop, entries };
}

test('a caller who is not reached is called again later, and in the end reported to people; the message stays', async () => {
  const placed: OutgoingCall[] = [];
  const { clock, notes, answer, stop, entries } = await hungUp((call) => Promise.resolve(void placed.push(call)));
  await until(() => placed.length === 1, 'the first call');
  await clock.advance(299_000);
  expect(placed).toHaveLength(1);
  await clock.advance(2_000);
  await until(() => placed.length === 2, 'the second call');
  await clock.advance(301_000);
  await until(() => notes.length === 3, 'the calls to be given up');
  expect(notes.map(({ event, attempt }) => [event, attempt])).toEqual([
    ['call:placed', 1],
    ['call:placed', 2],
    ['call:unanswered', 2],
  ]);
  await stop();
  expect(await entries()).toEqual([{ type: 'call:due', state: 'dead', reason: 'nobody-answers' }]);
  expect((await answer()).heard).toEqual(['Hello again. It is decided.']);
});

test('a caller who calls first is not called back', async () => {
  const placed: OutgoingCall[] = [];
  const { clock, answer, stop, entries } = await hungUp((call) => Promise.resolve(void placed.push(call)));
  await until(() => placed.length === 1, 'the call');
  const { runner } = await answer();
  expect(await runner.ended).toBe('decided');
  await clock.advance(301_000);
  await stop();
  expect(placed).toHaveLength(1);
  expect(await entries()).toEqual([]);
});

test('a process that cannot place calls leaves them to another process', async () => {
  const placed: OutgoingCall[] = [];
  const unable = await hungUp(null);
  await until(() => unable.store.transactions > 0, 'it to be taken');
  await unable.clock.advance(100);
  await unable.stop();
  const able = clerkOf({
    ...{ flow, store: unable.store, clock: unable.clock },
    placeCall: (call) => Promise.resolve(void placed.push(call)),
  });
  await able.start();
  await unable.clock.advance(2_000);
  await until(() => placed.length === 1, 'the call');
  await able.stop();
});

test('if no process can place calls, this is reported, and the message waits for the next call', async () => {
  const { clock, notes, answer, stop, entries } = await hungUp(null);
  for (let second = 0; second < 10; second += 1) await clock.advance(1_000);
  await until(() => notes.length === 1, 'it to be told');
  expect(notes).toEqual([{ event: 'call:not-placed', sessionId: 's', attempt: 4, reason: 'nobody-calls' }]);
  await stop();
  expect(await entries()).toEqual([]);
  expect((await answer()).heard).toEqual(['Hello again. It is decided.']);
});

test('a caller without a number is reported and not called again, and a failed line is retried', async () => {
  const unknown = await hungUp(() => Promise.reject(new FlowError('callee-unknown', 'nobody knows the number.')));
  await until(() => unknown.notes.length === 1, 'it to be told');
  await unknown.stop();
  expect(unknown.notes[0]).toMatchObject({ event: 'call:not-placed', reason: 'callee-unknown' });
  expect(await unknown.entries()).toEqual([]);

  let tries = 0;
  const failing = await hungUp(() => {
    tries += 1;
    return tries === 1 ? Promise.reject(new FlowError('call-failed', 'SIP 503.')) : Promise.resolve();
  });
  await until(() => failing.notes.length === 1, 'the failure to be told');
  await failing.clock.advance(1_100);
  await until(() => tries === 2, 'another try');
  await failing.stop();
  expect(failing.notes.map(({ event, reason }) => [event, reason])).toEqual([
    ['call:not-placed', 'call-failed'],
    ['call:placed', undefined],
  ]);
});

test('a call that reached a voicemail is repeated later, as another conversation under another key', async () => {
  const clock = createVirtualClock();
  const store = createMemoryStore({ clock });
  const called: ConversationFlow = {
    initialNode: 'hello',
    callee: { voicemail: 'Please call us back.', again: { after: '10s', times: 1 } },
    nodes: { hello: { say: 'Good morning.', end: 'reached' } },
  };
  /** A voicemail answers and hangs up. */
  const answer = async ({ sessionId, input, correlation }: Omit<OutgoingCall, 'flow'>) => {
    const session = createTextSession(new ScriptedModel(() => ({ text: 'Yes.' })));
    const options = { session, flow: called, store, sessionId, input, correlation, clock, timeZone: 'UTC' };
    const runner = createRunner({ ...options, called: { flow: 'recall' } });
    await runner.start();
    await runner.send('Please leave a message after the tone.');
    await runner.idle();
    await runner.stop('caller-left');
    return runner.outcome?.name;
  };
  const call = {
    sessionId: 'ada',
    input: { contact: { to: '+4930123' } },
    correlation: { recipientUserExternalId: 'a1' },
  };
  expect(await answer(call)).toBe('voicemail');

  const placed: OutgoingCall[] = [];
  const clerk = clerkOf({
    ...{ config: { calls: {} }, flow: called, store, clock },
    placeCall: (again) => Promise.resolve(void placed.push(again)),
  });
  await clerk.start();
  await clock.advance(9_000);
  expect(placed).toEqual([]);
  await clock.advance(2_000);
  await until(() => placed.length === 1, 'the second call');
  await clerk.stop();
  const again = { ...call, sessionId: 'ada~2', correlation: { ...call.correlation, callAttempt: 2 } };
  expect(placed).toEqual([{ ...again, flow: 'recall' }]);

  expect(await answer(again)).toBe('voicemail');
  expect(await store.inbox.list({ limit: 9, sessionId: 'ada~3' })).toEqual([]);
});

test('a verdict of LiveKit’s detection decides where words are uncertain', async () => {
  const clock = createVirtualClock();
  const session = createTextSession(new ScriptedModel(() => ({ text: 'Yes.' })));
  const amd = new voice.AMD(session, { llm: session.llm as llm.LLM, suppressCompatibilityWarning: true });
  const flow = { initialNode: 'a', callee: {}, nodes: { a: { say: 'Good morning.', end: 'reached' } } };
  const store = createMemoryStore({ clock });
  const options = { session, flow, store, sessionId: 's', clock, timeZone: 'UTC' };
  const runner = createRunner({ ...options, called: { flow: 'recall' } });
  await runner.start();
  // LiveKit's order: the detection begins after the session, and its verdict follows the speech.
  session._setAmd(amd);
  const heard = { type: 'user_state_changed', oldState: 'listening', newState: 'speaking', createdAt: 0 } as const;
  session.emit(voice.AgentSessionEventTypes.UserStateChanged, heard);
  amd.emit('amd_prediction', {
    ...{
      type: 'amd_prediction',
      category: voice.AMDCategory.MACHINE_VM,
      isMachine: true,
      reason: 'llm',
      transcript: '',
    },
    ...{ rawResponse: '', speechDurationMs: 4_000, delayMs: 0 },
  });
  await runner.send('It is Ben up in the mountains and back on Sunday evening or so');
  expect(runner.state.people.callee?.who).toBe('voicemail');
  await runner.stop('caller-left');
  expect(runner.outcome?.name).toBe('voicemail');
});
