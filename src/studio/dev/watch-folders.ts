import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, extname } from 'node:path';
import { isInside } from '../../flow/load/files/confined-file.ts';
import { flowTexts, watchFiles } from '../../flow/load/files/watch-files.ts';
import type { Clock } from '../../model/ports/time.ts';
import { folderOf } from './files.ts';

/** The kind of a saved file: a text of a flow, or code, which must be reloaded. */
export type Saved = 'texts' | 'code';

const code = new Set(['.ts', '.mts', '.js', '.mjs']);

/** A watcher of folders. */
export interface FolderWatch {
  /** Reports a file that this process has saved. Later notifications of the system about the same text are ignored. */
  saved(file: string, text: string): void;
  /** Also watches the folders of other files: flow folders recursively, code folders without subfolders. */
  also(read: { readonly flows: readonly string[]; readonly code: readonly string[] }): void;
  stop(): void;
}

/** Watches folders recursively for files of flows. */
export function watchFolders(folders: readonly string[], clock: Clock, onSaved: (saved: Saved) => void): FolderWatch {
  /** The last text that this process saved, by file, until another process changes the file. */
  const own = new Map<string, string>();
  const isOwn = (path: string): boolean => {
    const text = own.get(path);
    if (text === undefined) return false;
    if (textOf(path) === text) return true;
    own.delete(path);
    return false;
  };
  const deep: string[] = [];
  const flat: string[] = [];
  const stops: (() => void)[] = [];
  const changed = (paths: ReadonlySet<string>): void => {
    const news = [...paths].filter((path) => !isOwn(path));
    const kinds = new Set(news.map((path) => (deep.includes(path) ? 'texts' : kindOf(path))));
    if (kinds.has('code')) onSaved('code');
    else if (kinds.has('texts')) onSaved('texts');
  };
  const isWatched = (folder: string): boolean => flat.includes(folder) || deep.some((other) => isInside(other, folder));
  const watchMore = (more: readonly string[], into: string[]): void => {
    const fresh = [...new Set(more)].filter((folder) => !isWatched(folder));
    if (fresh.length === 0) return;
    into.push(...fresh);
    stops.push(watchFiles(fresh, clock, changed, into === deep));
  };
  watchMore(folders, deep);
  return {
    also(read) {
      watchMore(read.flows.flatMap(placeOf), deep);
      watchMore(read.code.flatMap(placeOf), flat);
    },
    stop() {
      for (const stop of stops) stop();
    },
    saved(file, text) {
      own.set(file, text);
      const kind = kindOf(file);
      if (kind !== null) onSaved(kind);
    },
  };
}

/** Returns the folder of a file; empty if it does not exist. */
function placeOf(file: string): readonly string[] {
  return existsSync(dirname(file)) ? [folderOf(file)] : [];
}

/** Returns the text of a file; null if it does not exist. */
function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** Returns the kind of a saved file; null if it does not belong to a flow. */
function kindOf(path: string): Saved | null {
  if (/\.tmp$|~$|^\.|\.flowtest\.ya?ml$/.test(basename(path))) return null;
  if (flowTexts.has(extname(path))) return 'texts';
  return code.has(extname(path)) ? 'code' : null;
}
