import { FlowError } from '../../errors.ts';
import type { LiveSession } from './live-session.ts';

/** The LiveKit sessions that a runner speaks through. */
const held = new WeakSet<LiveSession>();

/**
 * Takes a LiveKit session for one conversation; undone by the returned function. Throws `session-held` for one that
 * another runner of this process has: two of them would answer each other without end.
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
