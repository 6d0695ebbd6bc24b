import type { Diagnostic, DocumentPath } from '../../flow/document/problems/diagnostic.ts';
import { openPlain } from '../../flow/load/open-plain.ts';

/** A line of a file, counted from 1. */
export interface FlowPosition {
  readonly file: string;
  readonly line: number;
  /** The source around it. */
  readonly frame?: string;
}

/** Returns the place of a part of a document in its file, or null for a part of a flow that is not a text. */
export type PlaceOf = (path: DocumentPath, atKey?: boolean) => FlowPosition | null;

/** Finds the places of a flow's parts. */
export function placesOf(source: string | object): PlaceOf {
  const { locate } = openPlain(source, {});
  const known = new Map<string, FlowPosition | null>();
  return (path, atKey = true) => {
    const key = JSON.stringify([path, atKey]);
    const found = known.get(key);
    if (found !== undefined) return found;
    const place = placeIn(locate({ code: '', severity: 'note', message: '', path, atKey }));
    known.set(key, place);
    return place;
  };
}

export function placeIn({ file, line, frame }: Diagnostic): FlowPosition | null {
  return line === undefined ? null : { file, line, ...(frame === undefined ? {} : { frame }) };
}
