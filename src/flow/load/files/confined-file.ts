import { readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { suggestion } from '../../document/problems/suggestion.ts';
import { createSourceText, lineColumn } from '../yaml/source-text.ts';
import { readText, reasonOf, type ReadText, type Unsaved, unsavedText } from '../yaml/read-text.ts';

/** The place of a file inside a folder. */
interface ConfinedPlace {
  readonly ok: true;
  readonly path: string;
  readonly realPath: string;
}

/** The reason why a file is not available. */
type Failure =
  | { readonly ok: false; readonly reason: 'outside'; readonly why: string }
  | { readonly ok: false; readonly reason: 'missing'; readonly path: string; readonly hint: string | undefined }
  | { readonly ok: false; readonly reason: 'not-a-file' | 'unreadable' | 'too-large' };

/** A file found inside a folder, or the reason why not. */
export type ConfinedFile =
  | (ConfinedPlace & { readonly text: string; readonly bytes: number })
  | Failure
  | (Extract<ReadText, { good: string }> & { readonly path: string });

/**
 * Reads a file that a flow names, but only if it really is inside `folder`: links are resolved before that is checked.
 * `from` is the folder, inside `folder`, that the name is relative to.
 */
export function readConfined(
  { path: folder, unsaved }: { readonly path: string; readonly unsaved?: Unsaved | undefined },
  name: string,
  limit: number,
  from = folder,
): ConfinedFile {
  const place = findConfined(folder, name, from);
  if (!place.ok) return place;
  const { path, realPath } = place;
  const text = unsaved?.(path) ?? unsaved?.(realPath);
  const read = text === undefined ? readText(realPath, limit) : unsavedText(text, limit);
  if (read.ok) return { ...read, realPath, path };
  return read.reason === 'not-utf8' ? { ...read, path } : failure(read.reason, path);
}

/** Returns the real place of a file, if it is inside `folder`. */
export function findConfined(folder: string, name: string, from = folder): ConfinedPlace | Failure {
  const why = refusal(name);
  if (why !== undefined) return { ok: false, reason: 'outside', why };
  const path = join(from, name);
  if (!isInside(folder, path)) return { ok: false, reason: 'outside', why: 'its path leads out of it' };
  try {
    const realPath = realpathSync(path);
    if (isInside(realpathSync(folder), realPath)) return { ok: true, path, realPath };
    return { ok: false, reason: 'outside', why: 'a link leads out of it' };
  } catch (error) {
    return failure(reasonOf(error), path);
  }
}

function failure(reason: Exclude<ReadText, { ok: true } | { good: string }>['reason'], path: string): Failure {
  return reason === 'missing' ? { ok: false, reason, path, hint: nearbyName(path) } : { ok: false, reason };
}

/** `Did you mean "greet.md"?` for an existing file in the same folder. */
export function nearbyName(path: string): string | undefined {
  try {
    return suggestion(basename(path), readdirSync(dirname(path)));
  } catch {
    return undefined;
  }
}

/** The problem of a file that a flow names and that cannot be used. Codes begin with `prefix`. */
export function describeFailure(
  prefix: 'include' | 'openapi-file' | 'prompt-file',
  name: string,
  file: Exclude<ConfinedFile, { ok: true }>,
  limit: number,
  folder: { readonly path: string; readonly shownAs: string },
): { readonly code: string; readonly message: string; readonly hint: string | undefined } {
  const problem = (what: string, message: string, hint?: string) => ({ code: `${prefix}-${what}`, message, hint });
  switch (file.reason) {
    case 'outside':
      return problem(
        'outside',
        `"${name}" is not inside the flow’s folder: ${file.why}.`,
        'Put it in the folder of the flow.',
      );
    case 'missing':
      return problem(
        'missing',
        `there is no file "${name}": the path is ${join(folder.shownAs, relative(folder.path, file.path))}.`,
        file.hint ?? 'Put it there, or correct the name.',
      );
    case 'too-large':
      return problem('too-large', `"${name}" has more than ${limit} bytes.`, 'Shorten it.');
    case 'not-a-file':
      return problem('unreadable', `"${name}" is not a regular file.`, 'Name a file.');
    case 'not-utf8':
      return problem('unreadable', `"${name}" is not UTF-8 from ${placeAfter(file.good)} on.`, 'Save it as UTF-8.');
    case 'unreadable':
    default:
      return problem('unreadable', `"${name}" cannot be read.`, 'Let this user read it.');
  }
}

/** The position after a text, such as `3:14`. */
function placeAfter(text: string): string {
  const { line, column } = lineColumn(createSourceText('', text), text.length);
  return `${line}:${column}`;
}

/** The reason why a name can never be a file inside the folder, on any system. */
function refusal(name: string): string | undefined {
  if (name.includes('\\')) return 'it has backslashes; write "/"';
  if (/^[a-z][a-z\d+.-]*:/i.test(name)) return 'it is an address or names a drive';
  if (isAbsolute(name) || name.startsWith('/')) return 'it begins at the root';
  return undefined;
}

/** Checks whether a path is a folder itself or below it. Nothing is read. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
