import { isUtf8 } from 'node:buffer';
import { closeSync, openSync, readSync } from 'node:fs';
import { FlowError } from '../model/errors.ts';

/** Maximum size, in bytes, of a file that is named on the command line. */
const mostBytes = 16_000_000;

/**
 * Reads a file and removes a leading byte order mark. Returns null if the file is larger than the limit. It reads in
 * chunks, because a device such as /dev/zero has no end. Throws errors of the file system, and `data-invalid` if the
 * text is not UTF-8.
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
  // Decoding invalid bytes would silently replace characters.
  if (!isUtf8(bytes)) throw new FlowError('data-invalid', `${file} is not UTF-8. Save it as UTF-8.`);
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}
