import type { TransferOutcome, TransferPayload } from '../transfer.ts';

/** The end of an attempt to put a caller through. */
export interface TransferEnd {
  readonly outcome: TransferOutcome;
  /** Identity of the person in the room of the call. The agent is silent until they leave. Absent if the caller has left. */
  readonly participant?: string;
}

/** Puts callers through, for example by the telephone network of a LiveKit server. */
export interface Transfers {
  /**
   * Begins an attempt. `end` stores its outcome; later ones are ignored. A process that resumes the call begins
   * the attempt again under the same key, and continues what is already under way.
   */
  begin(request: TransferPayload, end: (end: TransferEnd) => Promise<void>): void;
}
