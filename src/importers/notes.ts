import type { SourcePlace } from './source.ts';

/** What became of a part of a foreign document. */
export interface ImportNote extends SourcePlace {
  /** `taken`: means the same here. `changed`: comes near to it, `text` says how. `lost`: has no counterpart. */
  readonly kind: 'taken' | 'changed' | 'lost';
  /** What the part is, and what became of it: one line without the place. */
  readonly text: string;
  /** At how many more places the same was found. */
  readonly more: number;
}

/** Gathers notes; of what is found at many places the first is told, with their number. */
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
