import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { replyStream } from '../../src/livekit/model/reply-stream.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import type { ModelScript, ScriptedCall } from '../../src/testing/scripted-model.ts';
import { createVirtualClock, settleLiveKit } from '../../src/testing/virtual-clock.ts';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { type InferenceEvent, inferWithin } from '../../src/engine/reply/inference.ts';
import { systemClock } from '../../src/system.ts';
import { live } from './live.ts';

const n = { type: 'object', properties: { n: { type: 'integer' } } } as const;
const desk: ConversationFlow = {
  initialNode: 'desk',
  nodes: {
    desk: {
      say: 'What shall I book?',
      functions: [
        { name: 'book', effect: 'write', parameters: n },
        { name: 'pay', effect: 'write', confirm: 'Shall I pay?', parameters: n },
        { name: 'look', parameters: n },
      ],
    },
  },
};

/** A desk whose functions record their calls. */
async function atDesk(script: ModelScript, result: (name: string) => unknown = () => 'ok', options = {}) {
  const done: string[] = [];
  const tools = ['book', 'pay', 'look'].map((name) =>
    flowTool({
      name,
      description: name,
      parameters: z.looseObject({}),
      execute: (args) => {
        done.push(`${name} ${JSON.stringify(args)}`);
        return result(name);
      },
    }),
  );
  return { done, ...(await live(desk, script, { tools, ...options })) };
}
const calls = (name: string, count: number, numberOf = (index: number) => index): ScriptedCall[] =>
  Array.from({ length: count }, (_, index) => ({ name, arguments: { n: numberOf(index) } }));
/** Calls a function once, then says that it is done. */
const calling =
  (made: readonly ScriptedCall[]): ModelScript =>
  ({ afterTool }) =>
    afterTool === '' ? { calls: made } : { text: 'That is done.' };
const lastOutputs = (items: readonly string[] = []): readonly string[] =>
  items.filter((item) => item.startsWith('output'));

describe('the calls of a turn', () => {
  test('a thousand writes in one completion: eight run, and the model reads why the others did not', async () => {
    const { runner, done, model, heard } = await atDesk(calling(calls('book', 1_000)));
    await runner.send('book everything');
    expect(done).toHaveLength(8);
    expect(lastOutputs(model.requests.at(-1)?.items).filter((item) => /At most 8/.test(item))).toHaveLength(992);
    expect(heard.at(-1)).toMatch(/That is done/);
  });

  test('run up to the author’s limit', async () => {
    const { runner, done } = await atDesk(calling(calls('book', 12)), undefined, { limits: { callsPerReply: 10 } });
    await runner.send('book everything');
    expect(done).toHaveLength(10);
  });

  test('run up to twenty in all completions, and the caller gets an answer', async () => {
    let next = 0;
    const endless: ModelScript = () => ({ calls: calls('book', 4, () => (next += 1)) });
    const { runner, done, heard } = await atDesk(endless);
    await runner.send('go on booking');
    expect(done).toHaveLength(20);
    expect(heard.at(-1)).not.toBe('');
    await runner.send('go on booking');
    expect(done).toHaveLength(40);
  });

  test('an equal write runs once, and its repetition gets the result', async () => {
    const { runner, done, model } = await atDesk(calling(calls('book', 3, () => 7)), () => ({ id: 4711 }));
    await runner.send('book it');
    expect(done).toEqual(['book {"n":7}']);
    expect(lastOutputs(model.requests.at(-1)?.items)).toEqual(Array(3).fill('output: book {"id":4711}'));
  });

  test('this includes the next completion, until the caller has spoken', async () => {
    let asked = 0;
    const again: ModelScript = () =>
      (asked += 1) % 3 === 0 ? { text: 'Done.' } : { calls: calls('book', 1, () => 7) };
    const { runner, done } = await atDesk(again);
    await runner.send('book it');
    expect(done).toHaveLength(1);
    await runner.send('and the same again');
    expect(done).toHaveLength(2);
  });

  test('a write that failed may be tried again', async () => {
    let asked = 0;
    const again: ModelScript = () => ((asked += 1) < 3 ? { calls: calls('book', 1, () => 7) } : { text: 'Done.' });
    const { runner, done } = await atDesk(again, () => {
      if (asked === 1) throw new Error('out of order');
      return 'ok';
    });
    await runner.send('book it');
    expect(done).toHaveLength(2);
  });

  test('a doubled request is confirmed once', async () => {
    const { runner, done } = await atDesk(calling(calls('pay', 2, () => 7)));
    await runner.send('pay it');
    await runner.send('yes');
    await runner.send('yes');
    expect(done).toEqual(['pay {"n":7}']);
  });
});

describe('arguments and results', () => {
  test('arguments 20,000 deep are refused, and the call goes on', async () => {
    const deep = `{"n":1,"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    const { runner, done, model, heard } = await atDesk(calling([{ name: 'look', rawArguments: deep }]));
    await runner.send('look');
    expect(done).toEqual([]);
    expect(lastOutputs(model.requests.at(-1)?.items)[0]).toMatch(/nested too deep/);
    expect(runner.state.status).toBe('active');
    expect(heard.at(-1)).toMatch(/That is done/);
  });

  test('a megabyte of arguments is refused', async () => {
    const long = JSON.stringify({ n: 1, x: 'y'.repeat(1_000_000) });
    const { runner, done, model } = await atDesk(calling([{ name: 'look', rawArguments: long }]));
    await runner.send('look');
    expect(done).toEqual([]);
    expect(lastOutputs(model.requests.at(-1)?.items)[0]).toMatch(/too long/);
  });

  test('a duplicate key in a write’s arguments is refused, and in a read’s it is not', async () => {
    const twice = '{"n":1,"\\u006e":5000}';
    const { runner, done, model } = await atDesk(
      calling([
        { name: 'book', rawArguments: twice },
        { name: 'look', rawArguments: twice },
      ]),
    );
    await runner.send('book');
    expect(done).toEqual(['look {"n":5000}']);
    expect(lastOutputs(model.requests.at(-1)?.items)[0]).toMatch(/name "n" twice/);
  });

  test('a result of 20 MB is cut, and the model is told', async () => {
    const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, text: 'x'.repeat(1_000) }));
    const { runner, model } = await atDesk(calling(calls('look', 1)), () => ({ total: 20_000, rows }));
    await runner.send('look');
    const [output = ''] = lastOutputs(model.requests.at(-1)?.items);
    expect(output.length).toBeLessThan(70_000);
    expect(output).toMatch(/^output: look \{"total":20000,"rows":\[\{"id":0/);
    expect(output).toMatch(/too long \(2\d{7} bytes\) and was cut/);
    expect(JSON.stringify(runner.state).length).toBeLessThan(70_000);
  });
});

describe('the caller’s words', () => {
  test('are taken up to the limit, and the model gets no more of them', async () => {
    const { runner, model } = await atDesk({ '*': [{ text: 'I see.' }] });
    await runner.send('x'.repeat(10_000_000));
    expect(model.requests.at(-1)?.userText).toHaveLength(20_000);
  });
});

describe('one reply', () => {
  const limits = { replyMs: 60_000, replyCharacters: 4_000 };
  /** A model that streams a chunk every few milliseconds without end, and the caller's received text. */
  const endless = async (chunk: string, everyMs: number, first = '') => {
    const clock = createVirtualClock();
    const began = clock.now();
    const events: InferenceEvent<string>[] = [];
    let isStopped = false;
    async function* stream(): AsyncGenerator<string> {
      if (first !== '') yield first;
      while (!isStopped) {
        await new Promise<void>((resolve) => void clock.schedule(everyMs, resolve));
        yield chunk;
      }
    }
    const reply = inferWithin<string>({
      clock,
      open: (cancelled) => {
        cancelled.onCancel(() => (isStopped = true));
        return stream();
      },
      read: (text) => ({ text, calls: [] }),
      timeoutMs: 4_000,
      limits,
      fillerAfterMs: null,
      isWanted: () => true,
      isSilenceMeant: () => false,
      take: (event) => {
        events.push(event);
        return true;
      },
    });
    let isOver = false;
    void reply.then(() => (isOver = true));
    await clock.runUntil(() => isOver, 120_000);
    const text = events.map((event) => (event.type === 'chunk' ? event.content.text : '')).join('');
    return { events, text, tookMs: clock.now() - began, isStopped };
  };

  test('of endless white space counts as silence after its time limit', async () => {
    const { events, tookMs, isStopped } = await endless(' \n', 20);
    expect(events.at(-1)).toEqual({ type: 'failed', reason: 'late' });
    expect(tookMs).toBe(4_000);
    expect(isStopped).toBe(true);
  });

  test('that ends in endless white space is cut', async () => {
    const { events, tookMs } = await endless(' ', 20, 'Well.');
    expect(events.at(-1)).toEqual({ type: 'cut' });
    expect(tookMs).toBe(4_000);
  });

  test('of endless words is cut after a minute', async () => {
    const { events, tookMs } = await endless('word ', 300);
    expect(events.at(-1)).toEqual({ type: 'cut' });
    expect(tookMs).toBe(60_000);
  });

  test('is cut after 4,000 characters, at any speed', async () => {
    const { events, text, tookMs } = await endless('words ', 1);
    expect(events.at(-1)).toEqual({ type: 'cut' });
    expect(text.length).toBeLessThan(4_010);
    expect(tookMs).toBeLessThan(1_000);
  });
});

test('a line of 60,000 words is sent in pieces without blocking', async () => {
  const line = `${'word '.repeat(60_000)}What now?`;
  const pieces: string[] = [];
  const stream = replyStream({
    perform: async (give) => void (await give({ type: 'line', key: 'k', text: line })),
    utterance: () => ({ add: () => undefined, say: () => undefined }),
    mayBeHeard: () => true,
    onError: () => undefined,
    onCancel: () => undefined,
    clock: createVirtualClock(),
  });
  for await (const piece of stream) if (typeof piece === 'string') pieces.push(piece);
  expect(pieces.join('')).toBe(line);
  // Node's stream queue slows down with its length.
  expect(pieces.length).toBeLessThanOrEqual(500);
});

describe('the limits of a conversation', () => {
  const talk: ConversationFlow = {
    initialNode: 'talk',
    nodes: { talk: { say: 'How can I help?', taskMessages: [{ role: 'system', content: 'Help.' }] } },
  };
  const farewell = 'I am sorry, I have to end this conversation here. Goodbye.';

  test('a conversation that is too long ends after a line', async () => {
    const clock = createVirtualClock(undefined, settleLiveKit);
    const options = { clock, limits: { conversationMs: 60_000 }, waitForGreeting: false };
    const { runner, heard, events } = await live(talk, () => ({ text: 'I see.' }), options);
    await clock.advance(59_000);
    expect(runner.state.status).toBe('active');
    await clock.advance(2_000);
    expect(await runner.ended).toBe('too_long');
    expect(heard).toEqual(['How can I help?', farewell]);
    expect(events).toContainEqual({ type: 'limit:reached', data: { limit: 'time' } });
  });

  test('a conversation that costs too much ends after the turn that reaches the limit, and earlier processes count', async () => {
    const costly = () => ({ text: 'I see.', tokens: { input: 1_000, output: 0 } });
    const store = createMemoryStore({ clock: systemClock });
    const options = {
      store,
      sessionId: 's',
      limits: { conversationCost: 2.5 },
      prices: { '*': { input: 1_000, output: 0 } },
    };
    const first = await live(talk, costly, options);
    await first.runner.send('One.');
    await first.runner.send('Two.');
    expect(first.runner.state.status).toBe('active');
    await first.runner.detach();
    const next = await live(talk, costly, options);
    await next.runner.send('Three.');
    expect(await next.runner.ended).toBe('too_expensive');
    expect(next.heard.at(-1)).toBe(farewell);
  });

  test('a person who talks to the caller is not cut off', async () => {
    const clock = createVirtualClock(undefined, settleLiveKit);
    const store = createMemoryStore({ clock });
    const entry = { sessionId: 's', dueAt: 0, reach: 'wait', correlation: {}, actor: { id: 'ada' } } as const;
    const options = { clock, store, sessionId: 's', limits: { conversationMs: 60_000 }, waitForGreeting: false };
    const { runner } = await live(talk, () => ({ text: 'I see.' }), options);
    await store.inbox.post([{ ...entry, key: 'over', signal: { type: 'takeover:started' } }]);
    await clock.advance(120_000);
    expect([runner.state.status, runner.state.people.takeover !== null]).toEqual(['active', true]);
    await store.inbox.post([{ ...entry, key: 'back', signal: { type: 'takeover:ended' } }]);
    await clock.advance(30_000);
    expect(await runner.ended).toBe('too_long');
  });
});
