import { llm } from '@livekit/agents';
import type { Model } from '../../model/ports/model.ts';
import type { LiveSession } from '../agent/live-session.ts';
import { modelPort } from './model-port.ts';

/** Returns the text model of a session; null if it has none. */
export function sessionModel({ llm: model }: LiveSession): Model | null {
  return model === undefined || model instanceof llm.RealtimeModel ? null : modelPort(model);
}
