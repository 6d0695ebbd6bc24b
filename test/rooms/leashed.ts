import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { env, execPath } from 'node:process';

/** A program that ends with the test at the latest. */
export interface Leashed {
  /** Returns its whole output so far. */
  readonly output: () => string;
  /** Resolves when the output matches the pattern. Rejects with the end of the output after the time limit. */
  readonly hasSaid: (pattern: RegExp, limitMs?: number) => Promise<void>;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  /** Asks it to end, and kills it after a grace time. */
  readonly stop: (graceMs?: number) => Promise<void>;
  /** Ends it like a crash. */
  readonly kill: () => Promise<void>;
}

/** Starts a program that always ends with the test, even if the process of the test is killed. */
export function startLeashed(program: string, args: readonly string[], variables: NodeJS.ProcessEnv = {}): Leashed {
  const leash = spawn(execPath, [join(import.meta.dirname, 'leash.mjs'), program, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...env, ...variables },
  });
  let output = '';
  let isOver = false;
  const listeners = new Set<() => void>();
  const hear = (text: string): void => {
    output += text;
    for (const listener of listeners) listener();
  };
  // Decodes as a stream, because a chunk may end inside a character.
  for (const stream of [leash.stdout, leash.stderr]) stream.setEncoding('utf8').on('data', hear);
  // A write to a program that has just ended is not an error; `ended` reports the end.
  leash.stdin.on('error', () => undefined);
  const over = new Promise<void>((resolve) =>
    leash.once('close', () => {
      isOver = true;
      for (const listener of listeners) listener();
      resolve();
    }),
  );
  const kill = (): Promise<void> => {
    leash.stdin.end();
    return over;
  };
  return {
    output: () => output,
    ended: over,
    kill,
    async stop(graceMs = 5_000) {
      leash.kill('SIGTERM');
      const timer = setTimeout(() => leash.stdin.end(), graceMs);
      await over;
      clearTimeout(timer);
    },
    hasSaid: (pattern, limitMs = 60_000) =>
      new Promise((resolve, reject) => {
        const fail = (why: string): void => {
          finish();
          reject(
            new Error(`${program} ${why} without saying ${String(pattern)}. Its last words:\n${output.slice(-3000)}`),
          );
        };
        const look = (): void => {
          if (pattern.test(output)) {
            finish();
            resolve();
          } else if (isOver) fail('ended');
        };
        const finish = (): void => {
          clearTimeout(timer);
          listeners.delete(look);
        };
        const timer = setTimeout(() => fail(`ran ${limitMs / 1000} s`), limitMs);
        listeners.add(look);
        look();
      }),
  };
}
