/** What is known of what stands at a place of a text, between `from` and `to`, in UTF-16 units. */
export interface TextAbout {
  readonly from: number;
  readonly to: number;
  /** The name or key itself. */
  readonly name: string;
  /** What it is, in a few words, such as `slot, date`; empty for a key. */
  readonly kind: string;
  readonly parts: readonly AboutPart[];
}

/**
 * A paragraph of what is known. `note` is of Roomflow, with names between backticks; all else is an author's, and text
 * whatever it looks like: `text` describes, `said` is heard by callers, `prompt` is read by the model.
 */
export interface AboutPart {
  readonly is: 'note' | 'text' | 'said' | 'prompt';
  readonly text: string;
}
