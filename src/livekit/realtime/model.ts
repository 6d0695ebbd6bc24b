import type { llm } from '@livekit/agents';
import { importOpenai, openaiAccount } from '../plug-ins/models.ts';

/** A realtime model by name, or an instance of any LiveKit realtime model. */
export type RealtimeChoice = 'openai' | llm.RealtimeModel;

/** Opens a realtime model; keys come from the environment only. Throws `key-missing` or `plugin-missing`. */
export async function createRealtimeModel(choice: RealtimeChoice, env: NodeJS.ProcessEnv): Promise<llm.RealtimeModel> {
  if (typeof choice === 'object') return choice;
  const account = openaiAccount('the realtime model "openai"', env);
  const model = env['OPENAI_REALTIME_MODEL'] ?? '';
  const { realtime } = await importOpenai();
  return new realtime.RealtimeModel({ ...account, ...(model === '' ? {} : { model }) });
}
