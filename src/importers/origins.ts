import type { DocumentPath } from '../flow/document/problems/diagnostic.ts';

/** The places of the parts of a converted document in the author's text. Paths name places in the result. */
export interface Origins {
  /** Records that the part at `path`, with everything in it, was at `input`. */
  readonly moved: (path: DocumentPath, input: DocumentPath) => void;
  /** Records that the part at `path`, with everything in it, was made out of the value at `input`. */
  readonly made: (path: DocumentPath, input: DocumentPath) => void;
  /** Returns the author's place of a part. A part that never moved has its own path. */
  readonly of: (path: DocumentPath) => DocumentPath;
}

export function createOrigins(): Origins {
  const places = new Map<string, { readonly input: DocumentPath; readonly keepsRest: boolean }>();
  let longest = 0;
  const add = (path: DocumentPath, input: DocumentPath, keepsRest: boolean): void => {
    places.set(JSON.stringify(path), { input, keepsRest });
    longest = Math.max(longest, path.length);
  };
  return {
    moved: (path, input) => add(path, input, true),
    made: (path, input) => add(path, input, false),
    of(path) {
      for (let length = Math.min(longest, path.length); length > 0; length -= 1) {
        const place = places.get(JSON.stringify(path.slice(0, length)));
        if (place !== undefined) return place.keepsRest ? [...place.input, ...path.slice(length)] : place.input;
      }
      return path;
    },
  };
}
