import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, extname } from 'node:path';
import { isInside } from '../../load/confined-file.ts';
import { flowTexts, watchFiles } from '../../load/watch-files.ts';
import type { Clock } from '../../ports/time.ts';
import { folderOf } from './files.ts';

/** What was saved: only texts that a flow is read from, or code, which has to be loaded anew. */
export type Saved = 'texts' | 'code';

const code = new Set(['.ts', '.mts', '.js', '.mjs']);

/** Folders that are watched. */
export interface FolderWatch {
  /**
   * Tells of a file at once that this process has saved with this text. That the system tells of it later, or on some machines
   * never, changes nothing: the same text is told once.
   */
  saved(file: string, text: string): void;
  /** Watches what a project was read from elsewhere as well: the folders of flows with all below them, those of code by themselves. */
  also(read: { readonly flows: readonly string[]; readonly code: readonly string[] }): void;
  stop(): void;
}

/** Watches folders with all below them for files that a flow is made of. */
export function watchFolders(folders: readonly string[], clock: Clock, onSaved: (saved: Saved) => void): FolderWatch {
  /** What this process has saved last, by file, while nobody else has saved it since. */
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

/** The folder of a file; none where it is gone by now. */
function placeOf(file: string): readonly string[] {
  return existsSync(dirname(file)) ? [folderOf(file)] : [];
}

/** The text of a file; null for one that is gone. */
function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** What a file holds that is saved; null for one that no flow is made of. */
function kindOf(path: string): Saved | null {
  if (/\.tmp$|~$|^\.|\.flowtest\.ya?ml$/.test(basename(path))) return null;
  if (flowTexts.has(extname(path))) return 'texts';
  return code.has(extname(path)) ? 'code' : null;
}
