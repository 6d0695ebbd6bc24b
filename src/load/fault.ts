/** Something wrong at a stretch of a text. */
export interface Fault {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly start: number;
  readonly end: number;
}
