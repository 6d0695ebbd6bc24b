import { styleText } from 'node:util';
import type { Diagnostic } from '../flow/document/problems/diagnostic.ts';
import { formatDiagnostic } from '../flow/document/problems/diagnostic.ts';
import { escaped, escapeBidi } from '../model/ports/escape-bidi.ts';

export type Style = Parameters<typeof styleText>[0];

/** Colours a text for terminals; pipes, files and NO_COLOR get plain text. */
export function paint(style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return hasColours(stream) ? styleText(style, text) : text;
}

/** Checks whether a stream should get colours. */
export function hasColours(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY && process.env['NO_COLOR'] === undefined && process.env['TERM'] !== 'dumb';
}

/**
 * Prints a text. Control characters are escaped because ids and words of callers may contain them; JSON keeps its
 * meaning.
 */
export function print(text: string): void {
  process.stdout.write(`${withoutControls(text, isPainted)}\n`);
}

/** Prints one row of untrusted text: it stays one row, and its only colour is `style`. */
export function printRow(text: string, style: Style | null = null): void {
  const row = withoutControls(text, (found) => found === '\t');
  process.stdout.write(`${style === null ? row : paint(style, row)}\n`);
}

/** Prints an error on standard error. */
export function complain(text: string): void {
  process.stderr.write(`${paint('red', withoutControls(text, isSpace), process.stderr)}\n`);
}

/** Prints a report on standard error that is not an error. */
export function tellBeside(text: string): void {
  process.stderr.write(`${withoutControls(text, isPainted)}\n`);
}

const isSpace = (found: string): boolean => found === '\n' || found === '\t';

/** White space, or a colour of `paint`. */
const isPainted = (found: string): boolean => isSpace(found) || (found.startsWith('\u001B') && found.length > 1);

/**
 * Escapes control characters and those that change the direction of text, except those for which `isKept` returns true.
 */
function withoutControls(text: string, isKept: (found: string) => boolean): string {
  return escapeBidi(text).replaceAll(/\p{Cc}(?:\[(?:2|22|3\d)m)?|[\u2028\u2029]/gu, (found) => {
    return isKept(found) ? found : `${escaped(found)}${found.slice(1)}`;
  });
}

const styles: Record<Diagnostic['severity'], Style> = { error: 'red', warning: 'yellow', note: 'cyan' };

/** Prints a diagnostic for a terminal. Errors and warnings show their source line. */
export function printDiagnostic(diagnostic: Diagnostic): void {
  print(diagnosticText(diagnostic, paint));
}

/** Returns the text of a diagnostic; `style` adds the colours. */
export function diagnosticText(diagnostic: Diagnostic, style: (style: Style, text: string) => string): string {
  const { severity, code, frame } = diagnostic;
  const line = formatDiagnostic(diagnostic);
  const label = severity === 'error' ? code : `${severity} ${code}`;
  const head = line.replace(` ${code}: `, () => ` ${style(styles[severity], `${label}:`)} `);
  return frame === undefined || severity === 'note' ? head : `${head}\n${style('dim', frame)}\n`;
}
