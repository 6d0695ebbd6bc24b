import { isUtf8 } from 'node:buffer';
import { closeSync, openSync, readSync } from 'node:fs';
import { FlowError } from '../errors.ts';

/** What a file that is given on the command line may hold at most, in bytes. */
const mostBytes = 16_000_000;

/**
 * The text of a file, without the mark that editors of Windows begin it with, and read no further than it may be long: a device
 * that never ends is no file. Null where it is longer. Throws what the file system throws, and `data-invalid` where it is not UTF-8.
 */
export function boundedFile(file: string): string | null {
  const opened = openSync(file, 'r');
  try {
    const chunks: Buffer[] = [];
    for (let length = 0; ;) {
      const chunk = Buffer.alloc(64_000);
      const read = readSync(opened, chunk);
      if (read === 0) return textOf(Buffer.concat(chunks), file);
      length += read;
      if (length > mostBytes) return null;
      chunks.push(chunk.subarray(0, read));
    }
  } finally {
    closeSync(opened);
  }
}

function textOf(bytes: Buffer, file: string): string {
  // What is read all the same would hold other letters than were written.
  if (!isUtf8(bytes)) throw new FlowError('data-invalid', `${file} is not UTF-8. Save it as UTF-8.`);
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}
