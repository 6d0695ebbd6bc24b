import type { DocumentPath } from '../document/problems/diagnostic.ts';
import type { NodeSource } from '../graph/nodes/node-source.ts';
import { type Report, addProblem } from '../graph/report.ts';

/**
 * Returns the place of a node as a whole: its key in a map, its id in a list. Spread it into the arguments of a
 * problem.
 */
export function placeOf({ path }: NodeSource): { readonly path: DocumentPath; readonly atKey: boolean } {
  return typeof path.at(-1) === 'string' ? { path, atKey: true } : { path: [...path, 'id'], atKey: false };
}

/** Reports a node with an empty name, which code can create. */
export function checkNamed(report: Report, source: NodeSource): void {
  if (source.id !== '') return;
  const { path, atKey } = placeOf(source);
  addProblem(report, 'error', 'out-of-range', path, 'the name of a node is empty.', { hint: 'Name the node.', atKey });
}
