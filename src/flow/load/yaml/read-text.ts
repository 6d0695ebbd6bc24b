import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** The text of a file, or why there is none. `good` is the text before the first byte that is not UTF-8. */
export type ReadText =
  | { readonly ok: true; readonly text: string; readonly bytes: number }
  | { readonly ok: false; readonly reason: 'missing' | 'not-a-file' | 'unreadable' | 'too-large' }
  | { readonly ok: false; readonly reason: 'not-utf8'; readonly good: string; readonly isUtf16: boolean };

/** Returns the unsaved text of a file in an editor, or undefined for every other file. */
export type Unsaved = (path: string) => string | undefined;

/** Reads a regular file of at most `limit` bytes as UTF-8, without its byte order mark. Never throws, never blocks. */
export function readText(path: string, limit: number): ReadText {
  let file: number | undefined;
  try {
    // A pipe without a writer would block.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(file);
    if (!stats.isFile()) return { ok: false, reason: 'not-a-file' };
    if (stats.size > limit) return { ok: false, reason: 'too-large' };
    const bytes = readAtMost(file, limit + 1);
    // It may have grown since, and files in /proc have no size.
    return bytes.length > limit ? { ok: false, reason: 'too-large' } : decode(bytes);
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function readAtMost(file: number, limit: number): Buffer {
  const buffer = Buffer.allocUnsafe(limit);
  let length = 0;
  for (let read = -1; read !== 0 && length < limit; length += read)
    read = readSync(file, buffer, length, limit - length, null);
  return buffer.subarray(0, length);
}

function decode(bytes: Buffer): ReadText {
  if (isUtf8(bytes)) return { ok: true, text: bytes.toString().replace(/^\u{feff}/u, ''), bytes: bytes.length };
  const isUtf16 = bytes.length > 1 && (bytes[0] ?? 0) + (bytes[1] ?? 0) === 0xff + 0xfe;
  return { ok: false, reason: 'not-utf8', good: goodPart(bytes), isUtf16 };
}

/** An unsaved text of an editor, instead of the file. */
export function unsavedText(text: string, limit: number): ReadText {
  const bytes = Buffer.byteLength(text);
  return bytes > limit ? { ok: false, reason: 'too-large' } : { ok: true, text: text.replace(/^\u{feff}/u, ''), bytes };
}

/** Decoding replaces wrong bytes, so the encoded result first differs at the first wrong byte. */
function goodPart(bytes: Buffer): string {
  const again = Buffer.from(bytes.toString());
  let at = 0;
  while (at < bytes.length && bytes[at] === again[at]) at += 1;
  // An incomplete sequence may begin like the replacement character.
  while (at > 0 && !isUtf8(bytes.subarray(0, at))) at -= 1;
  return bytes
    .subarray(0, at)
    .toString()
    .replace(/^\u{feff}/u, '');
}

/** The meaning of a failed file operation. */
export function reasonOf(error: unknown): 'missing' | 'not-a-file' | 'unreadable' {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing';
  return code === 'EISDIR' || code === 'ENXIO' ? 'not-a-file' : 'unreadable';
}
