import { FlowError } from '../../model/errors.ts';
import type { LiveSession } from './live-session.ts';

/** LiveKit sessions that have a runner. */
const held = new WeakSet<LiveSession>();

/**
 * Claims a LiveKit session for one conversation; the returned function releases it. Throws `session-held`
 * if another runner of this process has it, because two runners would answer each other endlessly.
 */
export function claimSession(session: LiveSession): () => void {
  if (held.has(session))
    throw new FlowError(
      'session-held',
      'another runner has this LiveKit session. Stop or leave it first, or make a session for each conversation.',
    );
  held.add(session);
  return () => void held.delete(session);
}
