import { voice } from '@livekit/agents';
import { Room } from '@livekit/rtc-node';
import { AccessToken } from 'livekit-server-sdk';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test, type TestContext } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { silenceLivekit } from '../livekit/call-record.ts';
import { parentsOf } from './processes.ts';
import { sayUntil } from './say-until.ts';
import { greetingMs, hasEars, noEars, openStage, roomflowWorker } from './stage.ts';

const stage = openStage(
  'hostile',
  roomflowWorker('hostile.config.ts', () => (hasEars ? { TEST_EARS: 'offline' } : {})),
);

/** Longer than any answer takes. */
const answerMs = 4_000;
/** Markers from the participant, the prompt, the model and a function. They must not appear in any log. */
const canaries = /zebedee|quill|wombat|xylophone|marmalade|49151|password/i;
const telephone = '+4915112345678';

/** Joins as a participant with LiveKit's own client for agent sessions, as in a browser. */
async function clientOf(context: Pick<TestContext, 'onTestFinished'>, roomName: string, identity: string) {
  silenceLivekit();
  const room = new Room();
  const token = new AccessToken(stage.server.apiKey, stage.server.apiSecret, { identity });
  token.addGrant({ room: roomName, roomJoin: true, canPublish: true, canSubscribe: true, canPublishData: true });
  await room.connect(stage.server.url, await token.toJwt(), { autoSubscribe: true, dynacast: false });
  context.onTestFinished(() => room.disconnect());
  const agent = () => [...room.remoteParticipants.values()].find((one) => one.identity.startsWith('agent-'));
  // The client reads only the linked participant from a session's input and output.
  const io = {
    get linkedParticipant() {
      return agent();
    },
  } as unknown as ConstructorParameters<typeof voice.RoomSessionTransport>[1];
  const remote = new voice.RemoteSession(new voice.RoomSessionTransport(room, io));
  const told: string[] = [];
  for (const event of [
    'conversation_item_added',
    'function_tools_executed',
    'user_input_transcribed',
    'agent_state_changed',
    'session_usage',
  ] as const)
    remote.on(event, () => void told.push(event));
  await remote.start();
  context.onTestFinished(() => remote.close());
  /** Requests everything that a session offers; null if there is no answer. */
  const reach = async (): Promise<readonly (string | null)[]> => {
    const within = (asked: Promise<object>): Promise<string | null> =>
      Promise.race([
        asked.then((answer) =>
          JSON.stringify(answer, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)),
        ),
        wait(answerMs, null),
      ]).catch(() => null);
    return await Promise.all([
      within(remote.fetchAgentInfo()),
      within(remote.fetchChatHistory()),
      within(remote.sendMessage('goodbye')),
    ]);
  };
  return { room, agent, told, reach };
}

test('the process that waits for a call has a recogniser, and the worker does not', async (context) => {
  context.skip(!hasEars, noEars);
  const recognisers = (): string[] => parentsOf(process.pid, 'moonshine-process');
  await context.expect
    .poll(recognisers, { timeout: 60_000, interval: 500 })
    .toEqual([expect.stringContaining('job_proc')]);
}, 120_000);

test('no participant can read the prompt, tools or history of a call or speak as the caller; the log contains none of it', async (context) => {
  const room = 'room-of-zebedee';
  const mallory = await clientOf(context, room, 'mallory');
  const caller = await stage.join(context, room, 'zebedee');
  const hostileCaller = mallory; // This one joined first and is not the linked participant.
  await stage.dispatchTo('hostile', room, { sessionId: telephone, participant: 'zebedee' });
  await caller.until(() => caller.heard().includes('Welcome'), 'the greeting', greetingMs);
  await context.expect.poll(() => mallory.agent() !== undefined, { timeout: 120_000 }).toBe(true);
  expect(await hostileCaller.reach()).toEqual([null, null, null]);
  await caller.type('Please look it up.');
  await caller.type('I like marmalade.');
  await caller.until(() => caller.heard().includes('marmalade'), 'an answer', 60_000);
  if (hasEars) {
    const isAnswered = (): boolean => /heard.*password/is.test(caller.heard());
    await sayUntil(caller, 'I forgot my password.', isAnswered, 'The wombat heard');
  }
  expect(caller.heard()).not.toContain('Goodbye');
  expect(mallory.told).toEqual([]);
  // The agent's state is LiveKit's own attribute. No others are present.
  expect(Object.keys(mallory.agent()?.attributes ?? {}).filter((name) => name.startsWith('flow.'))).toEqual([]);
  await caller.type('goodbye');
  await caller.until(() => !caller.isAgentThere(), 'the agent to leave', 60_000);

  const log = stage.worker.output();
  expect(log).toMatch(/"sessionId":"tel-[0-9a-f]{12}","event":"flow:ended"/);
  expect(log.split('\n').filter((line) => canaries.test(line))).toEqual([]);
  expect(log.split('\n').filter((line) => /"(?:code|reason|error|err)":"Error"/.test(line))).toEqual([]);
}, 300_000);

test('the linked participant cannot either', async (context) => {
  const room = 'hostile-caller';
  const mallory = await clientOf(context, room, 'mallory');
  await stage.dispatchTo('hostile', room, { sessionId: room, participant: 'mallory' });
  await context.expect
    .poll(() => mallory.agent()?.attributes['lk.agent.state'], { timeout: greetingMs })
    .toBe('listening');
  expect(await mallory.reach()).toEqual([null, null, null]);
  expect(mallory.told).toEqual([]);
}, 300_000);

const flow: ConversationFlow = {
  initialNode: 'hello',
  nodes: {
    hello: {
      say: 'Hello.',
      taskMessages: [{ role: 'system', content: 'The password is xylophone.' }],
      functions: [{ name: 'leave', transitionTo: 'bye' }],
    },
    bye: { say: 'Goodbye.', end: 'done' },
  },
};

test.each([[false], [true]])(
  'a runner on an author’s session: a client of the room gets everything only if the author allows it (%s)',
  async (isOpen) => {
    const roomName = `own-${isOpen}`;
    const mallory = await clientOf({ onTestFinished }, roomName, 'mallory');
    const session = createTextSession(new ScriptedModel(() => ({ calls: [{ name: 'leave' }] })));
    const room = new Room();
    const token = new AccessToken(stage.server.apiKey, stage.server.apiSecret, { identity: 'agent-own' });
    token.addGrant({ room: roomName, roomJoin: true, canPublishData: true, canUpdateOwnMetadata: true });
    await room.connect(stage.server.url, await token.toJwt(), { autoSubscribe: true, dynacast: false });
    const runner = createRunner({ session, flow, onEnd: 'keep', ...(isOpen ? { remoteSession: true } : {}) });
    onTestFinished(async () => {
      await runner.stop();
      await session.close();
      await room.disconnect();
    });
    await runner.start({ room, record: false });
    const [info, history, answer = null] = await mallory.reach();
    if (isOpen) {
      expect(info).toContain('xylophone');
      expect(history).toContain('items');
      expect(mallory.told).toContain('conversation_item_added');
    } else {
      expect([info, history, answer]).toEqual([null, null, null]);
      expect(mallory.told).toEqual([]);
      expect(runner.currentNode).toBe('hello');
    }
  },
  120_000,
);
