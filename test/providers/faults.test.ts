import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import type { Clock } from '../../src/model/ports/time.ts';
import { systemClock } from '../../src/system.ts';
import { createVoiceModels, type VoiceModelChoices } from '../../src/livekit/plug-ins/voice-models.ts';
import { until } from '../livekit/until.ts';
import { deepgramServer, type DeepgramScript } from './deepgram-server.ts';
import type { Fault } from './local-server.ts';
import { patientOnce, providerFaults } from './provider-faults.ts';
import { type ChatAnswer, openaiServer, type OpenaiScript } from './openai-server.ts';
import { providerCall } from './provider-call.ts';

const patienceMs = 500;
const desk: ConversationFlow = {
  initialNode: 'desk',
  fallback: 'Sorry, say that again?',
  replyTimeoutMs: patienceMs,
  nodes: {
    desk: {
      say: 'Hello there.',
      taskMessages: [{ role: 'system', content: 'Help.' }],
      functions: [{ name: 'pay', effect: 'write', transitionTo: 'paid' }],
    },
    paid: { say: 'Paid.', end: 'paid' },
  },
};

/** Waits of seconds end in a third of the time. */
const impatientClock: Clock = {
  now: systemClock.now,
  schedule: (delayMs, task) => systemClock.schedule(delayMs >= 3_000 ? delayMs / 3 : delayMs, task),
};

const pay = flowTool({
  name: 'pay',
  description: 'Pay.',
  parameters: z.object({ amount: z.number() }),
  execute: () => {
    throw new Error('It was paid without being asked to.');
  },
});

const faults = Object.entries(providerFaults);

async function call(
  choices: VoiceModelChoices,
  openai: OpenaiScript,
  deepgram: DeepgramScript = {},
  isMended = () => false,
) {
  const servers = { openai: await openaiServer(openai), deepgram: await deepgramServer(deepgram) };
  onTestFinished(async () => {
    await servers.openai.close();
    await servers.deepgram.close();
  });
  const models = await createVoiceModels(
    { llm: 'openai', stt: 'deepgram', tts: 'openai', ...choices },
    {
      OPENAI_API_KEY: 'sk-secret',
      OPENAI_BASE_URL: servers.openai.url,
      DEEPGRAM_API_KEY: 'dg-secret',
      DEEPGRAM_BASE_URL: servers.deepgram.origin,
    },
  );
  const memory = createMemoryStore({ clock: systemClock });
  /** The recorded heard part of each line. */
  const recorded: string[] = [];
  const store: typeof memory = {
    ...memory,
    steps: {
      ...memory.steps,
      create: async (commit) => {
        await memory.steps.create(commit);
        for (const { signal } of commit.signals)
          if (signal.type === 'speech:settled') recorded.push(`${signal.text} = ${signal.heard}`);
      },
    },
  };
  return {
    ...servers,
    recorded,
    ...(await providerCall(desk, models, {
      clock: patientOnce(isMended, patienceMs, impatientClock),
      tools: [pay],
      store,
    })),
  };
}

describe('a model that is', () => {
  it.each(faults)(
    '%s: that is covered by the fallback line, and the flow goes on at the same node',
    async (_what, fault) => {
      let broken = true;
      const { heard, runner, speak, troubles } = await call(
        {},
        { chat: () => (broken ? fault : { text: 'Here I am.' }) },
        {},
        () => !broken,
      );
      await until(() => heard.length === 1, 'the greeting');
      await speak();
      await until(
        () => heard.length === 2,
        () => `a line; told was ${JSON.stringify(troubles)}`,
      );
      expect(heard[1]).toContain('Sorry, say that again?');
      broken = false;
      await speak();
      await until(() => heard.length === 3, 'an answer');
      expect(heard[2]).toBe('Here I am.');
      expect(runner.currentNode).toBe('desk');
      expect(troubles.join()).not.toContain('secret');
    },
  );

  it('severed in the middle of a call runs nothing, and asks the caller on', async () => {
    const cut: ChatAnswer = { calls: [{ name: 'pay', arguments: '{"amount": 1200}' }], cut: true };
    const { heard, path, speak } = await call({}, { chat: () => cut });
    await until(() => heard.length === 1, 'the greeting');
    await speak();
    await until(() => heard.length === 2, 'a line');
    expect(heard[1]).toContain('Sorry, say that again?');
    expect(path).toEqual([]);
  });
});

describe('a model whose answer ends early', () => {
  const ended: readonly [string, ChatAnswer, RegExp][] = [
    [
      'in the middle of a call, for its length',
      { calls: [{ name: 'pay', arguments: '{"amount": 12' }], finish: 'length' },
      /say that again/,
    ],
    ['before its first word, for what it says', { finish: 'content_filter' }, /say that again/],
    [
      'in the middle of its words, for their length',
      { text: 'You can pay by card or', finish: 'length' },
      /^You can pay by card or/,
    ],
  ];
  it.each(ended)('%s: nothing runs, a line is heard, and the next turn goes on', async (_where, answer, line) => {
    let isEarly = true;
    const { heard, path, runner, speak } = await call(
      {},
      { chat: () => (isEarly ? answer : { text: 'Here I am.' }) },
      {},
      () => !isEarly,
    );
    await until(() => heard.length === 1, 'the greeting');
    await speak();
    await until(() => heard.length === 2, 'a line');
    expect(heard[1]).toMatch(line);
    expect(path).toEqual([]);
    isEarly = false;
    await speak();
    await until(() => heard.length === 3, 'an answer');
    expect(heard[2]).toContain('Here I am.');
    expect(runner.currentNode).toBe('desk');
  });
});

describe.each(['openai', 'deepgram'] as const)('a voice of %s that is', (tts) => {
  /** Returns the fault of the n-th request. */
  const script = (fault: (count: number) => Fault | undefined): readonly [OpenaiScript, DeepgramScript] =>
    tts === 'openai' ? [{ speech: (_text, count) => fault(count) ?? 0.2 }, {}] : [{}, { speakFault: fault }];

  it.each(faults)('%s once is asked once more, and the caller hears the line', async (_what, fault) => {
    const { heard, sound, troubles, speak } = await call(
      { tts },
      ...script((count) => (count === 1 ? fault : undefined)),
    );
    await until(
      () => heard.length === 1,
      () => `the greeting; told was ${JSON.stringify(troubles)}`,
    );
    expect(sound()).toBeGreaterThanOrEqual(0.2);
    expect(troubles.map((one) => one.split(' ')[0])).toContain('tts');
    expect(troubles.join()).not.toContain('secret');
    await speak();
    await until(() => heard.length === 2, 'an answer');
  });

  it('nothing at all lets the caller go after two lines', async () => {
    const { runner, troubles, heard, speak, recorded } = await call(
      { tts },
      ...script(() => ({ fault: 'status', status: 401 })),
    );
    await until(() => heard.length === 1, 'the greeting, in text');
    await speak();
    expect(await runner.ended).toBe('tts-failed');
    expect(troubles.length).toBeGreaterThan(0);
    expect(recorded).toContain('Hello there. = ');
  });
});

describe('ears that answer with', () => {
  it('401 let the caller go with a line', async () => {
    const { runner, troubles, sound } = await call({}, {}, { listenFault: () => ({ fault: 'status', status: 401 }) });
    expect(await runner.ended).toBe('stt-failed');
    expect(troubles).toEqual(['stt APIStatusError 401']);
    expect(sound()).toBeGreaterThan(0);
  });
});
