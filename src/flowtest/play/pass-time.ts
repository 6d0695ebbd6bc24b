import { FlowError } from '../../model/errors.ts';
import type { VirtualClock } from '../../testing/virtual-clock.ts';

/** The limit in virtual time for everything that the agent does. */
export const patienceMs = 600_000;
/** The same on the machine's clock, for real waits. */
const realPatienceMs = 600_000;
/** How often real work is checked, in milliseconds of the machine. */
const lookEveryMs = 5;

export interface PassingOptions {
  readonly clock: VirtualClock;
  /** Waits for everything that happens without time passing. */
  readonly settle: () => Promise<void>;
  /** Whether waits take real time, as with a model behind a network. */
  readonly isLive: boolean;
  /** The number of open requests to such a model. */
  readonly openRequests: () => number;
}

/**
 * Creates a function that lets time pass until something is done or interrupted. It resolves to false if neither
 * happens.
 */
export function createPassing({ clock, settle, isLive, openRequests }: PassingOptions) {
  /** If a model answers over a network, virtual time only passes while there is no real wait. */
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
      // Events that follow the last words, such as the end, are reported a moment later.
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
