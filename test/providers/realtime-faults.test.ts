import type { tts } from '@livekit/agents';
import * as openai from '@livekit/agents-plugin-openai';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { FlowError } from '../../src/model/errors.ts';
import { systemClock } from '../../src/system.ts';
import { desk, twoNodes } from '../livekit/flows.ts';
import { until } from '../livekit/until.ts';
import { WordTts } from '../livekit/speech/voice-parts.ts';
import type { Fault } from './local-server.ts';
import { openaiServer } from './openai-server.ts';
import { realtimeCall } from './realtime-call.ts';
import { walks } from './realtime-walks.ts';

const farewell = 'I am sorry, something went wrong here. I have to end this conversation.';

describe('a call on OpenAI’s realtime model whose store', () => {
  it.each([
    ['fails, with a voice: the voice says farewell', 'store-failed', true],
    ['fails, without a voice: the model is asked to say farewell', 'store-failed', false],
    ['has gone to another process: nothing more is said', 'lease-lost', true],
  ] as const)('%s', async (_what, reason, hasVoice) => {
    const memory = createMemoryStore({ clock: systemClock });
    let [fails, passed] = [false, 0];
    const clock = { ...systemClock, now: () => systemClock.now() + passed };
    const store: typeof memory = {
      ...memory,
      steps: {
        ...memory.steps,
        create: async (commit) => {
          if (fails && reason === 'lease-lost') throw new FlowError('lease-lost', 'It is not ours any more.');
          // The runner waits for a store for eight seconds.
          if (fails) passed += 8_000;
          if (fails) throw new Error('The disk is full.');
          await memory.steps.create(commit);
        },
      },
    };
    const { server, runner, heard, troubles, microphone, hasHeard } = await realtimeCall(
      twoNodes,
      {
        hears: () => 'go on',
        answer: (ask, count) =>
          ask.instructions.endsWith(farewell) ? { text: farewell } : (walks.answer?.(ask, count) ?? {}),
      },
      { store, clock, ...(hasVoice ? { tts: new WordTts() } : {}) },
    );
    await hasHeard(1);
    fails = true;
    await microphone.speak();
    expect(await runner.ended).toBe(reason);
    expect(heard).toEqual(['Here is Node A.', ...(reason === 'lease-lost' ? [] : [farewell])]);
    expect(troubles).toContain(`turn ${reason}`);
    const asked = server.asks.filter(({ instructions }) => instructions.endsWith(farewell));
    expect(asked).toHaveLength(hasVoice ? 0 : 1);
  });
});

describe('a voice beside OpenAI’s realtime model that answers with', () => {
  // Long enough that only a fault is late, not the machine.
  const flow = { ...desk, replyTimeoutMs: 30_000 };

  /** Starts a voice with the fault of the n-th request. */
  async function voiceOf(fault: (count: number) => Fault | undefined): Promise<tts.TTS> {
    const server = await openaiServer({ speech: (_text, count) => fault(count) ?? 0.2 });
    onTestFinished(() => server.close());
    return new openai.TTS({ apiKey: 'sk-secret', baseURL: server.url });
  }

  it.each<[string, Fault]>([
    ['500', { fault: 'status', status: 500 }],
    ['garbage', { fault: 'garbage' }],
    ['a cut', { fault: 'cut' }],
  ])('%s once is asked once more: the line is heard, and the model goes on', async (_what, fault) => {
    const mouth = await voiceOf((count) => (count === 1 ? fault : undefined));
    const { heard, ear, troubles, microphone, hasHeard } = await realtimeCall(
      flow,
      { answer: () => ({ text: 'Here I am.' }) },
      { tts: mouth },
    );
    await hasHeard(1);
    expect(heard).toEqual(['Hello.']);
    expect(ear.loudSeconds).toBeGreaterThanOrEqual(0.2);
    expect(troubles.map((one) => one.split(' ')[0])).toContain('tts');
    expect(troubles.join()).not.toContain('secret');
    await microphone.speak();
    await hasHeard(2);
    expect(heard[1]).toBe('Here I am.');
  });

  it('nothing at all lets the caller go after two lines, and what had no sound was not heard', async () => {
    const memory = createMemoryStore({ clock: systemClock });
    const mouth = await voiceOf(() => ({ fault: 'status', status: 401 }));
    const { runner, heard, ear } = await realtimeCall(
      flow,
      { answer: () => ({ text: 'Here I am.' }) },
      { tts: mouth, model: { modalities: ['text'] }, store: memory, sessionId: 'silent' },
    );
    await until(() => heard.length === 1, 'the greeting, in text');
    await runner.send('hello?');
    expect(await runner.ended).toBe('tts-failed');
    expect(ear.loudSeconds).toBe(0);
    const log = await memory.steps.list('silent');
    const heardOf = log.flatMap(({ signal }) => (signal.type === 'speech:settled' ? [signal.heard] : []));
    expect(heardOf).toContain('');
    expect(heardOf.join('')).toBe('');
  });
});
