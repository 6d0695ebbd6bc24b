import { voice } from '@livekit/agents';
import { Room } from '@livekit/rtc-node';
import { expect, it, onTestFinished } from 'vitest';
import type { ConversationFlow } from '../../../src/flow/document/document.ts';
import { createRunner } from '../../../src/runner/flow-runner.ts';
import { createTextSession } from '../../../src/livekit/agent/text-session.ts';
import { ScriptedModel } from '../../../src/testing/scripted-model.ts';

const flow: ConversationFlow = {
  initialNode: 'hello',
  nodes: {
    hello: {
      taskMessages: [{ role: 'system', content: 'Greet.' }],
      functions: [{ name: 'leave', transitionTo: 'bye' }],
    },
    bye: { end: 'done' },
  },
};

/** Whether a room has a handler for LiveKit's remote sessions. LiveKit allows only one. */
function isServed(room: Room): boolean {
  try {
    room.registerByteStreamHandler('lk.agent.session', () => undefined);
  } catch {
    return true;
  }
  room.unregisterByteStreamHandler('lk.agent.session');
  return false;
}

/** A session in a room that is not connected yet. LiveKit registers its handlers before that. */
function inRoom() {
  const session = createTextSession(new ScriptedModel(() => ({ text: 'Yes?' })));
  const room = new Room();
  // LiveKit takes 0.5 s to close it, which the test does not wait for.
  onTestFinished(() => void session.close());
  return { session, room };
}

it('a runner leaves no handler in the room that lets a participant read or control the session', async () => {
  const { session, room } = inRoom();
  const runner = createRunner({ session, flow, onEnd: 'keep' });
  const listened = (): number => session.listenerCount(voice.AgentSessionEventTypes.FunctionToolsExecuted);
  await runner.start({ room, record: false });
  expect(isServed(room)).toBe(false);
  expect(listened()).toBeLessThanOrEqual(1);
  await runner.stop();
});

it('a handler that was open before the runner is closed for the time of the runner', async () => {
  const { session, room } = inRoom();
  await session.start({ agent: new voice.Agent({ instructions: 'A secret.' }), room, record: false });
  expect(isServed(room), 'LiveKit has mended it: src/livekit/guards/remote-session.ts can go').toBe(true);
  const runner = createRunner({ session, flow, onEnd: 'keep' });
  await runner.start();
  expect(isServed(room)).toBe(false);
  await runner.stop();
});

it('a closed handler stays closed after a restart of the session, and one of another runner is not touched', async () => {
  const { session, room } = inRoom();
  const other = inRoom();
  await other.session.start({ agent: new voice.Agent({ instructions: '' }), room: other.room, record: false });
  const runner = createRunner({ session, flow, onEnd: 'keep' });
  await runner.start({ room, record: false });
  await runner.stop();
  await session.close();
  await session.start({ agent: new voice.Agent({ instructions: '' }), room, record: false });
  expect(isServed(room)).toBe(false);
  expect(isServed(other.room)).toBe(true);
});

it('an author may open it', async () => {
  const { session, room } = inRoom();
  const runner = createRunner({ session, flow, onEnd: 'keep', remoteSession: true });
  await runner.start({ room, record: false });
  expect(isServed(room)).toBe(true);
  await runner.stop();
});
