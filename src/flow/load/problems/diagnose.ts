import type { Diagnostic, DocumentPath, Problem } from '../../document/problems/diagnostic.ts';
import { codeFrame } from '../yaml/code-frame.ts';
import { type Fault, quotesHint } from './fault.ts';
import { lineColumn, type SourcePosition } from '../yaml/source-text.ts';

/** Gives a problem its place in a file. */
export type Locate = (problem: Problem) => Diagnostic;

/** Locates a problem of a flow that is not a text. */
export function withoutPlace(file: string): Locate {
  return ({ atKey: _atKey, within: _within, ...rest }) => ({ ...rest, file });
}

export function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}

/** A problem at a known place, with the source around it. */
export function diagnose(
  problem: Omit<Fault, 'start' | 'end'> & Partial<Problem>,
  path: DocumentPath,
  place: SourcePosition,
): Diagnostic {
  const { code, severity = 'error', message } = problem;
  const hint = asWritten(problem.hint, place);
  return {
    code,
    severity,
    message,
    ...(hint === undefined ? {} : { hint }),
    path,
    file: place.source.name,
    ...lineColumn(place.source, place.start),
    ...endOf(place),
    // The frame of a secret would show the secret.
    ...(place.source.text === '' || problem.code === 'secret-in-prompt' ? {} : { frame: codeFrame(place) }),
  };
}

/** A hint that quotes a value quotes it as it is written: 007 is a number that has lost its zeros. */
function asWritten(hint: string | undefined, { source, start, end }: SourcePosition): string | undefined {
  if (hint?.startsWith(quotesHint) !== true) return hint;
  const written = source.text.slice(start, end);
  return /^[\w.+-]+$/.test(written) ? `${quotesHint}"${written}".` : hint;
}

function endOf({ source, start, end }: SourcePosition): Pick<Diagnostic, 'endLine' | 'endColumn'> {
  const { line, column } = lineColumn(source, Math.min(Math.max(start, end), Math.max(start, source.text.length)));
  return { endLine: line, endColumn: column };
}

/**
 * Sorts by place, the flow's own file first. Repeated diagnostics for one place, for example through an alias, are
 * removed.
 */
export function inOrder(diagnostics: readonly Diagnostic[], file: string): readonly Diagnostic[] {
  return distinct(diagnostics).toSorted((one, other) => {
    if (one.file !== other.file) {
      if (one.file === file) return -1;
      return other.file === file || one.file > other.file ? 1 : -1;
    }
    return (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0);
  });
}

function distinct(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const first = new Map<string, Diagnostic>();
  for (const diagnostic of diagnostics) {
    const { file, line, column, code, message, path } = diagnostic;
    const key = JSON.stringify([file, line ?? path, column, code, message]);
    if (!first.has(key)) first.set(key, diagnostic);
  }
  return [...first.values()];
}
