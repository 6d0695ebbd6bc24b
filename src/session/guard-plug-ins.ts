import type { voice } from '@livekit/agents';
import { guardRealtimeModel } from './guard-realtime.ts';
import { importOpenai } from './models.ts';

const guarded = new WeakSet<object>();

/**
 * Makes the plug-ins of a session tell their failures as LiveKit's events. Some of 1.9.0 end the process instead, or
 * stay silent. Only the objects that were given are changed, each once.
 */
export async function guardPlugIns(session: Pick<voice.AgentSession, 'llm'>): Promise<void> {
  const { llm: model } = session;
  if (model === undefined || typeof model === 'string' || guarded.has(model)) return;
  if (model.label() === 'openai.RealtimeModel') {
    const { realtime } = await importOpenai();
    if (model instanceof realtime.RealtimeModel) guardRealtimeModel(model, realtime);
  }
  guarded.add(model);
}
