import { isAbsolute, relative, sep } from 'node:path';
import { FlowError } from '../../model/errors.ts';
import { findConfined } from '../../flow/load/files/confined-file.ts';

/**
 * Returns a path of the project as an argument of a command, which it cannot take for an option. Throws `not-allowed`
 * for a path outside of the project, also by a link, and `file-not-found`.
 */
export function fileInRoot(name: string, root: string): string {
  const inside = isAbsolute(name) ? relative(root, name).replaceAll(sep, '/') : name;
  const found = findConfined(root, inside === '' ? '.' : inside);
  if (found.ok) {
    const path = relative(root, found.path).replaceAll(sep, '/');
    return path === '' || path.startsWith('-') ? `./${path}` : path;
  }
  if (found.reason === 'outside')
    throw new FlowError('not-allowed', `"${name}" is not in the project: ${found.why}. Name a file below its folder.`);
  throw new FlowError('file-not-found', `"${name}" is not a readable file of the project. Correct the path.`);
}
