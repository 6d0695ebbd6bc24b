import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nearbyName } from './files/confined-file.ts';
import { flowFile } from './files/flow-file.ts';
import { limits } from './limits.ts';
import type { Fault } from './problems/fault.ts';
import { readText, type ReadText, type Unsaved, unsavedText } from './yaml/read-text.ts';
import type { Folder } from './yaml/read-tree.ts';
import { createSourceText, type SourceText } from './yaml/source-text.ts';

/** A source to read: a text, a value made in code, or a file that cannot be read. */
export type Opened =
  | { readonly kind: 'text'; readonly source: SourceText; readonly folder: Folder | undefined }
  | { readonly kind: 'value'; readonly value: unknown; readonly name: string; readonly folder: Folder | undefined }
  | { readonly kind: 'fault'; readonly source: SourceText; readonly fault: Fault };

export interface OpenOptions {
  /** The file name in reported problems, if it is not the path. */
  readonly file?: string;
  /** The folder of prompt files and includes, if it is not the flow file's own folder. */
  readonly baseFolder?: string;
  /** Texts that an editor has not saved. They are read instead of the files. */
  readonly unsaved?: Unsaved;
}

/**
 * Opens a source. Text is a string with a line break or that begins with `{`. Any other string is a path. A folder
 * means the flow in it.
 */
export function openSource(given: unknown, { file, baseFolder, unsaved }: OpenOptions): Opened {
  const folder = baseFolder === undefined ? undefined : { path: baseFolder, shownAs: '', unsaved };
  if (typeof given === 'string' && isFlowText(given)) return openText(file ?? '<text>', given, folder);
  if (typeof given !== 'string' && !(given instanceof URL))
    return { kind: 'value', value: given, name: file ?? '<object>', folder };
  const path = flowFile(pathOf(given));
  const name = file ?? path;
  const text = unsaved?.(path);
  const read = text === undefined ? readText(path, limits.fileBytes) : unsavedText(text, limits.fileBytes);
  if (read.ok) return openText(name, read.text, folder ?? { path: dirname(path), shownAs: dirname(name), unsaved });
  return describeFailure(name, path, read);
}

/** Checks whether a string is a flow, and not the path of a flow. */
export function isFlowText(given: string): boolean {
  return given.includes('\n') || given.startsWith('{') || given.trim() === '';
}

function openText(name: string, text: string, folder: Folder | undefined): Opened {
  const source = createSourceText(name, text.replace(/^\u{feff}/u, ''));
  const nul = source.text.indexOf('\0');
  const tell = (code: string, message: string, hint: string, start = 0): Opened => {
    return { kind: 'fault', source, fault: { code, message, hint, start, end: start + 1 } };
  };
  if (nul !== -1)
    return tell('nul-byte', 'the file has a NUL byte here.', 'A flow is text; is this the right file?', nul);
  if (Buffer.byteLength(source.text) > limits.fileBytes)
    return tell('file-too-large', `the text has more than ${limits.fileBytes} bytes.`, SPLIT);
  return { kind: 'text', source, folder };
}

const SPLIT = 'Move texts into prompt files, or split the flow.';

function describeFailure(name: string, path: string, read: Exclude<ReadText, { ok: true }>): Opened {
  const tell = (code: string, message: string, hint: string | undefined, text = ''): Opened => {
    const fault = { code, message, ...(hint === undefined ? {} : { hint }), start: text.length, end: text.length + 1 };
    return { kind: 'fault', source: createSourceText(name, text), fault };
  };
  switch (read.reason) {
    case 'missing':
      return tell('file-not-found', 'there is no such file.', nearbyName(path) ?? contentsOf(dirname(path)));
    case 'not-a-file':
      return tell('not-a-file', 'this is not a regular file.', contentsOf(path));
    case 'too-large':
      return tell('file-too-large', `the file has more than ${limits.fileBytes} bytes.`, SPLIT);
    case 'not-utf8': {
      const message = `the file is ${read.isUtf16 ? 'UTF-16' : 'not UTF-8 from here on'}.`;
      return tell('not-utf8', message, 'Save it as UTF-8.', read.good);
    }
    case 'unreadable':
    default:
      return tell('file-unreadable', 'the file cannot be read.', 'Check its permissions.');
  }
}

/** Files that every project has and that are not flows. */
const OF_A_PROJECT = /^(?:\.|package(?:-lock)?\.json$|tsconfig\b)/i;

/** The flows in a folder, if any. */
function contentsOf(folder: string): string | undefined {
  try {
    const flows = readdirSync(folder).filter((name) => /\.(?:ya?ml|json)$/i.test(name) && !OF_A_PROJECT.test(name));
    return flows.length === 0
      ? undefined
      : `There is ${flows
          .slice(0, 5)
          .map((name) => join(basename(folder), name))
          .join(', ')}.`;
  } catch {
    return undefined;
  }
}

function pathOf(given: string | URL): string {
  if (typeof given === 'string') return given;
  try {
    return fileURLToPath(given);
  } catch {
    // No path has this name: it becomes "no such file" with the original address.
    return given.href;
  }
}
