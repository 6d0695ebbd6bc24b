import { existsSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { types } from 'node:util';
import { FlowError } from '../errors.ts';

/** What a TypeScript or JavaScript file exports by default. Throws `file-not-found` or `file-broken`. */
export async function importDefault(file: string): Promise<unknown> {
  const path = resolve(file);
  if (!existsSync(path)) throw new FlowError('file-not-found', `${file} does not exist.`);
  let found: unknown;
  try {
    found = await importFrom(path, path);
  } catch (cause) {
    throw new FlowError('file-broken', `${file} cannot be loaded: ${whyNotLoaded(cause, path)}`, { cause });
  }
  if (isWholeModule(found))
    throw new FlowError('file-broken', `${file} has no default export. Write: export default { … }.`);
  return found;
}

/** Whether a module that exports names alone was given in the place of its default export; one of CommonJS has none. */
function isWholeModule(found: unknown): boolean {
  return types.isModuleNamespaceObject(found) || (typeof found === 'object' && found !== null && '__esModule' in found);
}

/** What a module exports by default: a file by its path, or a package as the file `from` would find it. Throws what it throws. */
export async function importFrom(module: string, from: string): Promise<unknown> {
  // Loaded when it is needed: nobody who only imports the library pays for it.
  const { createJiti } = await import('jiti');
  return await createJiti(pathToFileURL(from).href).import(module, { default: true });
}

/**
 * Why the module at a path could not be loaded, in a line: what is wrong and, in it or beside it, where; a package that is not
 * installed is named with the line that installs it.
 */
export function whyNotLoaded(thrown: unknown, path: string): string {
  const message = firstLine(thrown);
  // Node.js and jiti tell it in the same words; a path begins with a dot, a slash, a drive or a protocol.
  const [, name] =
    /^Cannot find (?:module|package) '(@[\w.-]+\/[\w.-]+|[\w-][\w.-]*)(?:\/[^':]*)?'/.exec(message) ?? [];
  if (name !== undefined) return `the package "${name}" is not installed here. Run: npm install ${name}`;
  const place = thrown instanceof Error ? (placeOfSyntax(thrown) ?? placeOfThrow(thrown, dirname(path))) : undefined;
  return place === undefined ? message : `${message.replace(/^ParseError: /, '').trim()} (${place})`;
}

/** Where text is no code: jiti tells it in the second line of its message, with columns from 0. */
function placeOfSyntax({ message }: Error): string | undefined {
  const [, file, line, column] = /\n\s*(\S.*):(\d+):(\d+)\s*$/.exec(message) ?? [];
  return file === undefined ? undefined : `${relative('', file)}:${line}:${Number(column) + 1}`;
}

/** The line of the author's own code, in a folder, that has thrown. Columns are those of what it was compiled to. */
function placeOfThrow({ stack = '' }: Error, folder: string): string | undefined {
  for (const frame of stack.split('\n')) {
    const [, found, line] = /^\s+at (?:.*\()?(?:file:\/\/)?([^()]+?):(\d+):\d+\)?$/.exec(frame) ?? [];
    if (found?.startsWith(folder) === true && !found.includes('node_modules')) return `${relative('', found)}:${line}`;
  }
  return undefined;
}

/** The first line of what was thrown. */
export function firstLine(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.message.split('\n')[0] ?? '') : String(thrown);
}
