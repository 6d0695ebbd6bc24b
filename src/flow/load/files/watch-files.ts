import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { extname, join } from 'node:path';
import type { Clock } from '../../../model/ports/time.ts';

/** The extensions of the texts of a flow: the flow itself, its includes, and prompts. */
export const flowTexts: ReadonlySet<string> = new Set(['.yaml', '.yml', '.json', '.md', '.txt']);
/** Folders without own files of a project. */
export const foreign = /^(?:node_modules|dist|build|coverage|data|\..*)$/;
/** Editors write a file in several steps. Changes within this time are one save, in milliseconds. */
const quietMs = 60;
/** How often a folder is read that the system cannot watch, in milliseconds. */
const lookEveryMs = 1_000;
/** More folders are not watched. */
const mostFolders = 300;

/**
 * Watches folders with everything below them, and reports the paths of the files that were saved, created or removed.
 * Changes at the same time are reported together. It watches folders, not files, because editors write a new file and
 * rename it. If the system does not name the file, the path is that of its folder. Returns a function that stops it. If
 * `isDeep` is false, the folders below are left out.
 */
export function watchFiles(
  folders: readonly string[],
  clock: Clock,
  onChanged: (paths: ReadonlySet<string>) => void,
  isDeep = true,
): () => void {
  const watchers = new Map<string, FSWatcher>();
  let pending = new Set<string>();
  let cancel = (): void => undefined;
  const changed = (path: string): void => {
    pending.add(path);
    cancel();
    cancel = clock.schedule(quietMs, () => {
      const all = pending;
      pending = new Set();
      onChanged(all);
    });
  };
  const unwatched = new Map<string, ReadonlyMap<string, number>>();
  let cancelLook = (): void => undefined;
  const look = (): void => {
    cancelLook = clock.schedule(lookEveryMs, () => {
      for (const [folder, before] of unwatched) {
        const now = timesIn(folder);
        unwatched.set(folder, now);
        for (const name of new Set([...before.keys(), ...now.keys()]))
          if (before.get(name) !== now.get(name)) changed(join(folder, name));
      }
      look();
    });
  };
  const add = (folder: string): void => {
    if (unwatched.has(folder) || watchers.has(folder) || watchers.size >= mostFolders) return;
    try {
      const watcher = watch(folder, (event, name) => {
        if (name === null) return changed(folder);
        // A folder may be new.
        if (isDeep && event === 'rename' && extname(name) === '' && !foreign.test(name)) addAll(join(folder, name));
        changed(join(folder, name));
      });
      watcher.on('error', () => {
        watcher.close();
        watchers.delete(folder);
      });
      watchers.set(folder, watcher);
    } catch {
      // The system limits the number of watched folders for each user.
      unwatched.set(folder, timesIn(folder));
      if (unwatched.size === 1) look();
    }
  };
  const addAll = (folder: string): void => {
    add(folder);
    if (!isDeep) return;
    let entries;
    try {
      entries = readdirSync(folder, { withFileTypes: true });
    } catch {
      return; // It is a file, or was removed.
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

/** When each file of a folder was saved. Empty if the folder was removed. */
function timesIn(folder: string): ReadonlyMap<string, number> {
  try {
    const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => !entry.isDirectory());
    return new Map(
      entries.map(({ name }) => [name, statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0]),
    );
  } catch {
    return new Map();
  }
}
