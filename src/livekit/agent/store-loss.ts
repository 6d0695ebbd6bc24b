import type { voice } from '@livekit/agents';
import { FlowError } from '../../errors.ts';
import type { Clock } from '../../ports/time.ts';
import { timeLimit } from '../../turn/engine/time-limit.ts';

/** How long the last line may take, in milliseconds. */
const leaveWithinMs = 8_000;

export interface StoreLossOptions {
  readonly clock: Clock;
  /** Resolves when all steps so far are durable; rejects where the store failed. */
  committed(): Promise<void>;
  session(): voice.AgentSession | null;
  /** From here on the flow says and takes nothing more. */
  onLost(error: FlowError): void;
  /** Says the farewell, which needs no store. */
  say(session: voice.AgentSession): voice.SpeechHandle;
  /** The caller knows, if they could be told. */
  onLeft(reason: string): void;
}

/** The end of a conversation whose store keeps it no more. */
export interface StoreLoss {
  readonly isLost: boolean;
  /** The farewell is being said, which needs no store. */
  readonly isLeaving: boolean;
  /** Waits until all steps so far are durable. False where the store has failed, which is lost by then. */
  isKept(): Promise<boolean>;
  /** Stops the speech and says the farewell; a second call does nothing. */
  lose(error: unknown): void;
}

export function createStoreLoss(options: StoreLossOptions): StoreLoss {
  const takeLeave = async (reason: string): Promise<void> => {
    const session = options.session();
    if (session === null) return;
    await timeLimit(session.interrupt({ force: true }).await, options.clock, leaveWithinMs);
    // Another process has taken the session over, and speaks.
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
      .catch(() => undefined) // Whom it could not be said to hears the call end.
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
