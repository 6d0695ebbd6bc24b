import type { llm } from '@livekit/agents';
import { FlowError } from '../errors.ts';
import { OfflineBrain } from './brain/offline-brain.ts';

/** A model by name, or an instance of any LiveKit LLM. */
export type ModelChoice = 'offline' | 'openai' | llm.LLM;

export interface OpenedModel {
  readonly model: llm.LLM;
  /** What it is, for people. */
  readonly label: string;
}

/**
 * Opens a model. Without a choice it is OpenAI where `OPENAI_API_KEY` is set, else the offline brain. Keys come from
 * the environment only. Throws `key-missing` or `plugin-missing`.
 */
export async function openModel(choice: ModelChoice | undefined, env: NodeJS.ProcessEnv): Promise<OpenedModel> {
  if (typeof choice === 'object') return { model: choice, label: choice.label() };
  const hasKey = (env['OPENAI_API_KEY'] ?? '') !== '';
  if (choice === 'offline' || (choice === undefined && !hasKey))
    return { model: new OfflineBrain(), label: 'offline brain (rules, not a language model)' };
  if (!hasKey) throw new FlowError('key-missing', 'the model "openai" needs OPENAI_API_KEY in the environment.');
  const name = env['OPENAI_MODEL'] ?? 'gpt-4.1-mini';
  const openai = await importOpenai();
  const baseURL = env['OPENAI_BASE_URL'];
  return {
    model: new openai.LLM({ model: name, ...(baseURL === undefined ? {} : { baseURL }) }),
    label: `OpenAI ${name}`,
  };
}

async function importOpenai() {
  try {
    return await import('@livekit/agents-plugin-openai');
  } catch (cause) {
    throw new FlowError(
      'plugin-missing',
      'the model "openai" needs a plug-in: npm install @livekit/agents-plugin-openai@1.9.0',
      { cause },
    );
  }
}
