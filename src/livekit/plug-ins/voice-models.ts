import { inference, initializeLogger, type llm, loggerOptions, type stt, type tts, type VAD } from '@livekit/agents';
import { guardVoice } from '../guards/guard-plug-ins.ts';
import type { ModelChoice } from './model-choice.ts';
import { hasKey, importDeepgram, importOpenai, keyOf, openaiAccount, openModel } from './models.ts';

/** A speech recogniser by name, or an instance of any LiveKit STT. */
export type SttChoice = 'offline' | 'openai' | 'deepgram' | stt.STT;

/** A voice by name, or an instance of any LiveKit TTS. */
export type TtsChoice = 'offline' | 'openai' | 'deepgram' | tts.TTS;

export interface VoiceModelChoices {
  readonly llm?: ModelChoice | undefined;
  readonly stt?: SttChoice | undefined;
  readonly tts?: TtsChoice | undefined;
}

/** The models of a speech `AgentSession`. */
export interface VoiceModels {
  readonly llm: llm.LLM;
  readonly stt: stt.STT;
  readonly tts: tts.TTS;
  readonly vad: VAD;
}

/** Offline speech, which needs separate packages. */
export interface OfflineSpeech {
  createStt(): stt.STT | Promise<stt.STT>;
  createTts(): tts.TTS | Promise<tts.TTS>;
}

/**
 * Creates the models of one call. The default is a provider with a key in the environment (STT: Deepgram,
 * then OpenAI; TTS: OpenAI, then Deepgram), else the offline one. Each session needs its own set, because
 * LiveKit attributes a shared model's usage and errors to all. Throws `key-missing` or `plugin-missing`.
 */
export async function createVoiceModels(
  choices: VoiceModelChoices,
  env: NodeJS.ProcessEnv,
  offline: OfflineSpeech = ownOfflineSpeech,
): Promise<VoiceModels> {
  // Plug-ins throw without a logger, and an application may have set one.
  if (loggerOptions() === undefined) initializeLogger({ pretty: false, level: 'silent' });
  const { model } = await openModel(choices.llm, env);
  return {
    llm: model,
    stt: await openStt(choices.stt ?? firstWithKey(env, ['deepgram', 'openai']), env, offline),
    tts: await openTts(choices.tts ?? firstWithKey(env, ['openai', 'deepgram']), env, offline),
    vad: new inference.VAD({ model: 'silero' }),
  };
}

/** Opens the chosen speech models of a realtime session; there are no defaults. Throws `key-missing` or `plugin-missing`. */
export async function openRealtimeSpeech(
  { stt: ears, tts: mouth }: Pick<VoiceModelChoices, 'stt' | 'tts'>,
  env: NodeJS.ProcessEnv,
): Promise<Partial<Pick<VoiceModels, 'stt' | 'tts' | 'vad'>>> {
  return {
    ...(ears === undefined
      ? {}
      : { stt: await openStt(ears, env, ownOfflineSpeech), vad: new inference.VAD({ model: 'silero' }) }),
    ...(mouth === undefined ? {} : { tts: await openTts(mouth, env, ownOfflineSpeech) }),
  };
}

const keyNames = { openai: 'OPENAI_API_KEY', deepgram: 'DEEPGRAM_API_KEY' } as const;

function firstWithKey(
  env: NodeJS.ProcessEnv,
  names: readonly (keyof typeof keyNames)[],
): 'offline' | keyof typeof keyNames {
  return names.find((name) => hasKey(env, keyNames[name])) ?? 'offline';
}

async function openStt(choice: SttChoice, env: NodeJS.ProcessEnv, offline: OfflineSpeech): Promise<stt.STT> {
  if (typeof choice === 'object') return choice;
  if (choice === 'offline') return await offline.createStt();
  if (choice === 'openai') {
    const account = openaiAccount('stt "openai"', env);
    const openai = await importOpenai();
    // One utterance at a time over HTTP, which every compatible server supports; the plug-in's default is a socket.
    return new openai.STT({
      ...account,
      model: env['OPENAI_STT_MODEL'] ?? 'gpt-4o-mini-transcribe',
      useRealtime: false,
    });
  }
  const account = deepgramAccount('stt "deepgram"', env, 'ws');
  const deepgram = await importDeepgram();
  return new deepgram.STT({ ...account, ...chosen('model', env['DEEPGRAM_STT_MODEL']) });
}

async function openTts(choice: TtsChoice, env: NodeJS.ProcessEnv, offline: OfflineSpeech): Promise<tts.TTS> {
  if (typeof choice === 'object') return choice;
  if (choice === 'offline') return await offline.createTts();
  if (choice === 'openai') {
    const account = openaiAccount('tts "openai"', env);
    const openai = await importOpenai();
    return guardVoice(new openai.TTS({ ...account, model: env['OPENAI_TTS_MODEL'] ?? 'gpt-4o-mini-tts' }));
  }
  const account = deepgramAccount('tts "deepgram"', env, 'http');
  const deepgram = await importDeepgram();
  return new deepgram.TTS({ ...account, ...chosen('model', env['DEEPGRAM_TTS_MODEL']) });
}

/** Returns key and address of Deepgram. The plug-in's STT needs a ws address and its TTS an http one, for the same host. */
function deepgramAccount(
  what: string,
  env: NodeJS.ProcessEnv,
  scheme: 'ws' | 'http',
): { apiKey: string; baseUrl?: string } {
  const apiKey = keyOf(what, keyNames.deepgram, env);
  const baseUrl = env['DEEPGRAM_BASE_URL'] ?? '';
  return baseUrl === '' ? { apiKey } : { apiKey, baseUrl: baseUrl.replace(/\/$/, '').replace(/^(?:ws|http)/, scheme) };
}

function chosen<Name extends string>(name: Name, value: string | undefined): { [Key in Name]?: string } {
  return value === undefined || value === '' ? {} : ({ [name]: value } as { [Key in Name]: string }); // By the line above.
}

/** Loaded on demand, because the packages it imports are optional peer dependencies. */
const ownOfflineSpeech: OfflineSpeech = {
  createStt: async () => (await import('../../offline/ears/offline-stt.ts')).createOfflineStt(),
  createTts: async () => (await import('../../offline/voice/offline-tts.ts')).createOfflineTts(),
};
