/** Something wrong at a stretch of a text. */
export interface Fault {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly start: number;
  readonly end: number;
}

/** How a hint begins that quotes a value which is to be text. */
export const quotesHint = 'Put it in quotes: ';
