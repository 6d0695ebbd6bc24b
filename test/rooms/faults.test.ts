import { beforeAll, afterAll, describe, expect, test, type TestContext } from 'vitest';
import { deepgramServer, type DeepgramServer } from '../providers/deepgram-server.ts';
import type { Fault } from '../providers/local-server.ts';
import { type ChatAnswer, type ChatRequest, openaiServer, type OpenaiServer } from '../providers/openai-server.ts';
import type { Caller } from './caller.ts';
import { ledgerVariables, readLedger } from './ledger.ts';
import { linesOf, withoutMarked } from './log-lines.ts';
import { isAlive } from './processes.ts';
import { openStage, roomflowWorker } from './stage.ts';

const modelFaults: Readonly<Record<string, Fault | ChatAnswer>> = {
  'a refusal for too many requests': { fault: 'status', status: 429, retryAfter: 1 },
  'an error of its own': { fault: 'status', status: 500 },
  'what is no answer': { fault: 'garbage' },
  'half of a call': { calls: [{ name: 'pay', arguments: '{"amount": 12345.67}' }], cut: true },
  'a silence of ten seconds': { fault: 'stall', ms: 10_000 },
};

/** Each fault happens to the line that names it: to its first synthesis, or to each. */
const voiceFaults: Readonly<Record<string, Fault>> = {
  crowded: { fault: 'status', status: 429, retryAfter: 1 },
  broken: { fault: 'status', status: 500 },
  garbled: { fault: 'garbage' },
  severed: { fault: 'cut' },
  stalling: { fault: 'stall', ms: 10_000 },
};

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
      const fault = how === 'always' || count === 1 ? voiceFaults[kind] : undefined;
      return fault ?? 0.3 + text.length * 0.03;
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

describe.concurrent('a model that answers with', () => {
  test.for(Object.keys(modelFaults))(
    '%s is covered by a line, and the call goes on',
    { timeout: 200_000 },
    async (what, context) => {
      const room = roomFor(what);
      const caller = await greeted(context, room);
      await caller.type(what);
      await caller.until(() => caller.heard().includes('Sorry, say that again?'), 'a line', 60_000);
      await caller.type('Are you there?');
      await caller.until(() => caller.heard().includes('Here I am.'), 'an answer', 60_000);
      expect(caller.agentAttributes()['flow.node']).toBe('desk');
      expect(readLedger(stage.folder).filter(({ session }) => session === room)).toEqual([]);
      const failure = { event: 'effect:settled', effect: 'reply', state: 'failed', node: 'desk' };
      expect(linesOf(stage.worker, room)).toContainEqual(expect.objectContaining(failure));
    },
  );
});

describe.concurrent('a voice that answers with', () => {
  test.for(Object.keys(voiceFaults))(
    '%s speech once is asked once more, and is heard',
    { timeout: 200_000 },
    async (kind, context) => {
      const room = `voice-${kind}`;
      const caller = await greeted(context, room);
      const before = caller.sound().loudSeconds;
      await caller.type(`Say ${kind} once.`);
      const isHeard = (): boolean => caller.heard().includes(`This is ${kind} once.`);
      await caller.until(() => isHeard() && caller.sound().loudSeconds > before + 0.5, 'the line', 60_000);
      expect(troublesOf(room)).toContainEqual(expect.stringMatching(/^tts /));
    },
  );

  test('nothing but silence lets the caller go after two lines, and its process ends', async (context) => {
    const room = 'voice-lost';
    const caller = await greeted(context, room);
    await caller.type('Say stalling always.');
    await caller.until(() => caller.heard().includes('This is stalling always.'), 'the line to be read', 60_000);
    await caller.type('Say stalling always.');
    await caller.until(() => !caller.isAgentThere(), 'the agent to leave', 60_000);
    expect(linesOf(stage.worker, room).at(-1)).toMatchObject({ event: 'flow:ended', reason: 'tts-failed' });
    const pid = Number(linesOf(stage.worker, room).at(-1)?.['pid']);
    await context.expect.poll(() => isAlive(pid), { timeout: 30_000 }).toBe(false);
  }, 200_000);
});

test('ears that are refused let the caller go with a line, and its process ends', async (context) => {
  isDeaf = true;
  const room = 'ears';
  const caller = await stage.call(context, room);
  await caller.until(() => caller.heard().includes('I am sorry, I cannot hear you.'), 'a line', 90_000);
  await caller.until(() => !caller.isAgentThere(), 'the agent to leave', 60_000);
  expect(troublesOf(room)).toEqual(['stt APIStatusError 401']);
  const last = linesOf(stage.worker, room).at(-1);
  expect(last).toMatchObject({ event: 'flow:ended', reason: 'stt-failed' });
  await expect.poll(() => isAlive(Number(last?.['pid'])), { timeout: 30_000 }).toBe(false);
}, 200_000);

test('the log holds no keys, and speech in no field but those that LiveKit marks', () => {
  const log = stage.worker.output();
  for (const key of Object.values(keys)) expect(log).not.toContain(key);
  const open = withoutMarked(stage.worker);
  for (const words of [
    ...Object.keys(modelFaults),
    'Are you there',
    'Here I am',
    'say that again',
    'Hello there',
    '12345.67',
  ])
    expect(open).not.toContain(words);
});

function answerTo(words: string): ChatAnswer | Fault {
  const fault = Object.hasOwn(modelFaults, words) ? modelFaults[words] : undefined;
  if (fault !== undefined) return fault;
  return { text: words.startsWith('Say ') ? `This is ${words.slice('Say '.length)}` : 'Here I am.' };
}

function lastWords(request: ChatRequest): string {
  return request.messages.findLast(({ role }) => role === 'user')?.content ?? '';
}

function roomFor(what: string): string {
  return what.replaceAll(' ', '-');
}

async function greeted(context: TestContext, room: string): Promise<Caller> {
  const caller = await stage.call(context, room);
  await caller.until(() => caller.heard().includes('Hello there.'), 'the greeting', 120_000);
  return caller;
}

/** Which part of a session failed of what, as the log tells it. */
function troublesOf(session: string): readonly string[] {
  const failed = linesOf(stage.worker, session).filter(({ event }) => event === 'response:failed');
  return failed.map(({ stage: part, reason }) => `${String(part)} ${String(reason)}`);
}
