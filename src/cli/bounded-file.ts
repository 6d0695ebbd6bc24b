import { closeSync, openSync, readSync } from 'node:fs';

/** What a file that is given on the command line may hold at most, in bytes. */
const mostBytes = 16_000_000;

/**
 * The text of a file, read no further than it may be long: a device that never ends is no file. Null where it is longer.
 * Throws what the file system throws.
 */
export function boundedFile(file: string): string | null {
  const opened = openSync(file, 'r');
  try {
    const chunks: Buffer[] = [];
    for (let length = 0; ;) {
      const chunk = Buffer.alloc(64_000);
      const read = readSync(opened, chunk);
      if (read === 0) return Buffer.concat(chunks).toString('utf8');
      length += read;
      if (length > mostBytes) return null;
      chunks.push(chunk.subarray(0, read));
    }
  } finally {
    closeSync(opened);
  }
}
