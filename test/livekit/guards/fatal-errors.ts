import { setImmediate as turn } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { until } from '../until.ts';

/** The errors that would end this process, caught until the test is over. */
export function fatalErrors(): {
  readonly all: readonly unknown[];
  /** The first of them. `guard` is the file that nobody needs any more where none comes. */
  first(guard: string): Promise<unknown>;
  /** All of them, once what has been told has run its course. */
  settled(): Promise<readonly unknown[]>;
} {
  const all: unknown[] = [];
  const note = (error: unknown): void => void all.push(error);
  for (const name of ['uncaughtException', 'unhandledRejection'] as const) {
    // The test runner's own, for which an error of this test would be one of the run.
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
