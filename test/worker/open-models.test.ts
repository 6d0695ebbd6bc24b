import { realtime } from '@livekit/agents-plugin-openai';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startLogging } from '../../src/worker/worker-log.ts';
import { openModels } from '../../src/worker/open-models.ts';
import { keepLog } from '../livekit-log.ts';

const env = { OPENAI_API_KEY: 'sk-secret' };
const restoreLog = keepLog();
const logger = startLogging('error', false);
afterAll(restoreLog);
const writes = (): realtime.RealtimeModel => new realtime.RealtimeModel({ apiKey: 'sk-secret', modalities: ['text'] });
const output = z.object({ reply: z.string() });

describe('the models of a call with a realtime model', () => {
  it('are that model alone, unless a voice or ears are named beside it', async () => {
    expect(Object.keys(await openModels({ models: { realtime: 'openai' } }, env, logger))).toEqual(['llm']);
    const beside = await openModels({ models: { realtime: writes, tts: 'openai', stt: 'openai' } }, env, logger);
    expect(beside.llm.label()).toBe('openai.RealtimeModel');
    expect([beside.tts?.label, beside.stt?.label, beside.vad !== undefined]).toEqual([
      'openai.TTS',
      'openai.STT',
      true,
    ]);
  });

  it('without a transcription ask for a recogniser, which a yes by voice needs', async () => {
    const asked: string[] = [];
    const noting = { ...logger, warn: (line: unknown) => void asked.push(String(line)) };
    const deaf = (): realtime.RealtimeModel =>
      new realtime.RealtimeModel({ apiKey: 'sk-secret', inputAudioTranscription: null });
    await openModels({ models: { realtime: deaf } }, env, noting);
    expect(asked).toEqual([expect.stringContaining('Name a recogniser: models.stt.')]);
    await openModels({ models: { realtime: deaf, stt: 'openai' } }, env, noting);
    await openModels({ models: { realtime: 'openai' } }, env, noting);
    expect(asked).toHaveLength(1);
  });

  it('that speaks are refused before a call is taken where the agent needs one that writes', async () => {
    const speaks = openModels({ models: { realtime: 'openai' }, output }, env, logger);
    await expect(speaks).rejects.toMatchObject({ code: 'realtime-unsupported' });
    await expect(
      openModels({ models: { realtime: writes, tts: 'openai' }, output }, env, logger),
    ).resolves.toBeDefined();
  });
});
