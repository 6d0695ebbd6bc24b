import type { log } from '@livekit/agents';
import { expect, it, onTestFinished, vi } from 'vitest';
import { llm } from '@livekit/agents';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { quietClients } from '../../src/livekit/guards/quiet-clients.ts';
import { openModel } from '../../src/livekit/plug-ins/models.ts';
import { createVoiceModels } from '../../src/livekit/plug-ins/voice-models.ts';
import { logEvents } from '../../src/worker/log-events.ts';
import { deepgramServer } from './deepgram-server.ts';
import { openaiServer } from './openai-server.ts';
import { providerCall } from './provider-call.ts';
import { until } from '../livekit/until.ts';

const desk: ConversationFlow = {
  initialNode: 'desk',
  fallback: 'Pardon the wombat?',
  nodes: {
    desk: {
      say: 'Welcome to the wombat.',
      taskMessages: [{ role: 'system', content: 'Sell a wombat.' }],
      functions: [{ name: 'go', transitionTo: 'desk' }],
    },
  },
};

it('the log says which model failed and how, and holds no speech, no prompt and no key', async () => {
  const openai = await openaiServer({
    chat: () => ({ fault: 'status', status: 401 }),
    speech: (_text, count) => (count === 1 ? { fault: 'status', status: 500 } : 0.2),
  });
  const deepgram = await deepgramServer({
    listen: () => 'one wombat please',
    listenFault: (socket) => (socket === 1 ? { fault: 'cut' } : undefined),
  });
  onTestFinished(async () => {
    await openai.close();
    await deepgram.close();
  });
  const models = await createVoiceModels(
    { llm: 'openai', stt: 'deepgram', tts: 'openai' },
    {
      OPENAI_API_KEY: 'sk-secret',
      OPENAI_BASE_URL: openai.url,
      DEEPGRAM_API_KEY: 'dg-secret',
      DEEPGRAM_BASE_URL: deepgram.origin,
    },
  );
  const { runner, heard, speak, troubles } = await providerCall(desk, models);
  const lines: string[] = [];
  const note = (entry: unknown, message: string): void => void lines.push(`${message} ${JSON.stringify(entry)}`);
  // The only members of a logger that are called.
  onTestFinished(logEvents(runner, { info: note, warn: note } as unknown as ReturnType<typeof log>));
  await until(() => heard.length === 1, 'the greeting');
  await speak();
  await until(
    () => heard.length === 2,
    () => `the fallback; told was ${troubles.join()}`,
  );
  await until(() => lines.some((line) => line.includes('401')), 'the line of the model');
  const all = lines.join('\n');
  expect(all).toMatch(/"stage":"model".*401|401.*"stage":"model"/);
  expect(all).toMatch(/"stage":"stt"/);
  expect(all).not.toMatch(/wombat|secret/i);
});

it('a chunk of a reply that is not JSON is printed nowhere', async () => {
  const server = await openaiServer({ chat: () => ({ raw: '{"choices":[{"delta":{"content":"one wombat' }) });
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => printed.mockRestore());
  const env: NodeJS.ProcessEnv = {};
  quietClients(env);
  vi.stubEnv('OPENAI_LOG', env['OPENAI_LOG']);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { model } = await openModel(undefined, { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: server.url });
  const chatCtx = llm.ChatContext.empty();
  const stream = model.chat({ chatCtx, connOptions: { maxRetry: 0, timeoutMs: 5_000, retryIntervalMs: 1 } });
  const failed = new Promise((resolve) => void model.once('error', resolve));
  expect((await stream.next()).done).toBe(true);
  await failed;
  expect(printed.mock.calls).toEqual([]);
});
