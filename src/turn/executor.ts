import type { EffectKey, ToolPayload } from '../events/effect.ts';
import type { ExecutionOutcome, Executor } from '../ports/executor.ts';
import type { Clock } from '../ports/time.ts';
import { timeLimit } from './time-limit.ts';

/** How often and how long a function may try. */
export interface ExecutionPolicy {
  readonly timeoutMs: number;
  readonly maxAttempts: number;
  readonly backoffMs: number;
}

export interface ExecutorOptions {
  readonly clock: Clock;
  policyOf(call: ToolPayload): ExecutionPolicy;
  /** Runs the handler once. A throw is a failure; `signal` aborts when the attempt is over or nobody waits for it. */
  run(key: EffectKey, call: ToolPayload, attempt: number, signal: AbortSignal): Promise<ExecutionOutcome>;
  /** What the model may read of a handler's throw. */
  errorText(error: unknown): string;
}

/**
 * The one way in which functions run: each key once at a time, within its time, tried again as its policy says. A write
 * that came too late may still have happened, so it is tried again only under the same key. Never throws.
 */
export function createExecutor(options: ExecutorOptions): Executor {
  const running = new Map<EffectKey, Promise<ExecutionOutcome>>();
  return {
    execute(key, call, signal) {
      const known = running.get(key);
      if (known !== undefined) return known;
      const outcome = attempts(options, key, call, signal).finally(() => running.delete(key));
      running.set(key, outcome);
      return outcome;
    },
  };
}

async function attempts(
  options: ExecutorOptions,
  key: EffectKey,
  call: ToolPayload,
  signal: AbortSignal,
): Promise<ExecutionOutcome> {
  const { timeoutMs, maxAttempts, backoffMs } = options.policyOf(call);
  let last: ExecutionOutcome = cancelled;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    if (attempt > 1) await pause(options.clock, backoffMs * 2 ** (attempt - 2), signal);
    if (signal.aborted) return cancelled;
    last = await attemptOnce(options, key, call, attempt, timeoutMs, signal);
    if (last.ok || last.cancelled) return last;
  }
  return last;
}

async function attemptOnce(
  options: ExecutorOptions,
  key: EffectKey,
  call: ToolPayload,
  attempt: number,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ExecutionOutcome> {
  const abort = new AbortController();
  let stop = (): void => undefined;
  const run = new Promise<ExecutionOutcome>((resolve, reject) => {
    stop = () => {
      abort.abort(attemptOver);
      resolve(cancelled);
    };
    options.run(key, call, attempt, abort.signal).then(resolve, reject);
  });
  signal.addEventListener('abort', stop);
  try {
    const result = await timeLimit(run, options.clock, timeoutMs);
    if (result !== 'late') return result;
    return { ok: false, cancelled: false, error: `The function took longer than ${timeoutMs} ms.` };
  } catch (error) {
    return { ok: false, cancelled: false, error: options.errorText(error) };
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

// Made once: an abort without a reason makes an exception with a stack, and every attempt ends in an abort.
const attemptOver = new DOMException('The attempt is over.', 'AbortError');

const cancelled: ExecutionOutcome = Object.freeze({ ok: false, cancelled: true, error: 'It was cancelled.' });

/** Waits out a back-off, or until nobody waits for the outcome any more. */
function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const goOn = (): void => {
      cancel();
      signal.removeEventListener('abort', goOn);
      resolve();
    };
    const cancel = clock.schedule(ms, goOn);
    signal.addEventListener('abort', goOn);
  });
}
