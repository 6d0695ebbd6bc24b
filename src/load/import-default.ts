import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FlowError } from '../errors.ts';

/** What a TypeScript or JavaScript file exports by default. Throws `file-not-found` or `file-broken`. */
export async function importDefault(file: string): Promise<unknown> {
  const path = resolve(file);
  if (!existsSync(path)) throw new FlowError('file-not-found', `${file} does not exist.`);
  try {
    return await importFrom(path, path);
  } catch (cause) {
    throw new FlowError('file-broken', `${file} cannot be loaded: ${whyNotLoaded(cause)}`, { cause });
  }
}

/** What a module exports by default: a file by its path, or a package as the file `from` would find it. Throws what it throws. */
export async function importFrom(module: string, from: string): Promise<unknown> {
  // Loaded when it is needed: nobody who only imports the library pays for it.
  const { createJiti } = await import('jiti');
  return await createJiti(pathToFileURL(from).href).import(module, { default: true });
}

/** Why a module could not be loaded, in a line; a package that is not installed is named with the line that installs it. */
export function whyNotLoaded(thrown: unknown): string {
  const message = firstLine(thrown);
  // Node.js and jiti tell it in the same words; a path begins with a dot, a slash, a drive or a protocol.
  const [, name] =
    /^Cannot find (?:module|package) '(@[\w.-]+\/[\w.-]+|[\w-][\w.-]*)(?:\/[^':]*)?'/.exec(message) ?? [];
  return name === undefined ? message : `the package "${name}" is not installed here. Run: npm install ${name}`;
}

/** The first line of what was thrown. */
export function firstLine(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.message.split('\n')[0] ?? '') : String(thrown);
}
