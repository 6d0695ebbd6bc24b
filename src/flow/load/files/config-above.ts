import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Diagnostic } from '../../document/problems/diagnostic.ts';

/** The name of a project's configuration file. */
export const configName = 'agent.config.ts';

/**
 * Returns the nearest `agent.config.ts` above a file, up to `root`. For a file outside `root`, the search goes up to
 * the folder of its project, which has a package.json or .git. Without such a folder, only the folder of the file
 * is searched: files above it may belong to other people, and a configuration is code. Both paths are absolute.
 */
export function configAbove(path: string, root: string): string | undefined {
  const folders = foldersAbove(path);
  const isInside = !relative(root, path).startsWith('..');
  const top = isInside ? folders.indexOf(root) : folders.findIndex(isProject);
  return folders
    .slice(0, Math.max(top, 0) + 1)
    .map((folder) => join(folder, configName))
    .find((config) => existsSync(config));
}

/** The diagnostic for a flow whose configuration cannot be loaded. The flow itself is checked without it. */
export function brokenConfig(file: string, fault: string): Diagnostic {
  const place = { file, path: [], line: 1, column: 1, endLine: 1, endColumn: 1 };
  const hint = 'Until it is fixed, the flow is checked without it.';
  // The text of an error thrown by user code may end in any way. The hint is a separate sentence.
  const message = /[.!?]$/.test(fault) ? fault : `${fault}.`;
  return { ...place, code: 'config-broken', severity: 'error', message, hint };
}

/** The nearest folder comes first. */
function foldersAbove(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...foldersAbove(folder)];
}

function isProject(folder: string): boolean {
  return ['package.json', '.git'].some((mark) => existsSync(join(folder, mark)));
}
