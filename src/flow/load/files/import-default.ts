import { existsSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { types } from 'node:util';
import { FlowError } from '../../../model/errors.ts';

/** Returns the default export of a TypeScript or JavaScript file. Throws `file-not-found` or `file-broken`. */
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

/**
 * Checks whether the import returned the module itself, because it has only named exports. A CommonJS module has no
 * default export.
 */
function isWholeModule(found: unknown): boolean {
  return types.isModuleNamespaceObject(found) || (typeof found === 'object' && found !== null && '__esModule' in found);
}

/**
 * Imports the default export of a module: a file by its path, or a package as the file `from` would resolve it. Errors
 * of the module are passed on.
 */
export async function importFrom(module: string, from: string): Promise<unknown> {
  // Loaded only when needed, so that importing the library stays cheap.
  const { createJiti } = await import('jiti');
  return await createJiti(pathToFileURL(from).href).import(module, { default: true });
}

/**
 * Describes in one line why the module at a path could not be loaded, with the place of the fault. For a package that
 * is not installed, it gives the command that installs it.
 */
export function whyNotLoaded(thrown: unknown, path: string): string {
  const message = firstLine(thrown);
  // Node.js and jiti use the same words. A path begins with a dot, a slash, a drive or a protocol.
  const [, name] =
    /^Cannot find (?:module|package) '(@[\w.-]+\/[\w.-]+|[\w-][\w.-]*)(?:\/[^':]*)?'/.exec(message) ?? [];
  if (name !== undefined) return `the package "${name}" is not installed here. Run: npm install ${name}`;
  const place = thrown instanceof Error ? (placeOfSyntax(thrown) ?? placeOfThrow(thrown, dirname(path))) : undefined;
  return place === undefined ? message : `${message.replace(/^ParseError: /, '').trim()} (${place})`;
}

/** The place of a syntax error: jiti writes it in the second line of its message, with columns from 0. */
function placeOfSyntax({ message }: Error): string | undefined {
  const [, file, line, column] = /\n\s*(\S.*):(\d+):(\d+)\s*$/.exec(message) ?? [];
  return file === undefined ? undefined : `${relative('', file)}:${line}:${Number(column) + 1}`;
}

/** The line of the author's own code, in a folder, that threw the error. Columns are those of the compiled code. */
function placeOfThrow({ stack = '' }: Error, folder: string): string | undefined {
  for (const frame of stack.split('\n')) {
    const [, found, line] = /^\s+at (?:.*\()?(?:file:\/\/)?([^()]+?):(\d+):\d+\)?$/.exec(frame) ?? [];
    if (found?.startsWith(folder) === true && !found.includes('node_modules')) return `${relative('', found)}:${line}`;
  }
  return undefined;
}

/** The first line of a thrown value. */
export function firstLine(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.message.split('\n')[0] ?? '') : String(thrown);
}
