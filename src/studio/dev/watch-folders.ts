import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { Clock } from '../../ports/time.ts';

/** What was saved: only texts that a flow is read from, or code, which has to be loaded anew. */
export type Saved = 'texts' | 'code';

/** Folders that hold nothing of a project's own. */
const foreign = /^(?:node_modules|dist|build|coverage|data|\..*)$/;
const texts = new Set(['.yaml', '.yml', '.json', '.md', '.txt']);
const code = new Set(['.ts', '.mts', '.js', '.mjs']);
/** Editors write a file in several steps; what comes within this time is one save, in milliseconds. */
const quietMs = 60;
/** How often a folder is looked at that the system does not watch, in milliseconds. */
const lookEveryMs = 1_000;
/** More folders are not watched. */
const mostFolders = 300;

/**
 * Watches folders with all below them for files that a flow is made of. Folders, not files: editors write a new file and rename
 * it. Returns what ends it.
 */
export function watchFolders(folders: readonly string[], clock: Clock, onSaved: (saved: Saved) => void): () => void {
  const watchers = new Map<string, FSWatcher>();
  let pending: Saved | null = null;
  let cancel = (): void => undefined;
  const changed = (saved: Saved): void => {
    pending = pending === 'code' ? 'code' : saved;
    cancel();
    cancel = clock.schedule(quietMs, () => {
      const all = pending ?? 'texts';
      pending = null;
      onSaved(all);
    });
  };
  const unwatched = new Map<string, string>();
  let cancelLook = (): void => undefined;
  const look = (): void => {
    cancelLook = clock.schedule(lookEveryMs, () => {
      for (const [folder, before] of unwatched) {
        const stamp = stampOf(folder);
        if (stamp === before) continue;
        unwatched.set(folder, stamp);
        // Which kind of file it was is not known: the greater change is right for both.
        changed('code');
      }
      look();
    });
  };
  const add = (folder: string): void => {
    if (unwatched.has(folder) || watchers.has(folder) || watchers.size >= mostFolders) return;
    try {
      const watcher = watch(folder, (event, name) => {
        if (name === null) return changed('texts');
        // A folder may be new.
        if (event === 'rename' && extname(name) === '' && !foreign.test(name)) addAll(join(folder, name));
        if (/\.tmp$|~$|^\.|\.flowtest\.ya?ml$/.test(basename(name))) return;
        if (texts.has(extname(name))) changed('texts');
        else if (code.has(extname(name))) changed('code');
      });
      watcher.on('error', () => {
        watcher.close();
        watchers.delete(folder);
      });
      watchers.set(folder, watcher);
    } catch {
      // The system watches only so many for one user.
      unwatched.set(folder, stampOf(folder));
      if (unwatched.size === 1) look();
    }
  };
  const addAll = (folder: string): void => {
    add(folder);
    let entries;
    try {
      entries = readdirSync(folder, { withFileTypes: true });
    } catch {
      return; // It is a file, or gone.
    }
    for (const entry of entries) if (entry.isDirectory() && !foreign.test(entry.name)) addAll(join(folder, entry.name));
  };
  for (const folder of folders) addAll(folder);
  return () => {
    cancel();
    cancelLook();
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
  };
}

/** What changes whenever a file of a folder is saved. */
function stampOf(folder: string): string {
  try {
    const names = readdirSync(folder).filter((name) => texts.has(extname(name)) || code.has(extname(name)));
    return names.map((name) => `${name} ${statSync(join(folder, name)).mtimeMs}`).join('\n');
  } catch {
    return 'gone';
  }
}
