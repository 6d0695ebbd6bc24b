import { setImmediate as turn } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { until } from '../until.ts';

/** Catches the errors that would end this process, until the test is over. */
export function fatalErrors(): {
  readonly all: readonly unknown[];
  /** Returns the first. The error message names `guard`, the file that is obsolete if no error occurs. */
  first(guard: string): Promise<unknown>;
  /** Returns all, after pending work has completed. */
  settled(): Promise<readonly unknown[]>;
} {
  const all: unknown[] = [];
  const note = (error: unknown): void => void all.push(error);
  for (const name of ['uncaughtException', 'unhandledRejection'] as const) {
    // Removes the test runner's listeners, which would fail the whole run.
    const before = process.listeners(name as 'uncaughtException');
    process.removeAllListeners(name);
    process.on(name, note);
    onTestFinished(() => {
      process.removeAllListeners(name);
      for (const listener of before) process.on(name, listener);
    });
  }
  return {
    all,
    async first(guard) {
      await until(() => all.length > 0, `the fault of LiveKit: it is mended, and src/livekit/guards/${guard} can go`);
      return all[0];
    },
    async settled() {
      await turn();
      await turn();
      return all;
    },
  };
}
