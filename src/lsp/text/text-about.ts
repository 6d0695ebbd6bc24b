/** The information about a place of a text, between `from` and `to`, in UTF-16 units. */
export interface TextAbout {
  readonly from: number;
  readonly to: number;
  /** The name or key itself. */
  readonly name: string;
  /** Its kind in a few words, such as `slot, date`. Empty for a key. */
  readonly kind: string;
  readonly parts: readonly AboutPart[];
}

/**
 * A paragraph of the information. A `note` is from Roomflow, with names between backticks. All other paragraphs are an
 * author's, and are always plain text: `text` describes, `said` is heard by callers, `prompt` is read by the model.
 */
export interface AboutPart {
  readonly is: 'note' | 'text' | 'said' | 'prompt';
  readonly text: string;
}
