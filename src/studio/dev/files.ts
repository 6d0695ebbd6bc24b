import { createHash } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { FlowError } from '../../model/errors.ts';
import type { Files } from '../sessions/desk.ts';
import type { FileShown, FileText } from '../protocol/files.ts';

/** Folders without files of the project itself. */
const foreign = /^(?:node_modules|dist|build|coverage|data|\..*)$/;
const kinds: Readonly<Record<string, FileShown['kind']>> = {
  '.yaml': 'flow',
  '.yml': 'flow',
  '.json': 'flow',
  '.md': 'prompt',
  '.txt': 'prompt',
  '.ts': 'code',
  '.mts': 'code',
  '.js': 'code',
  '.mjs': 'code',
};
/** Maximum number of listed files. */
const mostFiles = 500;
const largestFile = 1_000_000;

/** Returns the kind of a file; null if the studio does not open it. */
function kindOf(name: string): FileShown['kind'] | null {
  if (name.startsWith('.') || /^(?:package(?:-lock)?|tsconfig.*)\.json$/.test(name)) return null;
  if (/\.flowtest\.ya?ml$/.test(name)) return 'test';
  return kinds[extname(name)] ?? null;
}

/**
 * Lists the given files and those below the given folders, of the kinds that flows consist of. Paths are relative to
 * `root`, where the studio was started. Only listed files can be read or saved, so neither a path nor a link can leave
 * the project.
 */
export function createFiles(
  root: string,
  parts: () => { readonly folders: readonly string[]; readonly files: readonly string[] },
): Files {
  const shown = (file: string): string => relative(root, file).split(sep).join('/');
  const find = (): ReadonlyMap<string, string> => {
    const found = new Map<string, string>();
    const { folders, files } = parts();
    for (const file of files) found.set(shown(file), file);
    for (const folder of folders)
      for (const file of filesIn(folder)) {
        if (found.size >= mostFiles) return found;
        found.set(shown(file), file);
      }
    return found;
  };
  const fileAt = (path: string): string => {
    const file = find().get(path);
    if (file === undefined)
      throw new FlowError('file-not-found', 'this is not a file of the flow. See the list of files.');
    return file;
  };
  const textOf = (path: string, file: string): FileText => {
    const text = readFileSync(file, 'utf8');
    return { path, text, etag: etagOf(text) };
  };
  return {
    list: () =>
      [...find()].flatMap(([path, file]) => {
        const kind = kindOf(basename(file));
        return kind === null ? [] : [{ path, kind, etag: etagOf(readFileSync(file, 'utf8')) }];
      }),
    read: (path) => textOf(path, fileAt(path)),
    save(path, text, etag) {
      const file = fileAt(path);
      const current = textOf(path, file);
      if (etag !== current.etag) return { changed: current };
      replace(file, text);
      return { saved: { path, text, etag: etagOf(text) } };
    },
  };
}

/** Replaces a file atomically, so that a watcher never reads half of it. */
function replace(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const partial = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(partial, text);
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

function filesIn(folder: string, depth = 0): string[] {
  if (depth > 5) return [];
  const entries = readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return foreign.test(entry.name) ? [] : filesIn(path, depth + 1);
    // Links are skipped because they may lead outside.
    if (!entry.isFile() || kindOf(entry.name) === null || statSync(path).size > largestFile) return [];
    return [path];
  });
}

/** Returns the real path of a file's folder. */
export function folderOf(file: string): string {
  return realpathSync(dirname(resolve(file)));
}

/** Returns a hash of a text. */
export function etagOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
