import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Diagnostic } from '../flow/diagnostic.ts';

/** Where a project's configuration is looked for. */
export const configName = 'agent.config.ts';

/**
 * The nearest `agent.config.ts` above a file, up to `root`. Of a file outside of `root` it is looked for up to the folder of
 * its own project, which has a package.json or .git; where there is none, beside the file alone: what lies above may be
 * anybody's, and a configuration is code. Both paths are absolute.
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

/** What is told of a flow whose configuration cannot be loaded; the flow itself is checked without it. */
export function brokenConfig(file: string, fault: string): Diagnostic {
  const place = { file, path: [], line: 1, column: 1, endLine: 1, endColumn: 1 };
  const hint = 'Until it is mended the flow is checked without it.';
  // The text of an error that somebody's code has thrown ends as it likes; the hint is a sentence of its own.
  const message = /[.!?]$/.test(fault) ? fault : `${fault}.`;
  return { ...place, code: 'config-broken', severity: 'error', message, hint };
}

/** The nearest first. */
function foldersAbove(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...foldersAbove(folder)];
}

function isProject(folder: string): boolean {
  return ['package.json', '.git'].some((mark) => existsSync(join(folder, mark)));
}
