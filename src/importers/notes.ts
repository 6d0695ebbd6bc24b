import type { SourcePlace } from './source.ts';

/** The result of importing a part of a foreign document. */
export interface ImportNote extends SourcePlace {
  /**
   * `taken`: it means the same here. `changed`: it means nearly the same, and `text` says how. `lost`: it has no
   * counterpart.
   */
  readonly kind: 'taken' | 'changed' | 'lost';
  /** The part and the result of its import: one line without the place. */
  readonly text: string;
  /** The number of other places where the same was found. */
  readonly more: number;
}

/** Collects notes. A note that applies to many places is reported once, with the number of places. */
export interface Notes {
  taken(place: SourcePlace, text: string): void;
  changed(place: SourcePlace, text: string): void;
  lost(place: SourcePlace, text: string): void;
  readonly list: () => readonly ImportNote[];
}

export function createNotes(): Notes {
  const notes = new Map<string, ImportNote>();
  const add =
    (kind: ImportNote['kind']) =>
    ({ file, path }: SourcePlace, text: string): void => {
      const key = `${kind}\n${text}`;
      const known = notes.get(key);
      notes.set(key, known === undefined ? { kind, text, file, path, more: 0 } : { ...known, more: known.more + 1 });
    };
  return { taken: add('taken'), changed: add('changed'), lost: add('lost'), list: () => [...notes.values()] };
}
