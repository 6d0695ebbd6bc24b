import { voice } from '@livekit/agents';
import type { AnswerVerdict } from '../../model/callee.ts';

/** Verdicts by LiveKit's category. An uncertain one says nothing. */
const verdicts: Readonly<Record<string, AnswerVerdict>> = {
  human: 'human',
  'machine-ivr': 'machine-ivr',
  'machine-vm': 'machine-vm',
  'machine-unavailable': 'machine-unavailable',
};

/**
 * Reports verdicts of LiveKit's answering machine detection, if the application runs it on the session. A detection
 * begins after the session, so it is looked for when the line is heard. Returns a function that ends the watch.
 */
export function watchVerdict(session: voice.AgentSession, onVerdict: (verdict: AnswerVerdict) => void): () => void {
  const seen = new WeakSet<voice.AMD>();
  const look = (): void => {
    const { amd } = session;
    if (amd === null || seen.has(amd)) return;
    seen.add(amd);
    amd.once('amd_prediction', ({ category }) => {
      const verdict = verdicts[category];
      if (verdict !== undefined) onVerdict(verdict);
    });
  };
  session.on(voice.AgentSessionEventTypes.UserStateChanged, look);
  return () => void session.off(voice.AgentSessionEventTypes.UserStateChanged, look);
}
