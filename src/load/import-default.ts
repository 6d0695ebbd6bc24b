import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FlowError } from '../errors.ts';

/** What a TypeScript or JavaScript file exports by default. Throws `file-not-found` or `file-broken`. */
export async function importDefault(file: string): Promise<unknown> {
  const path = resolve(file);
  if (!existsSync(path)) throw new FlowError('file-not-found', `${file} does not exist.`);
  // Loaded when it is needed: nobody who only imports the library pays for it.
  const { createJiti } = await import('jiti');
  try {
    return await createJiti(pathToFileURL(path).href).import(path, { default: true });
  } catch (cause) {
    const reason = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
    throw new FlowError('file-broken', `${file} cannot be loaded: ${reason}`, { cause });
  }
}
