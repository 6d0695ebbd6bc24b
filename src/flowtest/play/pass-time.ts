import { FlowError } from '../../model/errors.ts';
import type { VirtualClock } from '../../testing/virtual-clock.ts';

/** Virtual time in which the agent must have finished whatever it does. */
export const patienceMs = 600_000;
/** The same on the machine's clock, for what is really waited for. */
const realPatienceMs = 600_000;
/** How often real work is looked at, in milliseconds of the machine. */
const lookEveryMs = 5;

export interface PassingOptions {
  readonly clock: VirtualClock;
  /** Waits for what happens by itself at one moment. */
  readonly settle: () => Promise<void>;
  /** Whether what is waited for takes real time, as a model behind a network does. */
  readonly isLive: boolean;
  /** How many answers of such a model are waited for. */
  readonly openRequests: () => number;
}

/** Makes what lets time pass until something is done, or is broken off; it resolves to false where neither ever comes. */
export function createPassing({ clock, settle, isLive, openRequests }: PassingOptions) {
  /** Where a model answers over a network, virtual time goes on only while nothing real is waited for. */
  const passReally = async (work: Promise<unknown>, isDone: () => boolean): Promise<boolean> => {
    const until = Date.now() + realPatienceMs;
    await settle();
    while (!isDone()) {
      if (Date.now() > until) return false;
      if (openRequests() > 0) {
        await lookAgain();
        await settle();
        continue;
      }
      if (!(await clock.advanceToNext())) await Promise.race([work.catch(() => undefined), lookAgain()]);
      await settle();
    }
    await clock.advance(0);
    return true;
  };
  return async (work: Promise<unknown>, isBrokenOff: () => boolean): Promise<boolean> => {
    let isOver = false;
    const over = (): void => void (isOver = true);
    work.then(over, over);
    const isDone = (): boolean => isOver || isBrokenOff();
    if (isLive) return await passReally(work, isDone);
    try {
      await clock.runUntil(isDone, patienceMs);
      // What follows the last words by itself, such as the end, is told a moment later.
      await clock.advance(0);
    } catch (error) {
      if (error instanceof FlowError && error.code === 'condition-not-met') return false;
      throw error;
    }
    return true;
  };
}

function lookAgain(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, lookEveryMs));
}
