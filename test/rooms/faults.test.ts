import { Room } from '@livekit/rtc-node';
import { AccessToken } from 'livekit-server-sdk';
import { beforeAll, afterAll, describe, expect, test, type TestContext } from 'vitest';
import { guardLastWords } from '../../src/livekit/guards/last-words.ts';
import { deepgramServer, type DeepgramServer } from '../providers/deepgram-server.ts';
import type { Fault } from '../providers/local-server.ts';
import { providerFaults } from '../providers/provider-faults.ts';
import { type ChatAnswer, type ChatRequest, openaiServer, type OpenaiServer } from '../providers/openai-server.ts';
import type { Caller } from './caller.ts';
import { ledgerVariables, readLedger } from './ledger.ts';
import { linesOf, withoutMarked } from './log-lines.ts';
import { isAlive } from './processes.ts';
import { greetingMs, openStage, roomflowWorker } from './stage.ts';

/** The model's stream breaks in the middle of a call. */
const halfOfACall: ChatAnswer = { calls: [{ name: 'pay', arguments: '{"amount": 12345.67}' }], cut: true };
const keys = { OPENAI_API_KEY: 'sk-nobody-may-see-this', DEEPGRAM_API_KEY: 'dg-nobody-may-see-this' };
let openai: OpenaiServer;
let deepgram: DeepgramServer;
let isDeaf = false;

beforeAll(async () => {
  const spoken = new Map<string, number>();
  openai = await openaiServer({
    chat: (request) => answerTo(lastWords(request)),
    speech(text) {
      const [, kind = '', how = ''] = /(\w+) (once|always)/.exec(text) ?? [];
      const count = (spoken.get(text) ?? 0) + 1;
      spoken.set(text, count);
      return (how === 'always' || count === 1 ? faultOf(kind) : null) ?? 0.3 + text.length * 0.03;
    },
  });
  deepgram = await deepgramServer({
    listenFault: () => (isDeaf ? { fault: 'status', status: 401 } : undefined),
  });
});

afterAll(() => Promise.all([openai.close(), deepgram.close()]));

const stage = openStage(
  'faults',
  roomflowWorker('faults.config.ts', (its) => ({
    ...ledgerVariables(its),
    ...keys,
    OPENAI_BASE_URL: openai.url,
    DEEPGRAM_BASE_URL: deepgram.origin,
  })),
);

// `test/providers/faults.test.ts` covers every kind of fault without a room.
describe.concurrent('providers', () => {
  test('that break off: a line covers the model, the voice is retried and heard, and the call continues', async (context) => {
    await goOnThrough(context, 'severed');
  }, 240_000);

  test('that stall are covered too; a silent voice ends the call after two lines, and the process ends', async (context) => {
    const { room, caller } = await goOnThrough(context, 'stalling');
    await caller.type('Say stalling always.');
    await caller.until(() => caller.heard().includes('This is stalling always.'), 'the line to be read', 60_000);
    await caller.type('Say stalling always.');
    await caller.until(() => !caller.isAgentThere(), 'the agent to leave', 60_000);
    // Requests to the voice that are still open may fail afterwards.
    const ended = linesOf(stage.worker, room).find(({ event }) => event === 'flow:ended');
    expect(ended).toMatchObject({ reason: 'tts-failed' });
    const pid = Number(ended?.['pid']);
    await context.expect.poll(() => isAlive(pid), { timeout: 120_000 }).toBe(false);
  }, 300_000);
});

test('a recogniser that refuses the connection ends the call with a line, and the process ends', async (context) => {
  isDeaf = true;
  const room = 'ears';
  const caller = await stage.call(context, room);
  await caller.until(() => caller.heard().includes('I am sorry, I cannot hear you.'), 'a line', greetingMs);
  await caller.until(() => !caller.isAgentThere(), 'the agent to leave', 60_000);
  expect(troublesOf(room)).toEqual(['stt APIStatusError 401']);
  const last = linesOf(stage.worker, room).at(-1);
  expect(last).toMatchObject({ event: 'flow:ended', reason: 'stt-failed' });
  await expect.poll(() => isAlive(Number(last?.['pid'])), { timeout: 120_000 }).toBe(false);
}, 200_000);

test('the last words of an agent that leaves at once arrive, which LiveKit itself often loses', async (context) => {
  const { url, apiKey, apiSecret } = stage.server;
  const heard = async (room: string): Promise<string> => {
    const caller = await stage.join(context, room);
    const identity = `agent-${room}`;
    const token = new AccessToken(apiKey, apiSecret, { identity });
    token.addGrant({ room, roomJoin: true, canPublish: true, canPublishData: true });
    const agent = new Room();
    await agent.connect(url, await token.toJwt(), { autoSubscribe: true, dynacast: false });
    guardLastWords(agent);
    const me = agent.localParticipant;
    if (me === undefined) throw new Error('The room did not admit the agent.');
    const text = await me.streamText({ topic: 'lk.transcription', senderIdentity: identity });
    await text.write('It is');
    await caller.until(() => caller.hearing() === 'It is', 'the first words');
    await text.write(' approved.');
    text.close().catch(() => undefined);
    await agent.disconnect();
    await caller.until(() => !caller.isAgentThere(), 'the agent to leave');
    return `${caller.heard()}${caller.hearing()}`;
  };
  const rooms = Array.from({ length: 8 }, (_, index) => `last-${index}`);
  expect(await Promise.all(rooms.map(heard))).toEqual(rooms.map(() => 'It is approved.'));
}, 120_000);

test('the log contains no keys, and speech only in the fields that LiveKit marks', () => {
  const log = stage.worker.output();
  for (const key of Object.values(keys)) expect(log).not.toContain(key);
  const open = withoutMarked(stage.worker);
  for (const words of [
    'The model is',
    'This is',
    'Are you there',
    'Here I am',
    'say that again',
    'Hello there',
    '12345.67',
  ])
    expect(open).not.toContain(words);
});

function answerTo(words: string): ChatAnswer | Fault {
  const kind = /^The model is (\w+)\.$/.exec(words)?.[1] ?? '';
  const fault = kind === 'severed' ? halfOfACall : faultOf(kind);
  if (fault !== null) return fault;
  return { text: words.startsWith('Say ') ? `This is ${words.slice('Say '.length)}` : 'Here I am.' };
}

function faultOf(kind: string): Fault | null {
  return Object.entries(providerFaults).find(([name]) => name === kind)?.[1] ?? null;
}

function lastWords(request: ChatRequest): string {
  return request.messages.findLast(({ role }) => role === 'user')?.content ?? '';
}

/** A call in which the model fails and recovers, and then the voice does. */
async function goOnThrough(
  context: TestContext,
  kind: keyof typeof providerFaults,
): Promise<{ readonly room: string; readonly caller: Caller }> {
  const room = `call-${kind}`;
  const caller = await stage.call(context, room);
  await caller.until(() => caller.heard().includes('Hello there.'), 'the greeting', greetingMs);
  await caller.type(`The model is ${kind}.`);
  await caller.until(() => caller.heard().includes('Sorry, say that again?'), 'a line', 60_000);
  await caller.type('Are you there?');
  await caller.until(() => caller.heard().includes('Here I am.'), 'an answer', 60_000);
  expect(caller.agentAttributes()['flow.node']).toBe('desk');
  expect(readLedger(stage.folder).filter(({ session }) => session === room)).toEqual([]);
  const failure = { event: 'effect:settled', effect: 'reply', state: 'failed', node: 'desk' };
  expect(linesOf(stage.worker, room)).toContainEqual(expect.objectContaining(failure));

  const before = caller.sound().loudSeconds;
  await caller.type(`Say ${kind} once.`);
  const isHeard = (): boolean => caller.heard().includes(`This is ${kind} once.`);
  await caller.until(() => isHeard() && caller.sound().loudSeconds > before + 0.5, 'the line', 60_000);
  expect(troublesOf(room)).toContainEqual(expect.stringMatching(/^tts /));
  return { room, caller };
}

/** Returns the failed parts of a session with their reasons, from the log. */
function troublesOf(session: string): readonly string[] {
  const failed = linesOf(stage.worker, session).filter(({ event }) => event === 'response:failed');
  return failed.map(({ stage: part, reason }) => `${String(part)} ${String(reason)}`);
}
