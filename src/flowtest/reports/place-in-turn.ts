import { type DocumentPath, formatPath } from '../../flow/document/problems/diagnostic.ts';

/** The place of a part in its turn, or in its scenario: `expect.node`, `finally.outcome`. */
export function placeInTurn(path: DocumentPath): string {
  const [, , first, , ...rest] = path;
  if (first !== 'turns') return formatPath(path.slice(2));
  return rest.length === 0 ? 'this turn' : formatPath(rest);
}
