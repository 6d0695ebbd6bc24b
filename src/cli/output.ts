import { styleText } from 'node:util';
import type { Diagnostic } from '../flow/diagnostic.ts';
import { formatDiagnostic } from '../flow/diagnostic.ts';
import { escaped, unturned } from '../ports/turned-text.ts';

export type Style = Parameters<typeof styleText>[0];

/** Colours for people; plain text for pipes, files and NO_COLOR. */
export function paint(style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return hasColours(stream) ? styleText(style, text) : text;
}

/** Whether what is written to a stream is to have colours. */
export function hasColours(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY && process.env['NO_COLOR'] === undefined && process.env['TERM'] !== 'dumb';
}

/** Writes text, in which ids and words of callers may stand: it cannot lead a terminal astray, and JSON means the same. */
export function print(text: string): void {
  process.stdout.write(`${withoutControls(text, isPainted)}\n`);
}

/** Writes a row of which anything may be from outside: it stays one row, and its colour is `style` alone. */
export function printRow(text: string, style: Style | null = null): void {
  const row = withoutControls(text, (found) => found === '\t');
  process.stdout.write(`${style === null ? row : paint(style, row)}\n`);
}

/** Tells what is wrong, on standard error. */
export function complain(text: string): void {
  process.stderr.write(`${paint('red', withoutControls(text, isSpace), process.stderr)}\n`);
}

/** Tells something on standard error that is no fault: a report beside what is printed. */
export function tellBeside(text: string): void {
  process.stderr.write(`${withoutControls(text, isPainted)}\n`);
}

const isSpace = (found: string): boolean => found === '\n' || found === '\t';

/** A space, or a colour of `paint`. */
const isPainted = (found: string): boolean => isSpace(found) || (found.startsWith('\u001B') && found.length > 1);

/** What `isKept` stays; other control characters, and those that turn a text round, become their escapes. */
function withoutControls(text: string, isKept: (found: string) => boolean): string {
  return unturned(text).replaceAll(/\p{Cc}(?:\[(?:2|22|3\d)m)?|[\u2028\u2029]/gu, (found) => {
    return isKept(found) ? found : `${escaped(found)}${found.slice(1)}`;
  });
}

const styles: Record<Diagnostic['severity'], Style> = { error: 'red', warning: 'yellow', note: 'cyan' };

/** A diagnostic for a terminal: its line, and for what needs mending the source under it. */
export function printDiagnostic(diagnostic: Diagnostic): void {
  print(diagnosticText(diagnostic, paint));
}

/** The same as text; `style` gives it its colours. */
export function diagnosticText(diagnostic: Diagnostic, style: (style: Style, text: string) => string): string {
  const { severity, code, frame } = diagnostic;
  const line = formatDiagnostic(diagnostic);
  const label = severity === 'error' ? code : `${severity} ${code}`;
  const head = line.replace(` ${code}: `, () => ` ${style(styles[severity], `${label}:`)} `);
  return frame === undefined || severity === 'note' ? head : `${head}\n${style('dim', frame)}\n`;
}
