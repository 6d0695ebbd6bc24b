import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/model/ports/time.ts';
import { systemClock } from '../../src/system.ts';
import { desk, patienceMs, twoNodes } from '../livekit/flows.ts';
import { WordTts } from '../livekit/speech/voice-parts.ts';
import { until } from '../livekit/until.ts';
import type { RealtimeAnswer, RealtimeScript } from './openai-realtime-server.ts';
import { patientOnce } from './provider-faults.ts';
import { realtimeCall } from './realtime-call.ts';
import { walks, walksOn } from './realtime-walks.ts';

const words = (...said: readonly string[]): Pick<RealtimeScript, 'hears'> => ({
  hears: (utterance) => said[utterance - 1] ?? 'hm',
});

/** Waits of seconds end in a tenth of the time. */
const impatientClock: Clock = {
  now: systemClock.now,
  schedule: (delayMs, task) => systemClock.schedule(delayMs >= 1_000 ? delayMs / 10 : delayMs, task),
};

describe('where the connection to OpenAI’s realtime model', () => {
  it('breaks in silence, the plug-in’s new one finds the conversation where it was', async () => {
    const { server, heard, path, microphone, hasHeard } = await realtimeCall(twoNodes, {
      ...words('go on', 'and now'),
      answer: walksOn,
    });
    await hasHeard(1);
    await microphone.speak();
    await hasHeard(2);
    server.last.talk.cut();
    await until(() => server.sockets.length === 2 && server.last.talk.items.length >= 3, 'a new socket');
    await microphone.speak();
    await hasHeard(3);
    expect(heard).toEqual(['Here is Node A.', 'Here is Node B.', 'Here is Node B.']);
    expect(path).toEqual(['a -> b']);
    expect(server.asks.at(-1)).toMatchObject({ session: 1, instructions: 'Node B.', tools: ['to_a'] });
    expect(server.asks.at(-1)?.items.filter((item) => !/^(?:call|out):/.test(item))).toEqual([
      'assistant:Here is Node A.',
      'user:go on',
      'assistant:Here is Node B.',
      'user:and now',
    ]);
    expect(server.errors).toEqual([]);
  });

  it.each<[string, RealtimeAnswer]>([
    ['breaks in the middle of an answer', { text: 'Let me see what there is for you today', fault: 'cut' }],
    ['breaks in the middle of a call', { calls: [{ name: 'pay', args: '{"amount": 1200}' }], fault: 'cut' }],
    ['stalls', { fault: 'stall' }],
    ['gives an answer that failed', { fault: 'failed' }],
  ])('%s, the caller is asked to say it again, and the flow goes on', async (_what, fault) => {
    let isBroken = true;
    const { server, heard, path, microphone, hasHeard, runner } = await realtimeCall(
      desk,
      { answer: () => (isBroken ? fault : { text: 'Here I am.' }) },
      { tts: new WordTts(), clock: patientOnce(() => !isBroken, patienceMs, impatientClock) },
    );
    await hasHeard(1);
    await microphone.speak();
    await until(
      () => heard.some((line) => line.includes('Sorry, say that again?')),
      () => `the line; heard were ${heard.join('|')}`,
    );
    await runner.idle();
    isBroken = false;
    await until(() => server.last.talk.tools.length > 0, 'the session to be back');
    await microphone.speak();
    await until(
      () => heard.at(-1) === 'Here I am.',
      () => `an answer; heard were ${heard.join('|')}`,
    );
    expect(path).toEqual([]);
  });

  it('is refused for good, another session takes its place and knows the conversation', async () => {
    const { server, heard, troubles, microphone, hasHeard } = await realtimeCall(twoNodes, {
      ...words('go on', 'and now'),
      answer: walksOn,
    });
    await hasHeard(1);
    await microphone.speak();
    await hasHeard(2);
    server.last.talk.refuse('insufficient_quota', 'You exceeded your quota: sk-secret.');
    await until(() => server.sockets.length === 2 && server.last.talk.items.length >= 3, 'a new socket');
    await microphone.speak();
    await hasHeard(3);
    expect(heard.at(-1)).toBe('Here is Node B.');
    expect(server.asks.at(-1)).toMatchObject({ session: 1, instructions: 'Node B.', tools: ['to_a'] });
    expect(server.asks.at(-1)?.items).toEqual([
      'assistant:Here is Node A.',
      'user:go on',
      'call:to_b',
      'out:ok',
      'assistant:Here is Node B.',
      'user:and now',
    ]);
    expect(troubles).toEqual(['model APIError']);
  });

  it('is refused while the caller speaks, what is said meanwhile is not lost', async () => {
    const { server, heard, microphone, hasHeard } = await realtimeCall(twoNodes, {
      ...words('and now'),
      answer: walksOn,
    });
    await hasHeard(1);
    await microphone.begin();
    server.last.talk.refuse('insufficient_quota', 'You exceeded your quota.');
    await microphone.begin();
    await microphone.stop();
    await hasHeard(2);
    expect(heard).toEqual(['Here is Node A.', 'Here is Node A.']);
    expect(server.sockets).toHaveLength(2);
    expect(server.last.audioBytes).toBeGreaterThan(20_000);
  });

  it('has no time left, the plug-in’s next session finds the conversation where it was', async () => {
    const { server, heard, microphone, hasHeard } = await realtimeCall(
      twoNodes,
      { ...words('go on', 'and now'), answer: walksOn },
      { model: { maxSessionDuration: 5_000 } },
    );
    await hasHeard(1);
    await microphone.speak();
    await hasHeard(2);
    await until(() => server.sockets.length === 2 && server.last.talk.tools.length > 0, 'a new socket');
    await microphone.speak();
    await hasHeard(3);
    expect(heard.at(-1)).toBe('Here is Node B.');
  });

  it.each([
    ['401', { fault: 'status', status: 401 }],
    ['500', { fault: 'status', status: 500 }],
    ['a cut', { fault: 'cut' }],
    ['silence', { fault: 'stall', ms: 1_000 }],
  ] as const)(
    'is answered with %s from the beginning, the caller is let go, and the process lives',
    async (_what, fault) => {
      const { runner, troubles } = await realtimeCall(
        twoNodes,
        { ...walks, openFault: () => fault },
        { model: { connOptions: { maxRetry: 1, retryIntervalMs: 20, timeoutMs: 200 } } },
      );
      expect(await runner.ended).toBe('model-failed');
      expect(troubles.length).toBeGreaterThan(0);
      expect(troubles.join()).not.toContain('secret');
    },
  );

  it('tells what is no JSON, it is made anew', async () => {
    const { server, heard, microphone, hasHeard } = await realtimeCall(twoNodes, {
      ...walks,
      openFault: (socket) => (socket === 1 ? { fault: 'garbage' } : undefined),
    });
    await until(() => server.sockets.length === 2, 'a new socket');
    await hasHeard(1);
    await microphone.speak();
    await hasHeard(2);
    expect(heard.at(-1)).toBe('Here is Node B.');
  });
});
