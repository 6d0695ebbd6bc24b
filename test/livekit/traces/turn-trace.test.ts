import { describe, expect, it } from 'vitest';
import type { TurnTrace } from '../../../src/model/events/turn-trace.ts';
import type { ConversationFlow } from '../../../src/flow/document/document.ts';
import { createMemoryStore } from '../../../src/store/memory/store.ts';
import { createRunner } from '../../../src/runner/flow-runner.ts';
import { createTextSession } from '../../../src/livekit/agent/text-session.ts';
import { systemClock } from '../../../src/system.ts';
import { ScriptedModel } from '../../../src/testing/scripted-model.ts';
import { simulateRoom } from '../../../src/testing/simulate-room.ts';
import { live } from '../live.ts';
import { realtimeCall } from '../realtime/rig.ts';
import { until } from '../until.ts';
import { voiceCall } from '../speech/voice-rig.ts';
import { barsOf, turnsIn } from './turns.ts';

const desk: ConversationFlow = {
  initialNode: 'ask',
  nodes: {
    ask: {
      say: 'Which day?',
      functions: [{ name: 'book', description: 'Book a day.', transitionTo: 'booked' }],
    },
    booked: { taskMessages: [{ role: 'system', content: 'Tell the day.' }] },
  },
};

const script = {
  ask: [{ calls: [{ name: 'book' }], delayMs: 300, tokens: { input: 800, output: 20, cached: 600 } }],
  booked: [{ text: 'It is booked.', delayMs: 200, tokens: { input: 900, output: 5 } }],
};

describe('a turn in virtual time', () => {
  const play = async (book: () => unknown = () => 'done', prices = {}) => {
    const { events, failures } = await simulateRoom(desk, [{ say: 'Monday' }], {
      model: script,
      functions: { book },
      wordsPerMinute: 60,
      prices,
    });
    expect(failures).toEqual([]);
    return turnsIn(events);
  };

  it('is reported with all its parts, their times, and its result', async () => {
    const [greeting, turn] = await play();
    expect(greeting).toMatchObject({ via: 'start', outcome: 'answered', inferences: 0, nodes: ['ask'] });
    expect(turn).toMatchObject({
      via: 'text',
      outcome: 'answered',
      inferences: 2,
      transitions: 1,
      interruptions: 0,
      nodes: ['ask', 'booked'],
      moments: { taken: 0, committed: 0, requested: 0, firstToken: 300, firstWords: 500, heard: 3_500 },
      ms: 3_500,
      tokens: { input: 1_700, output: 25, cached: 600 },
    });
    expect(barsOf(turn!)).toEqual([
      'flow.step user:turn 0+0',
      'flow.commit 0+0',
      'chat scripted 0+300',
      'execute_tool book 300+0',
      'flow.step batch:settled 300+0',
      'flow.commit 300+0',
      'chat scripted 300+200',
      'flow.step batch:settled 500+0',
      'flow.step speech:settled 3500+0',
      'flow.speak 500+3000',
    ]);
  });

  it('contains no speech and no arguments', async () => {
    const text = JSON.stringify(await play(() => 'wombat'));
    expect(text).not.toMatch(/Monday|wombat|booked\.|Which|Tell/);
  });

  it('has its cost by the prices of its models; unknown if a price is missing', async () => {
    const cost = async (prices: object): Promise<number | null | undefined> => (await play(undefined, prices))[1]?.cost;
    const scripted = { input: 2, cached: 1, output: 10 };
    // 1,100 tokens at 2, 600 at 1 and 25 at 10 per million.
    expect(await cost({ scripted })).toBe(0.00305);
    expect(await cost({ '*': { input: 2, output: 10 } })).toBe(0.00365);
    expect(await cost({ other: scripted })).toBeNull();
    expect(await cost({})).toBeNull();
  });

  it('reports a function that fails, and still gets an answer', async () => {
    const [, turn] = await play(() => {
      throw new Error('There is no Monday.');
    });
    expect(turn?.spans).toContainEqual(
      expect.objectContaining({ name: 'execute_tool', tool: 'book', state: 'failed' }),
    );
    expect(turn?.outcome).toBe('answered');
  });
});

it('a turn fails with its model, and so does the request', async () => {
  const flow: ConversationFlow = {
    initialNode: 'a',
    nodes: { a: { taskMessages: [{ role: 'system', content: 'Go.' }] } },
  };
  const { runner, events } = await live(flow, { a: [{ fails: 'error' }] });
  await runner.send('hm');
  const last = turnsIn(events).at(-1);
  expect(last?.outcome).toBe('failed');
  expect(last?.spans.filter(({ name }) => name === 'chat')).toMatchObject([{ failed: true }, { failed: true }]);
});

it('hooks and their decisions are part of their turn', async () => {
  const hooks = {
    beforeLLM: () => Promise.resolve({ action: 'skip_llm' as const, draftReply: 'Not now.' }),
    beforeResponse: () => Promise.resolve({ action: 'cancel' as const }),
  };
  const { runner, events } = await live(desk, script, { hooks, waitForGreeting: false });
  await runner.send('hm');
  const turn = turnsIn(events).at(-1);
  expect(turn).toMatchObject({ outcome: 'suppressed', inferences: 0 });
  const names = turn?.spans.map((span) => (span.name === 'flow.hook' ? span.hook : span.name));
  expect(names?.indexOf('beforeLLM')).toBeLessThan(names?.indexOf('flow.step') ?? -1);
  expect(names).toContain('beforeResponse');
});

it('a spoken turn: the caller falls silent, is understood, is taken, and hears the answer, in this order', async () => {
  const call = await voiceCall(desk, script, { preemptive: false, tools: [], handlers: {} });
  await call.quiet();
  await call.caller.says('hello');
  await call.quiet();
  const turn = turnsIn(call.events).findLast(({ via }) => via === 'speech');
  const { moments, spans } = turn!;
  const inOrder = ['speechEnded', 'taken', 'requested', 'firstToken', 'firstWords', 'firstAudio', 'heard'] as const;
  const times = inOrder.map((moment) => moments[moment] ?? Number.NaN);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  expect(moments.speechEnded).toBe(0);
  expect(moments.transcript).toBeLessThanOrEqual(moments.taken!);
  expect(spans.at(0)?.name).toBe('flow.listen');
  expect(spans.at(-1)).toMatchObject({ name: 'flow.speak', at: moments.firstAudio });
});

it('an interrupted turn is reported as such, and the next one begins with the caller’s words', async () => {
  const words = 'One two three four five six seven eight nine ten eleven twelve.';
  const flow: ConversationFlow = {
    initialNode: 'a',
    nodes: { a: { taskMessages: [{ role: 'system', content: 'Talk.' }] } },
  };
  const call = await voiceCall(flow, { a: [{ text: words }] }, { preemptive: false, hold: true });
  const { speaker } = call;
  speaker.run();
  await call.quiet();
  speaker.hold();
  const before = speaker.words.length;
  await call.caller.says('first');
  speaker.hear(3);
  await until(() => speaker.words.length === before + 3, 'three words');
  await call.caller.says('second');
  call.speaker.run();
  await call.quiet();
  const spoken = turnsIn(call.events).filter(({ via }) => via === 'speech');
  expect(spoken.map(({ outcome, interruptions }) => [outcome, interruptions])).toEqual([
    ['interrupted', 1],
    ['answered', 0],
  ]);
  expect(spoken[0]?.spans.at(-1)).toMatchObject({ name: 'flow.speak', interrupted: true });
});

it('a turn of a realtime model is reported with its requests and their usage', async () => {
  const tokens = { input: 50, output: 7, cached: 10 };
  const { runner, model, session, events } = await realtimeCall(
    desk,
    ({ tools }) => ({
      ...(tools.includes('book') ? { calls: [{ name: 'book' }] } : { text: 'It is booked.' }),
      tokens,
    }),
    {},
    { tools: [] },
  );
  await runner.send('Monday');
  await until(() => turnsIn(events).length > 1, 'the turn to be told');
  const turn = turnsIn(events).at(-1);
  expect(model.requests.length).toBeGreaterThan(0);
  expect(turn).toMatchObject({ via: 'text', outcome: 'answered', nodes: ['ask', 'booked'] });
  const requests = turn?.spans.filter(({ name }) => name === 'chat');
  expect(requests).toMatchObject([
    { model: 'fake-realtime', tokens },
    { model: 'fake-realtime', tokens },
  ]);
  expect(turn?.tokens).toEqual({ input: 100, output: 14, cached: 20 });
  expect(session.llm).toBe(model);
});

it('a turn that a crash interrupted continues as a resumed turn, and the store keeps both', async () => {
  const store = createMemoryStore({ clock: systemClock });
  const model = {
    ...script,
    booked: [{ text: 'It is booked.', delayMs: 60_000, times: 1 }, { text: 'It is booked.' }],
  };
  const first = await live(desk, model, { store, sessionId: 's', owner: 'one' });
  void first.runner.send('Monday');
  await until(() => first.runner.currentNode === 'booked', 'the day to be booked');
  // Its process is gone without further reports.
  await first.runner.leave();

  const session = createTextSession(new ScriptedModel({ '*': [{ text: 'It is booked.' }] }));
  const second = createRunner({ session, flow: desk, store, sessionId: 's' });
  await second.start();
  await second.idle();
  await second.stop();
  void session.close();
  const kept = turnsIn(await store.steps.listEvents('s'));
  expect(kept.map(({ via, outcome }) => [via, outcome])).toEqual([
    ['start', 'answered'],
    ['text', expect.any(String)],
    ['resume', 'answered'],
  ]);
  const resumed: TurnTrace | undefined = kept.at(-1);
  expect(resumed?.spans.map(({ name }) => name)).toEqual(expect.arrayContaining(['flow.step', 'chat', 'flow.speak']));
});
