/** A text that can be written at a place, instead of the text between `from` and `to`, in UTF-16 units. */
export interface TextProposal {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** Its kind in a word or two: the type of a slot, of a node. */
  readonly detail: string;
  /** The information about it: plain text. */
  readonly about: string;
}
