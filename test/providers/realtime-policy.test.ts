import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Hooks } from '../../src/engine/policy/hooks.ts';
import { createGate } from '../livekit/gate.ts';
import { twoNodes, twoNodesWith } from '../livekit/flows.ts';
import { until } from '../livekit/until.ts';
import { WordTts } from '../livekit/speech/voice-parts.ts';
import { realtimeCall } from './realtime-call.ts';
import { walks } from './realtime-walks.ts';

const text = { modalities: ['text' as const] };

describe('a hook before the sound of OpenAI’s realtime model', () => {
  it('holds it back until it has decided, and lets it pass as it is', async () => {
    const gate = createGate();
    let seen = '';
    const beforeResponse: Hooks['beforeResponse'] = async ({ reply }) => {
      seen = reply;
      await gate.opened;
    };
    const { server, heard, ear, hasHeard } = await realtimeCall(twoNodes, walks, {
      hooks: { beforeResponse, timeoutMs: 60_000 },
      tts: new WordTts(),
    });
    await until(() => seen !== '', 'the hook to be asked');
    expect([seen, ear.seconds, ear.loaded]).toEqual(['Here is Node A.', 0, 0]);
    gate.open();
    await hasHeard(1);
    expect(heard).toEqual(['Here is Node A.']);
    // Four words of a tenth of a second each, of the model itself.
    expect(ear.seconds).toBeCloseTo(0.4, 1);
    expect(server.last.talk.items).toEqual(['assistant:Here is Node A.']);
    expect(server.errors).toEqual([]);
  });

  it.each([
    ['replaces it, the voice says the other words', { action: 'replace', reply: 'Good day.' }, ['Good day.']],
    ['takes it back, nothing is heard', { action: 'cancel' }, []],
  ] as const)('%s, and the model does not find what it said', async (_what, decision, lines) => {
    const beforeResponse: Hooks['beforeResponse'] = async ({ reply }) =>
      reply === 'Here is Node A.' ? decision : undefined;
    const { server, runner, heard, microphone } = await realtimeCall(twoNodes, walks, {
      hooks: { beforeResponse },
      tts: new WordTts(),
    });
    await until(() => server.asks.length === 1 && heard.length === lines.length, 'the first reply');
    await runner.idle();
    await until(() => !server.last.talk.items.join().includes('Node A'), 'the model to forget it');
    await microphone.speak();
    await until(() => heard.at(-1) === 'Here is Node B.', 'the reply of the second node');
    expect(heard).toEqual([...lines, 'Here is Node B.']);
    expect(server.asks.at(-1)?.items.filter((item) => !/^(?:call|out):/.test(item))).toEqual([
      ...lines.map((line) => `assistant:${line}`),
      'user:go on',
    ]);
    expect(server.errors).toEqual([]);
  });
});

describe('OpenAI’s realtime model that writes, with a voice', () => {
  it('answers in JSON of which the reply alone is spoken', async () => {
    const { server, heard, ear, microphone, hasHeard } = await realtimeCall(
      null,
      { hears: () => 'when do you open', answer: () => ({ text: '{"reply": "At nine.", "mood": "good"}' }) },
      {
        prompt: 'You are a receptionist.',
        output: z.object({ reply: z.string(), mood: z.string() }),
        model: text,
        tts: new WordTts(),
      },
    );
    await until(() => server.sockets.length > 0, 'a socket');
    await until(() => server.last.talk.instructions.includes('"required":["reply","mood"]'), 'the schema to be told');
    await microphone.speak();
    await hasHeard(1);
    expect(heard).toEqual(['At nine.']);
    // Two words of 0.4 seconds.
    expect(ear.seconds).toBeCloseTo(0.8, 1);
    expect(server.asks).toHaveLength(1);
    expect(server.errors).toEqual([]);
  });

  it('summarises on a socket of its own, in mid-call', async () => {
    const flow = twoNodesWith({ contextStrategy: { strategy: 'reset_with_summary', summaryPrompt: 'Summarise.' } });
    const { server, heard, microphone, hasHeard } = await realtimeCall(
      flow,
      {
        ...walks,
        answer: (ask, count) =>
          ask.items.at(-1) === 'user:Summarise.' ? { text: 'They go on.' } : (walks.answer?.(ask, count) ?? {}),
      },
      { model: text, tts: new WordTts() },
    );
    await hasHeard(1);
    await microphone.speak();
    await hasHeard(2);
    expect(heard[1]).toContain('Node B.');
    expect(server.sockets).toHaveLength(2);
    const last = server.asks.at(-1);
    expect(`${last?.instructions} ${last?.items.join(' ')}`).toContain('They go on.');
    expect(last).toMatchObject({ session: 0 });
    expect(server.errors).toEqual([]);
  });
});
