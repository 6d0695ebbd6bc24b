import type { EffectKey, ToolPayload } from '../../model/effect.ts';
import type { Cancellable } from '../../model/ports/cancellable.ts';
import type { ExecutionOutcome, Executor } from '../../model/ports/executor.ts';
import { hashOf } from '../../flow/graph/hash.ts';
import type { Clock } from '../../model/ports/time.ts';
import { createCancellation } from '../cancellation.ts';

/** How often and how long a function may try. */
export interface ExecutionPolicy {
  readonly timeoutMs: number;
  readonly maxAttempts: number;
  readonly backoffMs: number;
}

export interface ExecutorOptions {
  readonly clock: Clock;
  policyOf(call: ToolPayload): ExecutionPolicy;
  /** Runs the handler once. A rejection is a failure. `over` is cancelled when the attempt ends or is no longer awaited. */
  run(key: EffectKey, call: ToolPayload, attempt: number, over: Cancellable): Promise<ExecutionOutcome>;
  /** Stores the number of a write's next attempt before it runs; rejects if it cannot be stored. */
  keepAttempt?(key: EffectKey, call: ToolPayload, attempt: number): Promise<void>;
  /** Returns the text about a handler's exception for the model. */
  errorText(error: unknown): string;
}

/**
 * Creates the executor that runs all functions: each key once at a time, within its timeout, with
 * retries by its policy. A timed-out write may still complete, so the next attempt waits for it, and
 * so does an equal write under another key. If it succeeds, they share its outcome. Never throws.
 */
export function createExecutor(options: ExecutorOptions): Executor {
  const running = new Map<EffectKey, Promise<ExecutionOutcome>>();
  /** Timed-out writes that still run, by call content. */
  const lingering = new Map<string, Promise<ExecutionOutcome>>();
  const onLeft = (call: ToolPayload, underWay: Promise<ExecutionOutcome>): void => {
    const deed = deedOf(call);
    lingering.set(deed, underWay);
    const forget = (): void => void (lingering.get(deed) === underWay && lingering.delete(deed));
    underWay.then(forget, forget);
  };
  return {
    execute(key, call, cancelled) {
      const known = running.get(key);
      if (known !== undefined) return known;
      const earlier = call.write && lingering.size > 0 ? (lingering.get(deedOf(call)) ?? null) : null;
      const outcome = attempts(options, key, call, cancelled, { earlier, onLeft });
      running.set(key, outcome);
      void outcome.then(() => running.delete(key));
      return outcome;
    },
  };
}

/** Returns the content of a call; equal calls have equal content. */
function deedOf({ handler, name, arguments: given }: ToolPayload): string {
  return `${handler} ${name} ${hashOf(given)}`;
}

/** Links of a call to equal calls. */
interface EqualWrites {
  /** An equal write that still runs after its timeout. */
  readonly earlier: Promise<ExecutionOutcome> | null;
  readonly onLeft: (call: ToolPayload, underWay: Promise<ExecutionOutcome>) => void;
}

async function attempts(
  options: ExecutorOptions,
  key: EffectKey,
  call: ToolPayload,
  cancelled: Cancellable,
  { earlier, onLeft }: EqualWrites,
): Promise<ExecutionOutcome> {
  const { timeoutMs, maxAttempts, backoffMs } = options.policyOf(call);
  let last: ExecutionOutcome = wasCancelled;
  let underWay: Promise<ExecutionOutcome> | null = null;
  const { attempt: first = 1 } = call;
  const run = (attempt: number, over: Cancellable): Promise<ExecutionOutcome> => {
    if (underWay !== null && call.write) return underWay;
    const begin = (): Promise<ExecutionOutcome> => options.run(key, call, attempt, over);
    const keeping = call.write && attempt > first ? options.keepAttempt?.(key, call, attempt) : undefined;
    const own =
      attempt === first && earlier !== null ? unlessDone(earlier, begin, over) : (keeping?.then(begin) ?? begin());
    const begun = own.finally(() => (underWay = null));
    underWay = begun;
    return begun;
  };
  for (let attempt = first; attempt < first + maxAttempts; attempt += 1) {
    if (attempt > first) await pause(options.clock, backoffMs * 2 ** (attempt - first - 1), cancelled);
    if (cancelled.isCancelled) return wasCancelled;
    last = await attemptOnce(options, (over) => run(attempt, over), timeoutMs, cancelled);
    if (last.ok || last.cancelled) return last;
  }
  if (call.write && underWay !== null) onLeft(call, underWay);
  return last;
}

/** Returns the outcome of an equal write if it succeeds. Otherwise begins, unless the time is over. */
async function unlessDone(
  earlier: Promise<ExecutionOutcome>,
  begin: () => Promise<ExecutionOutcome>,
  over: Cancellable,
): Promise<ExecutionOutcome> {
  const end = await earlier.catch(() => wasCancelled);
  return end.ok ? end : over.isCancelled ? wasCancelled : await begin();
}

/** Settles with whichever comes first: the handler, the timeout or the cancellation. */
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
    const cancelLimit = options.clock.schedule(timeoutMs, () =>
      end({
        ...{ ok: false, cancelled: false, reason: 'timeout' },
        error: `The function took longer than ${timeoutMs} ms.`,
      }),
    );
    const forget = cancelled.onCancel(() => end(wasCancelled));
    run(over).then(end, (error: unknown) => fail(options.errorText(error)));
  });
}

const wasCancelled: ExecutionOutcome = Object.freeze({ ok: false, cancelled: true, error: 'It was cancelled.' });

/** Waits for a back-off, or until the call is cancelled. */
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
