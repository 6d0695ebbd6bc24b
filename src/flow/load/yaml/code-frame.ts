import { lineColumn, lineText, type SourcePosition } from './source-text.ts';

const LINES_BEFORE = 2;
const WIDTH = 100;

/** The line of a place with the two lines before it and `^^^` under the place. Long lines are cut around it. */
export function codeFrame({ source, start, end }: SourcePosition): string {
  const { line, column } = lineColumn(source, start);
  const first = Math.max(1, line - LINES_BEFORE);
  const gutter = String(line).length;
  const cut = windowAround(lineText(source, line).length, column - 1);
  const rows: string[] = [];
  for (let number = first; number <= line; number += 1) {
    const text = clip(lineText(source, number), cut);
    rows.push(`${number === line ? '>' : ' '} ${String(number).padStart(gutter)} | ${text}`.trimEnd());
  }
  const marked = lineText(source, line);
  const length = Math.max(
    1,
    Math.min(end, start + marked.length - (column - 1), start + cut.to - (column - 1)) - start,
  );
  const before = clip(marked.slice(0, column - 1), { ...cut, to: column - 1 }).replace(/[^\t]/g, ' ');
  rows.push(`  ${' '.repeat(gutter)} | ${before}${'^'.repeat(length)}`);
  return rows.join('\n');
}

interface Window {
  readonly from: number;
  readonly to: number;
}

function windowAround(length: number, at: number): Window {
  if (length <= WIDTH) return { from: 0, to: WIDTH };
  const from = Math.max(0, Math.min(at - WIDTH / 2, length - WIDTH));
  return { from, to: from + WIDTH };
}

function clip(text: string, { from, to }: Window): string {
  const head = from > 0 && text !== '' ? '…' : '';
  const tail = text.length > to ? '…' : '';
  // A terminal would interpret control characters.
  return `${head}${text.slice(from, to).replace(/[^\P{Cc}\t]/gu, '\u{fffd}')}${tail}`;
}
