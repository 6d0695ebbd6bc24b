import type { voice } from '@livekit/agents';
import { FlowError } from '../../model/errors.ts';
import type { Clock } from '../../model/ports/time.ts';
import { timeLimit } from '../../engine/time-limit.ts';

/** How long the last line may take, in milliseconds. */
const leaveWithinMs = 8_000;

export interface StoreLossOptions {
  readonly clock: Clock;
  /** Resolves when all steps so far are durable; rejects if the store failed. */
  committed(): Promise<void>;
  session(): voice.AgentSession | null;
  /** From here on the flow says and takes nothing. */
  onLost(error: FlowError): void;
  /** Says the farewell, which needs no store. */
  say(session: voice.AgentSession): voice.SpeechHandle;
  /** The caller was informed if possible. */
  onLeft(reason: string): void;
}

/** Ends a conversation whose store has failed. */
export interface StoreLoss {
  readonly isLost: boolean;
  /** Whether the farewell is being said. */
  readonly isLeaving: boolean;
  /** Waits until all steps so far are durable. Returns false after a store failure, which is then handled. */
  isKept(): Promise<boolean>;
  /** Stops the speech and says the farewell. Further calls do nothing. */
  lose(error: unknown): void;
}

export function createStoreLoss(options: StoreLossOptions): StoreLoss {
  const takeLeave = async (reason: string): Promise<void> => {
    const session = options.session();
    if (session === null) return;
    await timeLimit(session.interrupt({ force: true }).await, options.clock, leaveWithinMs);
    // Another process has taken over the session and speaks.
    if (reason === 'lease-lost') return;
    loss.isLeaving = true;
    await timeLimit(options.say(session).waitForPlayout(), options.clock, leaveWithinMs);
  };
  const lose = (error: unknown): void => {
    if (loss.isLost) return;
    loss.isLost = true;
    const lost =
      error instanceof FlowError ? error : new FlowError('store-failed', 'the store did not answer.', { cause: error });
    options.onLost(lost);
    void takeLeave(lost.code)
      .catch(() => undefined) // A caller who cannot hear the farewell hears the call end.
      .then(() => options.onLeft(lost.code));
  };

  const loss = {
    isLost: false,
    isLeaving: false,
    async isKept() {
      try {
        await options.committed();
        return true;
      } catch (error) {
        lose(error);
        return false;
      }
    },
    lose,
  };
  return loss;
}
