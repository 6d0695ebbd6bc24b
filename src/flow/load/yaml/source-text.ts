/** A text and its name in reported problems. */
export interface SourceText {
  readonly name: string;
  readonly text: string;
  /** Offsets at which lines begin, computed when first needed. */
  readonly lineStarts: readonly number[];
}

/** A range of a text. `end` is the offset after it. */
export interface SourcePosition {
  readonly source: SourceText;
  readonly start: number;
  readonly end: number;
}

export function createSourceText(name: string, text: string): SourceText {
  let starts: number[] | undefined;
  return {
    name,
    text,
    get lineStarts() {
      if (starts === undefined) {
        starts = [0];
        for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
      }
      return starts;
    },
  };
}

/** The line and column of an offset, both counted from 1. Columns count UTF-16 units, as editors do. */
export function lineColumn({ lineStarts }: SourceText, offset: number): { line: number; column: number } {
  let low = 0;
  let high = lineStarts.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((lineStarts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return { line: low + 1, column: offset - (lineStarts[low] ?? 0) + 1 };
}

/** The text of a line counted from 1, without its line break. */
export function lineText({ text, lineStarts }: SourceText, line: number): string {
  const start = lineStarts[line - 1] ?? 0;
  const next = lineStarts[line];
  const end = next === undefined ? text.length : next - 1;
  return text.slice(start, end > start && text[end - 1] === '\r' ? end - 1 : end);
}
