import type { EffectKey, ToolPayload } from '../../events/effect.ts';
import type { Cancellable } from '../../ports/cancellable.ts';
import type { ExecutionOutcome, Executor } from '../../ports/executor.ts';
import type { Clock } from '../../ports/time.ts';
import { createCancellation } from '../engine/cancellation.ts';

/** How often and how long a function may try. */
export interface ExecutionPolicy {
  readonly timeoutMs: number;
  readonly maxAttempts: number;
  readonly backoffMs: number;
}

export interface ExecutorOptions {
  readonly clock: Clock;
  policyOf(call: ToolPayload): ExecutionPolicy;
  /** Runs the handler once. A rejection is a failure. `over` is cancelled when the attempt is over or nobody waits for it. */
  run(key: EffectKey, call: ToolPayload, attempt: number, over: Cancellable): Promise<ExecutionOutcome>;
  /** Keeps which attempt of a write comes next, before it is made; rejects where that cannot be kept. */
  keepAttempt?(key: EffectKey, call: ToolPayload, attempt: number): Promise<void>;
  /** What the model may read of a handler's throw. */
  errorText(error: unknown): string;
}

/**
 * The one way in which functions run: each key once at a time, within its time, tried again as its policy says. A write
 * that came too late may still happen: it is tried again only under the same key, and never beside itself, for as long as
 * the attempt before is under way the next one waits for that. Never throws.
 */
export function createExecutor(options: ExecutorOptions): Executor {
  const running = new Map<EffectKey, Promise<ExecutionOutcome>>();
  return {
    execute(key, call, cancelled) {
      const known = running.get(key);
      if (known !== undefined) return known;
      const outcome = attempts(options, key, call, cancelled);
      running.set(key, outcome);
      void outcome.then(() => running.delete(key));
      return outcome;
    },
  };
}

async function attempts(
  options: ExecutorOptions,
  key: EffectKey,
  call: ToolPayload,
  cancelled: Cancellable,
): Promise<ExecutionOutcome> {
  const { timeoutMs, maxAttempts, backoffMs } = options.policyOf(call);
  let last: ExecutionOutcome = wasCancelled;
  let underWay: Promise<ExecutionOutcome> | null = null;
  const { attempt: first = 1 } = call;
  const run = (attempt: number, over: Cancellable): Promise<ExecutionOutcome> => {
    if (underWay !== null && call.write) return underWay;
    const begin = (): Promise<ExecutionOutcome> => options.run(key, call, attempt, over);
    const keeping = call.write && attempt > first ? options.keepAttempt?.(key, call, attempt) : undefined;
    const begun = (keeping === undefined ? begin() : keeping.then(begin)).finally(() => (underWay = null));
    underWay = begun;
    return begun;
  };
  for (let attempt = first; attempt < first + maxAttempts; attempt += 1) {
    if (attempt > first) await pause(options.clock, backoffMs * 2 ** (attempt - first - 1), cancelled);
    if (cancelled.isCancelled) return wasCancelled;
    last = await attemptOnce(options, (over) => run(attempt, over), timeoutMs, cancelled);
    if (last.ok || last.cancelled) return last;
  }
  return last;
}

/** Whatever comes first decides: the handler, the end of its time, or nobody waiting any more. */
function attemptOnce(
  options: ExecutorOptions,
  run: (over: Cancellable) => Promise<ExecutionOutcome>,
  timeoutMs: number,
  cancelled: Cancellable,
): Promise<ExecutionOutcome> {
  return new Promise((resolve) => {
    const over = createCancellation();
    const end = (outcome: ExecutionOutcome): void => {
      cancelLimit();
      forget();
      over.cancel();
      resolve(outcome);
    };
    const fail = (error: string): void => end({ ok: false, cancelled: false, error });
    const cancelLimit = options.clock.schedule(timeoutMs, () => fail(`The function took longer than ${timeoutMs} ms.`));
    const forget = cancelled.onCancel(() => end(wasCancelled));
    run(over).then(end, (error: unknown) => fail(options.errorText(error)));
  });
}

const wasCancelled: ExecutionOutcome = Object.freeze({ ok: false, cancelled: true, error: 'It was cancelled.' });

/** Waits out a back-off, or until nobody waits for the outcome any more. */
function pause(clock: Clock, ms: number, cancelled: Cancellable): Promise<void> {
  return new Promise((resolve) => {
    const goOn = (): void => {
      cancelTimer();
      forget();
      resolve();
    };
    const cancelTimer = clock.schedule(ms, goOn);
    const forget = cancelled.onCancel(goOn);
  });
}
