import type { DocumentPath } from '../flow/diagnostic.ts';

/** Where the parts of a converted document stood in the author's text. Paths name places in the result. */
export interface Origins {
  /** The part at `path`, with all below it, stood at `input`. */
  readonly moved: (path: DocumentPath, input: DocumentPath) => void;
  /** The part at `path` was made out of the value at `input`, to which all below it leads. */
  readonly made: (path: DocumentPath, input: DocumentPath) => void;
  /** The author's place of a part; a part that never moved is its own. */
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
