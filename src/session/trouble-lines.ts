import { defaultFallback } from '../kernel/trouble.ts';

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
export const defaultTroubleLines: TroubleLines = {
  deaf: 'I am sorry, I cannot hear you. Please call again later.',
  farewell: 'I am sorry, something went wrong here. I have to end this conversation.',
  again: defaultFallback,
};
