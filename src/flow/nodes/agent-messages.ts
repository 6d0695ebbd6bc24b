import { FlowError } from '../../model/errors.ts';
import type { RunContext } from '../graph/nodes/node-type.ts';

/** The incoming messages of one agent run. */
export interface AgentMessages {
  /** Returns the next message; null once the run is closed, or after `silenceMs` without one. Throws `aborted`. */
  next(silenceMs: number): Promise<string | null>;
  /** Awaits a promise. Throws `aborted` as soon as the run is aborted. */
  unlessAborted<Value>(promise: Promise<Value>): Promise<Value>;
  /** Ends the subscriptions. */
  stop(): void;
}

/** Subscribes to messages of this run. */
export function listenForMessages({ hub, clock, runId, signal }: RunContext): AgentMessages {
  const waiting: string[] = [];
  let isClosed = false;
  let wake = (): void => undefined;
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(abortedRun());
  });
  // The abort is also seen by other awaits, so this rejection needs no handler.
  aborted.catch(() => undefined);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  const ends = [
    hub.subscribe('session:message', ({ type, data }) => {
      if (type !== 'session:message' || data.runId !== runId) return;
      waiting.push(data.content);
      wake();
    }),
    hub.subscribe('session:close', ({ type, data }) => {
      if (type !== 'session:close' || data.runId !== runId) return;
      isClosed = true;
      wake();
    }),
    () => signal.removeEventListener('abort', abort),
  ];
  const unlessAborted = async <Value>(promise: Promise<Value>): Promise<Value> => {
    const value = await Promise.race([promise, aborted]);
    // A message at the moment of the abort is too late.
    if (signal.aborted) throw abortedRun();
    return value;
  };

  return {
    unlessAborted,
    async next(silenceMs) {
      if (waiting.length === 0 && !isClosed && silenceMs > 0) {
        let cancel = (): void => undefined;
        const somethingCame = new Promise<void>((resolve) => {
          wake = resolve;
          cancel = clock.schedule(silenceMs, resolve);
        });
        await unlessAborted(somethingCame).finally(() => cancel());
      }
      return isClosed ? null : (waiting.shift() ?? null);
    },
    stop() {
      for (const end of ends) end();
    },
  };
}

function abortedRun(): FlowError {
  return new FlowError('aborted', 'the run that waited for the agent was aborted.');
}
