import type { DocumentPath } from '../document/problems/diagnostic.ts';
import type { NodeSource } from '../graph/nodes/node-source.ts';
import { type Report, tell } from '../graph/report.ts';

/** The place of a node as a whole: its key in a map, its id in a list. Spreads into the arguments of a problem. */
export function placeOf({ path }: NodeSource): { readonly path: DocumentPath; readonly atKey: boolean } {
  return typeof path.at(-1) === 'string' ? { path, atKey: true } : { path: [...path, 'id'], atKey: false };
}

/** Reports a node whose name is empty, as code may give it. */
export function checkNamed(report: Report, source: NodeSource): void {
  if (source.id !== '') return;
  const { path, atKey } = placeOf(source);
  tell(report, 'error', 'out-of-range', path, 'the name of a node is empty.', { hint: 'Name the node.', atKey });
}
