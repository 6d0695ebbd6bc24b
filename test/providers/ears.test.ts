import * as openaiPlugin from '@livekit/agents-plugin-openai';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { createVoiceModels } from '../../src/livekit/plug-ins/voice-models.ts';
import { WordTts } from '../livekit/speech/voice-parts.ts';
import { deepgramServer, type DeepgramScript } from './deepgram-server.ts';
import type { Fault } from './local-server.ts';
import { openaiServer, type OpenaiScript } from './openai-server.ts';
import { providerCall } from './provider-call.ts';
import { until } from '../livekit/until.ts';

const desk: ConversationFlow = {
  initialNode: 'desk',
  nodes: {
    desk: {
      say: 'Hello there.',
      taskMessages: [{ role: 'system', content: 'Help.' }],
      functions: [{ name: 'go', transitionTo: 'desk' }],
    },
  },
};

const lines = { deaf: 'Ich höre Sie nicht.', again: 'Noch einmal, bitte.' };

async function call(ears: 'openai' | 'deepgram', openai: OpenaiScript, deepgram: DeepgramScript = {}) {
  const servers = { openai: await openaiServer(openai), deepgram: await deepgramServer(deepgram) };
  onTestFinished(async () => {
    await servers.openai.close();
    await servers.deepgram.close();
  });
  const models = await createVoiceModels(
    { llm: 'openai', stt: ears, tts: new WordTts() },
    {
      OPENAI_API_KEY: 'sk-secret',
      OPENAI_BASE_URL: servers.openai.url,
      DEEPGRAM_API_KEY: 'dg-secret',
      DEEPGRAM_BASE_URL: servers.deepgram.origin,
    },
  );
  return { ...servers, ...(await providerCall(desk, models, { lines })) };
}

const utterances = ({ requests }: { readonly requests: readonly { readonly path: string }[] }): number =>
  requests.filter(({ path }) => path === '/v1/audio/transcriptions').length;

describe('ears of OpenAI that answer with', () => {
  it.each<[string, Fault]>([
    ['429', { fault: 'status', status: 429, retryAfter: 1 }],
    ['500', { fault: 'status', status: 500 }],
    ['a cut', { fault: 'cut' }],
  ])('%s once are asked once more, and the caller is understood', async (_what, fault) => {
    const { openai, heard, speak } = await call('openai', {
      transcription: (count) => (count === 1 ? fault : 'yes'),
      chat: () => ({ text: 'Here I am.' }),
    });
    await until(() => heard.length === 1, 'the greeting');
    await speak();
    await until(() => heard.length === 2, 'an answer');
    expect(heard[1]).toBe('Here I am.');
    expect(utterances(openai)).toBe(2);
  });

  it('401 are told each time; the caller is asked to say it again, and let go after three times', async () => {
    const { runner, heard, speak, troubles, openai } = await call('openai', {
      transcription: () => ({ fault: 'status', status: 401 }),
    });
    await until(() => heard.length === 1, 'the greeting');
    for (const count of [2, 3, 4]) {
      await speak();
      await until(
        () => heard.length === count,
        () => `line ${count}; told was ${troubles.join()}`,
      );
    }
    expect(await runner.ended).toBe('stt-failed');
    expect(heard).toEqual(['Hello there.', lines.again, lines.again, lines.deaf]);
    expect(troubles).toEqual(Array.from({ length: 3 }, () => 'stt AuthenticationError 401'));
    expect(utterances(openai)).toBe(3);
  });

  it('nothing for seconds are not waited for any longer', async () => {
    const { heard, speak, troubles } = await call('openai', {
      transcription: (count) => (count === 1 ? { fault: 'stall', ms: 20_000 } : 'yes'),
      chat: () => ({ text: 'Here I am.' }),
    });
    await until(() => heard.length === 1, 'the greeting');
    await speak();
    await until(() => heard.length === 2, 'the line');
    await speak();
    await until(() => heard.length === 3, 'an answer');
    expect(heard).toEqual(['Hello there.', lines.again, 'Here I am.']);
    expect(troubles).toEqual(['stt APIConnectionError']);
  });
});

describe('ears of Deepgram', () => {
  it('whose socket is cut while the caller speaks go on on a new one, and nothing of it is lost', async () => {
    const { deepgram, heard, speak, troubles } = await call(
      'deepgram',
      { chat: () => ({ text: 'Here I am.' }) },
      { listenFault: (socket) => (socket === 1 ? { fault: 'cut' } : undefined) },
    );
    await until(() => heard.length === 1, 'the greeting');
    await speak();
    await until(
      () => heard.length === 2,
      () => `an answer; told was ${troubles.join()}`,
    );
    expect(heard[1]).toBe('Here I am.');
    expect(troubles).toEqual(['stt APIConnectionError']);
    expect(deepgram.listening).toHaveLength(2);
    await speak();
    await until(() => heard.length === 3, 'another answer');
    expect(deepgram.listening).toHaveLength(2);
  });

  it('whose socket is cut again and again let the caller go with a line', async () => {
    const { runner, heard, speak, troubles } = await call('deepgram', {}, { listenFault: () => ({ fault: 'cut' }) });
    await until(() => heard.length === 1, 'the greeting');
    await speak();
    expect(await runner.ended).toBe('stt-failed');
    expect(heard.at(-1)).toBe(lines.deaf);
    expect(new Set(troubles)).toEqual(new Set(['stt APIConnectionError']));
  });

  it('that tell what is no JSON hear on', async () => {
    const { heard, speak, troubles } = await call(
      'deepgram',
      { chat: () => ({ text: 'Here I am.' }) },
      { listenFault: (socket) => (socket === 1 ? { fault: 'garbage' } : undefined) },
    );
    await until(() => heard.length === 1, 'the greeting');
    await speak();
    await until(
      () => heard.length === 2,
      () => `an answer; told was ${troubles.join()}`,
    );
  });
});

describe('a provider that nobody answers for', () => {
  it.each(['llm', 'tts', 'stt'] as const)('as %s is told, and ends no process', async (role) => {
    const gone = await openaiServer();
    await gone.close();
    const env = { OPENAI_API_KEY: 'sk-secret', OPENAI_BASE_URL: gone.url };
    const alive = await openaiServer({ chat: () => ({ text: 'Here I am.' }) });
    onTestFinished(() => alive.close());
    const own = await createVoiceModels({ llm: 'openai', stt: 'openai', tts: 'openai' }, env);
    const other = await createVoiceModels(
      { llm: 'openai', stt: 'openai', tts: new WordTts() },
      { ...env, OPENAI_BASE_URL: alive.url },
    );
    const { troubles, heard, speak } = await providerCall(desk, { ...other, [role]: own[role] }, { lines });
    await until(() => heard.length === 1, 'the greeting');
    await speak();
    await until(
      () => troubles.some((one) => one.startsWith(role === 'llm' ? 'model' : role)),
      () => `trouble; told was ${troubles.join()}`,
    );
    expect(troubles.join()).not.toContain('secret');
  });

  it('a voice that the user made is guarded as well, so that its failures are events', async () => {
    const gone = await openaiServer();
    await gone.close();
    const alive = await openaiServer({ chat: () => ({ text: 'Here I am.' }) });
    onTestFinished(() => alive.close());
    const others = await createVoiceModels(
      { llm: 'openai', stt: 'openai', tts: new WordTts() },
      { OPENAI_API_KEY: 'sk-secret', OPENAI_BASE_URL: alive.url },
    );
    const tts = new openaiPlugin.TTS({ apiKey: 'sk-secret', baseURL: gone.url });
    const { runner, troubles, heard, speak } = await providerCall(desk, { ...others, tts }, { lines });
    await until(() => heard.length === 1, 'the greeting, in text');
    await speak();
    expect(await runner.ended).toBe('tts-failed');
    expect(troubles.length).toBeGreaterThan(0);
  });
});
