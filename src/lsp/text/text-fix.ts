/** A change of one file that mends a problem; for the very text that was checked. */
export interface TextFix {
  /** What it does, for people. */
  readonly title: string;
  /** In the order of the text: `from` and `to` count its UTF-16 units, `was` is what stands there. */
  readonly edits: readonly {
    readonly from: number;
    readonly to: number;
    readonly was: string;
    readonly text: string;
  }[];
}
