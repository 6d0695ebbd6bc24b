/** Something that may be written at a place of a text, in place of what stands between `from` and `to`, in UTF-16 units. */
export interface TextProposal {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** What it is, in a word or two: the type of a slot, of a node. */
  readonly detail: string;
  /** What is known of it: plain text. */
  readonly about: string;
}
