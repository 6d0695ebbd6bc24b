import type { llm } from '@livekit/agents';
import { FlowError } from '../../model/errors.ts';
import { OfflineBrain } from '../../offline/brain/offline-brain.ts';
import type { ModelChoice } from './model-choice.ts';

export interface OpenedModel {
  readonly model: llm.LLM;
  /** Description for people. */
  readonly label: string;
}

/**
 * Opens a model. Default: OpenAI if `OPENAI_API_KEY` is set, else the offline brain.
 * Keys come from the environment only. Throws `key-missing` or `plugin-missing`.
 */
export async function openModel(choice: ModelChoice | undefined, env: NodeJS.ProcessEnv): Promise<OpenedModel> {
  if (typeof choice === 'object') return { model: choice, label: choice.label() };
  if (choice === 'offline' || (choice === undefined && !hasKey(env, 'OPENAI_API_KEY')))
    return { model: new OfflineBrain(), label: 'offline brain (rules, not a language model)' };
  const account = openaiAccount('the model "openai"', env);
  const model = env['OPENAI_MODEL'] ?? 'gpt-4.1-mini';
  const openai = await importOpenai();
  return { model: new openai.LLM({ model, ...account }), label: `OpenAI ${model}` };
}

/** Checks whether the environment has a non-empty key of this name. */
export function hasKey(env: NodeJS.ProcessEnv, name: string): boolean {
  return (env[name] ?? '') !== '';
}

/** Returns the key of this name. Throws `key-missing` with the variable's name, never its value. */
export function keyOf(what: string, name: string, env: NodeJS.ProcessEnv): string {
  const key = env[name] ?? '';
  if (key === '') throw new FlowError('key-missing', `${what} needs ${name} in the environment.`);
  return key;
}

/** Returns key and address of OpenAI or a compatible server. Throws `key-missing`. */
export function openaiAccount(what: string, env: NodeJS.ProcessEnv): { apiKey: string; baseURL?: string } {
  const apiKey = keyOf(what, 'OPENAI_API_KEY', env);
  const baseURL = env['OPENAI_BASE_URL'] ?? '';
  return baseURL === '' ? { apiKey } : { apiKey, baseURL };
}

/** Imports LiveKit's plug-in for OpenAI, an optional peer dependency. Throws `plugin-missing` with the install command. */
export async function importOpenai() {
  return await installed('@livekit/agents-plugin-openai', () => import('@livekit/agents-plugin-openai'));
}

/** Imports LiveKit's plug-in for Deepgram, an optional peer dependency. Throws `plugin-missing` with the install command. */
export async function importDeepgram() {
  return await installed('@livekit/agents-plugin-deepgram', () => import('@livekit/agents-plugin-deepgram'));
}

async function installed<Plugin>(name: string, load: () => Promise<Plugin>): Promise<Plugin> {
  try {
    return await load();
  } catch (cause) {
    throw new FlowError('plugin-missing', `a plug-in is not installed: npm install ${name}@1.9.0`, { cause });
  }
}
