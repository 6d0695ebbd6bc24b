// `@livekit/rtc-node` 0.13: its logger is its own, is exported nowhere, writes to the output by itself, and names participants,
// which may be telephone numbers.
// Upstream: not reported; test/livekit/guards/native-log.test.ts shows the fault.
import fs from 'node:fs';
import { contentFreeLine } from './content-free-line.ts';
import { telephoneNames } from './telephone-names.ts';

const guarded = new WeakSet<object>();

/** Part of each line of `@livekit/rtc-node`. */
const mark = '"name":"lk-rtc"';

/**
 * Removes what names a participant from the lines of `@livekit/rtc-node`, where they leave the process. For the process of
 * a job, which is nobody else's.
 */
export function withholdNativeContent(env: NodeJS.ProcessEnv = process.env): void {
  if (guarded.has(fs)) return;
  guarded.add(fs);
  const nameOf = telephoneNames(env);
  const free = (text: string): string =>
    text
      .split('\n')
      .map((line) => (line.includes(mark) ? contentFreeLine(line, nameOf) : line))
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
