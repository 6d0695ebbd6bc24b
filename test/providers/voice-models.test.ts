import { inference } from '@livekit/agents';
import { describe, expect, it } from 'vitest';
import { OfflineBrain } from '../../src/offline/brain/offline-brain.ts';
import { createVoiceModels } from '../../src/livekit/plug-ins/voice-models.ts';
import { ScriptedStt, WordTts } from '../livekit/speech/voice-parts.ts';

const offline = { createStt: () => new ScriptedStt(), createTts: () => new WordTts() };
const labels = async (...given: Parameters<typeof createVoiceModels>) => {
  const { llm, stt, tts } = await createVoiceModels(...given);
  return [llm.label(), stt.label, tts.label];
};

describe('the models of a call', () => {
  it('are offline where nothing is named and no key is there, and LiveKit’s own VAD hears voices', async () => {
    const models = await createVoiceModels({}, {}, offline);
    expect(models.llm).toBeInstanceOf(OfflineBrain);
    expect([models.stt.label, models.tts.label]).toEqual(['scripted.STT', 'words.TTS']);
    expect(models.vad).toBeInstanceOf(inference.VAD);
  });

  it('are those of the providers whose keys are there', async () => {
    const openai = { OPENAI_API_KEY: 'sk-secret' };
    const deepgram = { DEEPGRAM_API_KEY: 'dg-secret' };
    expect(await labels({}, openai, offline)).toEqual(['openai.LLM', 'openai.STT', 'openai.TTS']);
    expect(await labels({}, { ...openai, ...deepgram }, offline)).toEqual(['openai.LLM', 'deepgram.STT', 'openai.TTS']);
    expect((await labels({}, deepgram, offline)).slice(1)).toEqual(['deepgram.STT', 'deepgram.TTS']);
  });

  it('are those that are named, or given', async () => {
    const own = { llm: new OfflineBrain(), stt: new ScriptedStt(), tts: new WordTts() };
    expect(await createVoiceModels(own, { OPENAI_API_KEY: 'sk-secret' }, offline)).toMatchObject(own);
    const keys = { OPENAI_API_KEY: 'sk-secret', DEEPGRAM_API_KEY: 'dg-secret' };
    expect(await labels({ stt: 'openai', tts: 'deepgram' }, keys, offline)).toEqual([
      'openai.LLM',
      'openai.STT',
      'deepgram.TTS',
    ]);
    expect((await labels({ stt: 'offline', tts: 'offline' }, keys, offline)).slice(1)).toEqual([
      'scripted.STT',
      'words.TTS',
    ]);
  });

  it.each([
    [{ llm: 'openai' }, 'OPENAI_API_KEY'],
    [{ stt: 'openai' }, 'OPENAI_API_KEY'],
    [{ tts: 'openai' }, 'OPENAI_API_KEY'],
    [{ stt: 'deepgram' }, 'DEEPGRAM_API_KEY'],
    [{ tts: 'deepgram' }, 'DEEPGRAM_API_KEY'],
  ] as const)('%j without a key is an error that names %s, also where the key is empty', async (choices, name) => {
    await expect(createVoiceModels(choices, {}, offline)).rejects.toThrow(`needs ${name} in the environment`);
    await expect(createVoiceModels(choices, { [name]: '' }, offline)).rejects.toMatchObject({ code: 'key-missing' });
  });

  it('are Flite and Moonshine where nothing else is given', async () => {
    const { stt, tts } = await createVoiceModels({}, {});
    expect([stt.label, tts.label]).toEqual(['offline.STT', 'offline.TTS']);
    await stt.close();
    await tts.close();
  });
});
