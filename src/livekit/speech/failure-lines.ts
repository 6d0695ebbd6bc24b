import type { BuiltInLines } from '../../model/ports/reader.ts';

/** The lines for failures outside the flow: of the recogniser, the store or the model. */
export interface TroubleLines {
  /** Said when the call ends because the caller cannot be heard. */
  readonly deaf: string;
  /** Said when the conversation ends because its store or model has failed. */
  readonly farewell: string;
  /** Said when words of the caller were lost. */
  readonly again: string;
}

/** An author's lines; the others keep their defaults. */
export type TroubleLineChoices = { readonly [Line in keyof TroubleLines]?: TroubleLines[Line] | undefined };

/** Returns all lines: the author's, else those of the current language. */
export function troubleLines(own: TroubleLineChoices | undefined, built: () => BuiltInLines): TroubleLines {
  return {
    get deaf() {
      return own?.deaf ?? built().deaf[0];
    },
    get farewell() {
      return own?.farewell ?? built().endFailed[0];
    },
    get again() {
      return own?.again ?? built().again[0];
    },
  };
}
