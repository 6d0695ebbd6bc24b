import type { BuiltInLines } from '../../ports/reader.ts';

/** The lines for failures outside the flow: of the ears, the store or the model. */
export interface TroubleLines {
  /** Where the call ends because the caller cannot be heard. */
  readonly deaf: string;
  /** Where the conversation ends because it cannot be kept, or its model not be reached. */
  readonly farewell: string;
  /** Where words were lost before anybody understood them. */
  readonly again: string;
}

/** An author's lines; the defaults stand for the others. */
export type TroubleLineChoices = { readonly [Line in keyof TroubleLines]?: TroubleLines[Line] | undefined };

/** All lines: those that are given, and else those of the language that is spoken by then. */
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
