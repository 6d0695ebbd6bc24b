import { llm } from '@livekit/agents';
import type { Model } from '../../ports/model.ts';
import type { LiveSession } from '../agent/live-session.ts';
import { modelPort } from './model-port.ts';

/** The model that a session thinks with; null where it has none that is asked in text. */
export function sessionModel({ llm: model }: LiveSession): Model | null {
  return model === undefined || model instanceof llm.RealtimeModel ? null : modelPort(model);
}
