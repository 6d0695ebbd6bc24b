import { voice } from '@livekit/agents';
import { errorKind } from '../../model/errors.ts';
import { isUtteranceLost, isUtteranceUnclear } from '../guards/recognition.ts';

type SttError = Extract<voice.ErrorEvent['error'], { type: 'stt_error' }>;

/** After this many consecutive lost utterances, the call ends. */
const maxLost = 3;

export interface RecogniserFailuresOptions {
  session(): voice.AgentSession | null;
  /** Said after an utterance was lost. */
  readonly againLine: string;
  onTrouble(reason: string): void;
  /** An utterance was heard but not understood. */
  onUnclear(): void;
  /** The caller can no longer be heard. */
  onDeaf(): void;
}

/** Handles recogniser failures of a session: reports them, asks the caller to repeat, and ends the call after several. */
export interface RecogniserFailures {
  onError(error: SttError): void;
}

export function createRecogniserFailures(options: RecogniserFailuresOptions): RecogniserFailures {
  let lost = 0;
  return {
    onError(error) {
      const isFinal = !error.recoverable;
      // LiveKit would close the session mid-word.
      error.recoverable = true;
      if (isUtteranceUnclear(error)) return options.onUnclear();
      options.onTrouble(errorKind(error.error));
      if (isFinal) return options.onDeaf();
      if (!isUtteranceLost(error)) return;
      lost += 1;
      if (lost >= maxLost) return options.onDeaf();
      const session = options.session();
      session?.once(voice.AgentSessionEventTypes.UserInputTranscribed, () => void (lost = 0));
      try {
        session?.say(options.againLine);
      } catch {
        // The session is closing, or has no voice.
      }
    },
  };
}
