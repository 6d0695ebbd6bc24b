// `@livekit/rtc-node` 0.13: its logger is its own, is exported nowhere, writes to the output by itself, and names participants,
// which may be telephone numbers.
// Upstream: not reported; test/livekit/guards/native-log.test.ts shows the fault.
import fs from 'node:fs';
import { contentFreeLine } from './content-free-line.ts';
import { telephoneNames } from './telephone-names.ts';

const guarded = new WeakSet<object>();

/** Part of each line of `@livekit/rtc-node`. */
const mark = '"name":"lk-rtc"';

/** The levels of pino, by which `@livekit/rtc-node` numbers its lines. */
const levels: Readonly<Record<string, number>> = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 };

/**
 * Removes what names a participant from the lines of `@livekit/rtc-node`, where they leave the process, and those below a
 * level: unless NODE_ENV is `production` it tells all that it does. An unknown `level`, such as `silent`, lets none through.
 * For a process of calls, which is nobody else's.
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
  // The writer compares the count with what it gave, and would write the rest again.
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

/** The level of a line; of one that is no JSON it is unknown, and told. */
function levelOf(line: string): number {
  const [, level] = /^\{"level":(\d+),/.exec(line) ?? [];
  return level === undefined ? Number.POSITIVE_INFINITY : Number(level);
}
