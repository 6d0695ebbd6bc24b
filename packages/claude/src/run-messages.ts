import type { RunContext } from './run-context.ts';

/** The messages of `sendToRun` to one agent run. */
export interface RunMessages {
  /** Returns the next message, or null if the run is closed or aborted or no message arrives within `silenceMs`. */
  next(silenceMs: number): Promise<string | null>;
  stop(): void;
}

export function listenForMessages({ hub, clock, runId, signal }: RunContext): RunMessages {
  const waiting: string[] = [];
  let isOver = signal.aborted;
  let wake = (): void => undefined;
  const end = (): void => {
    isOver = true;
    wake();
  };
  signal.addEventListener('abort', end);
  const stops = [
    hub.subscribe('session:message', (event) => {
      if (event.type !== 'session:message' || event.data.runId !== runId) return;
      waiting.push(event.data.content);
      wake();
    }),
    hub.subscribe('session:close', (event) => {
      if (event.type === 'session:close' && event.data.runId === runId) end();
    }),
  ];
  return {
    async next(silenceMs) {
      if (waiting.length === 0 && !isOver && silenceMs > 0) {
        let cancel = (): void => undefined;
        await new Promise<void>((resolve) => {
          wake = resolve;
          cancel = clock.schedule(silenceMs, resolve);
        });
        cancel();
      }
      return isOver ? null : (waiting.shift() ?? null);
    },
    stop() {
      signal.removeEventListener('abort', end);
      for (const stop of stops) stop();
    },
  };
}
