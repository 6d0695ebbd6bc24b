// `@livekit/rtc-node` 0.13: its separate logger is not exported, writes directly to the output, and logs participants,
// which may be telephone numbers. Upstream: not reported. Reproduced in test/livekit/guards/native-log.test.ts.
import fs from 'node:fs';
import { contentFreeLine } from './content-free-line.ts';
import { telephoneNames } from './telephone-names.ts';

const guarded = new WeakSet<object>();

/** Part of each line of `@livekit/rtc-node`. */
const mark = '"name":"lk-rtc"';

/** Pino's levels, as `@livekit/rtc-node` numbers its lines. */
const levels: Readonly<Record<string, number>> = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 };

/**
 * Removes participants from the lines of `@livekit/rtc-node`, and drops lines below `level`; unless NODE_ENV is `production` it logs
 * everything. An unknown `level`, such as `silent`, drops all lines. Only for a process that runs calls, because it patches `fs`.
 */
export function withholdNativeContent(level: string, env: NodeJS.ProcessEnv = process.env): void {
  if (guarded.has(fs)) return;
  guarded.add(fs);
  const nameOf = telephoneNames(env);
  const least = levels[level] ?? Number.POSITIVE_INFINITY;
  const free = (text: string): string =>
    text
      .split('\n')
      .flatMap((line) => (!line.includes(mark) ? [line] : levelOf(line) < least ? [] : [contentFreeLine(line, nameOf)]))
      .join('\n');
  const isNative = (fd: unknown, data: unknown): data is string =>
    fd === 1 && typeof data === 'string' && data.includes(mark);
  const { write, writeSync } = fs;
  // The writer compares the byte count with its own text, and would write the rest again.
  Object.assign(fs, {
    write(...given: unknown[]): unknown {
      const [fd, data] = given;
      const done = given.at(-1);
      if (!isNative(fd, data) || typeof done !== 'function') return Reflect.apply(write, fs, given) as unknown;
      const told = (error: unknown): unknown =>
        Reflect.apply(done, undefined, [error, Buffer.byteLength(data)]) as unknown;
      return Reflect.apply(write, fs, [fd, free(data), 'utf8', told]) as unknown;
    },
    writeSync(...given: unknown[]): unknown {
      const [fd, data] = given;
      if (!isNative(fd, data)) return Reflect.apply(writeSync, fs, given) as unknown;
      Reflect.apply(writeSync, fs, [fd, free(data), 'utf8']);
      return Buffer.byteLength(data);
    },
  });
}

/** Returns the level of a line. A line that is not JSON has no known level and is kept. */
function levelOf(line: string): number {
  const [, level] = /^\{"level":(\d+),/.exec(line) ?? [];
  return level === undefined ? Number.POSITIVE_INFINITY : Number(level);
}
