import { lines } from '../../language/lines.ts';

/** What a caller hears where it is not the flow that fails, but what the conversation stands on. */
export interface TroubleLines {
  /** Where the call ends because the caller cannot be heard. */
  readonly deaf: string;
  /** Where the conversation ends because it cannot be kept, or its model not be reached. */
  readonly farewell: string;
  /** Where words were lost before anybody understood them. */
  readonly again: string;
}

/** What is said where nothing else is asked for. */
const defaultTroubleLines: TroubleLines = {
  deaf: lines.deaf[0],
  farewell: lines.endFailed[0],
  again: lines.again[0],
};

/** Lines of one's own; those that are not given are the default ones. */
export type TroubleLineChoices = { readonly [Line in keyof TroubleLines]?: TroubleLines[Line] | undefined };

/** All lines, where some are given. */
export function troubleLines({ deaf, farewell, again }: TroubleLineChoices = {}): TroubleLines {
  const other = defaultTroubleLines;
  return { deaf: deaf ?? other.deaf, farewell: farewell ?? other.farewell, again: again ?? other.again };
}
