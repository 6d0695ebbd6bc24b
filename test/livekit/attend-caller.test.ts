import { Room } from '@livekit/rtc-node';
import { expect, test } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { attendCaller } from '../../src/livekit/room/attend-caller.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { systemClock } from '../../src/system.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { isAwaiting } from '../../src/engine/session/process-owner.ts';
import { decideFirst } from '../people/clerk-of.ts';
import { until } from './until.ts';

const flow: ConversationFlow = {
  initialNode: 'approve',
  nodes: {
    approve: { type: 'interrupt.escalate', input: { to: 'refunds', question: 'Refund it?', say: 'One moment.' } },
    done: { say: 'It is decided.', end: 'decided' },
  },
  edges: [{ from: 'approve', to: 'done' }],
};

test('a caller who leaves before the conversation begins is waited for like a lost one, and then it ends', async () => {
  const clock = createVirtualClock();
  const told: string[] = [];
  const tell = (what: string) => (): Promise<void> => Promise.resolve(void told.push(what));
  const attendance = attendCaller(
    {
      ...{ send: tell('send'), hush: tell('hush'), recap: tell('recap') },
      ...{ holdNoInput: () => undefined, press: tell('press'), holdInbox: () => void told.push('hold') },
      stop: (reason) => tell(reason)(),
    },
    // An empty room.
    {
      ...{ room: new Room(), caller: 'ada', hasCome: true, clock },
      ...{ graceMs: 30_000, keyPauseMs: 1_000, onError: () => undefined },
    },
  );
  expect(told).toContain('hold');
  await clock.advance(29_999);
  expect(told).not.toContain('caller-left');
  await clock.advance(1);
  expect(told).toContain('caller-left');
  attendance.end();
});

test('a caller who drops out and returns before the conversation begins hears the decisions', async () => {
  const store = createMemoryStore({ clock: systemClock });
  const session = createTextSession(new ScriptedModel(() => ({ text: 'Yes.' })));
  const runner = createRunner({ session, flow, store, sessionId: 's', timeZone: 'UTC' });
  const heard: string[] = [];
  runner.onSpeech((text) => heard.push(text));
  runner.holdInbox();
  await expect(runner.recap()).rejects.toMatchObject({ code: 'not-started' });
  await runner.start();
  await runner.idle();
  // Another call of the caller may take the conversation only while they are away.
  const isLeft = async () => isAwaiting((await store.sessions.list({ limit: 1 }))[0]?.lease?.owner ?? '');
  runner.holdInbox();
  await expect.poll(isLeft).toBe(true);
  await runner.recap();
  await expect.poll(isLeft).toBe(false);
  heard.splice(1);
  expect(await decideFirst(store, systemClock)).toBe('posted');
  await until(() => heard.length > 1, 'the news');
  expect(await runner.ended).toBe('decided');
  expect(heard).toEqual(['One moment.', 'It is decided.']);
});
