/** A fault in a range of a text. */
export interface Fault {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly start: number;
  readonly end: number;
}

/** The beginning of a hint that quotes a value which has to be text. */
export const quotesHint = 'Put it in quotes: ';
