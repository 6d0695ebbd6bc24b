import { basename, extname } from 'node:path';
import { flowTexts, watchFiles } from '../../load/watch-files.ts';
import type { Clock } from '../../ports/time.ts';

/** What was saved: only texts that a flow is read from, or code, which has to be loaded anew. */
export type Saved = 'texts' | 'code';

const code = new Set(['.ts', '.mts', '.js', '.mjs']);

/** Watches folders with all below them for files that a flow is made of. Returns what ends it. */
export function watchFolders(folders: readonly string[], clock: Clock, onSaved: (saved: Saved) => void): () => void {
  return watchFiles(folders, clock, (paths) => {
    const kinds = new Set([...paths].map((path) => (folders.includes(path) ? 'texts' : kindOf(path))));
    if (kinds.has('code')) onSaved('code');
    else if (kinds.has('texts')) onSaved('texts');
  });
}

/** What a file holds that is saved; null for one that no flow is made of. */
function kindOf(path: string): Saved | null {
  if (/\.tmp$|~$|^\.|\.flowtest\.ya?ml$/.test(basename(path))) return null;
  if (flowTexts.has(extname(path))) return 'texts';
  return code.has(extname(path)) ? 'code' : null;
}
