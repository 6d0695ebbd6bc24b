/** A change of one file that corrects a problem. It is only valid for the text that was checked. */
export interface TextFix {
  /** A description for people. */
  readonly title: string;
  /** In the order of the text: `from` and `to` count its UTF-16 units, `was` is the text there now. */
  readonly edits: readonly {
    readonly from: number;
    readonly to: number;
    readonly was: string;
    readonly text: string;
  }[];
}
