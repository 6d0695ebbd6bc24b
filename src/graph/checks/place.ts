import type { DocumentPath } from '../../flow/diagnostic.ts';
import type { NodeSource } from '../node-source.ts';

/** The place of a node as a whole: its key in a map, its id in a list. Spreads into the arguments of a problem. */
export function placeOf({ path }: NodeSource): { readonly path: DocumentPath; readonly atKey: boolean } {
  return typeof path.at(-1) === 'string' ? { path, atKey: true } : { path: [...path, 'id'], atKey: false };
}
