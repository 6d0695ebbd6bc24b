/** A step into a document: a key of a map or an index of a list. */
export type PathSegment = string | number;
export type DocumentPath = readonly PathSegment[];

export type Severity = 'error' | 'warning' | 'note';

/** A fault in a flow, before its place in a file is known. */
export interface Problem {
  readonly code: string;
  readonly severity: Severity;
  /** One sentence: the thing and the fact. */
  readonly message: string;
  /** The remedy. */
  readonly hint?: string;
  /** The place in the document, in the document's spelling of keys. */
  readonly path: DocumentPath;
  /** Whether the place is the key instead of its value. */
  readonly atKey?: boolean;
  /** The place inside the string value at `path`. */
  readonly within?: { readonly start: number; readonly text: string };
}

/**
 * A problem with its place, from `line` and `column` up to `endLine` and `endColumn` (exclusive). They count from 1, columns
 * in UTF-16 units, and are absent for a flow that is not text.
 */
export interface Diagnostic extends Omit<Problem, 'within' | 'atKey'> {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly endLine?: number;
  readonly endColumn?: number;
  /** The source lines around the place, with a mark under it. */
  readonly frame?: string;
}

/**
 * Formats a diagnostic as one line: `file:line:column code: message hint`. Throws nothing.
 *
 * @example
 * for (const one of checkFlow('flows/intake.yaml').diagnostics) console.log(formatDiagnostic(one));
 */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const { file, line, column, code, message, hint, path } = diagnostic;
  const place = line === undefined ? formatPath(path) : `${line}:${column ?? 1}`;
  return `${file}:${place} ${code}: ${message}${hint === undefined ? '' : ` ${hint}`}`;
}

/** Formats a path, such as `nodes.greet.functions[0].transition_to`; the whole document is `(document)`. */
export function formatPath(path: DocumentPath): string {
  let text = '';
  for (const segment of path) {
    if (typeof segment === 'number') text += `[${segment}]`;
    else if (/^[A-Za-z_][\w-]*$/.test(segment)) text += text === '' ? segment : `.${segment}`;
    else text += `[${JSON.stringify(segment)}]`;
  }
  return text === '' ? '(document)' : text;
}
