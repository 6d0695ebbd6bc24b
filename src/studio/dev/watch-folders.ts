import { type FSWatcher, readdirSync, watch } from 'node:fs';
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
  const add = (folder: string): void => {
    if (watchers.has(folder) || watchers.size >= mostFolders) return;
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
      // A folder that is gone, or that may not be watched, is read when something else changes.
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
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
  };
}
