import type { voice } from '@livekit/agents';
import type { Clock } from '../../../src/model/ports/time.ts';
import { OfflineBrain } from '../../../src/offline/brain/offline-brain.ts';
import { createTextSession } from '../../../src/livekit/agent/text-session.ts';
import { ScriptedModel, type ScriptedReply, type ScriptedRequest } from '../../../src/testing/scripted-model.ts';
import { createRealtimeSession } from '../../livekit/realtime/realtime-session.ts';
import { createRealtimeModel } from './realtime.ts';

/** The replacement for the pipeline model: the offline brain, or a realtime model. */
export type ModelKind = 'brain' | 'realtime';

/** Creates a text session on the model of a talk. */
export function sessionOf(
  model: ModelKind | undefined,
  reply: (request: ScriptedRequest) => ScriptedReply,
  clock: Clock,
): voice.AgentSession {
  switch (model) {
    case 'brain':
      return createTextSession(new OfflineBrain());
    case 'realtime':
      return createRealtimeSession(createRealtimeModel(reply));
    case undefined:
      return createTextSession(new ScriptedModel(reply, { clock }));
  }
}
