import { bindingProblems, bindingReferences, compileBinding, type Binding } from '../expression/binding.ts';
import { momentNames } from '../expression/moment.ts';
import { ownValue } from '../expression/own-value.ts';
import type { Path } from '../expression/path.ts';
import { parseTemplate, plainBraces, templateReferences, type Template } from '../expression/template.ts';
import { compileWhen, type CompiledWhen, type When } from '../expression/when.ts';
import type { DocumentPath, Problem, Severity } from '../document/problems/diagnostic.ts';
import type { NameReader } from './nodes/node-type.ts';

/** A use of a name, to check against the declarations after compiling. */
export interface NameUse {
  /** The dotted name; its first part must be declared. */
  readonly reference: Path;
  readonly path: DocumentPath;
  readonly within?: { readonly start: number; readonly text: string };
  /** Names that exist only there, such as `args` in a confirmation. */
  readonly local: readonly string[];
  /** The use is in a confirmation question of a function with these arguments, or with any. */
  readonly confirms?: readonly string[] | 'anything';
  /** A condition reads it and requires it to differ from the compared value. */
  readonly isDenied?: boolean;
}

/** A name in single braces, in a text that uses double ones for placeholders. */
export interface PlainBraces {
  readonly name: string;
  readonly path: DocumentPath;
  readonly within: { readonly start: number; readonly text: string };
  readonly local: readonly string[];
  /** Callers hear the text. A prompt may contain braces. */
  readonly isSpoken: boolean;
}

/** Collects the findings of compiling, so all problems of a document are reported at once. */
export interface Report {
  /** The spoken language as a BCP 47 tag; null for texts that are not spoken. */
  readonly language: string | null;
  /** The flow's other languages. */
  readonly otherLanguages: readonly string[];
  readonly problems: Problem[];
  readonly names: NameUse[];
  readonly braces: PlainBraces[];
}

export function createReport(language: string | null = null, otherLanguages: readonly string[] = []): Report {
  return { language, otherLanguages, problems: [], names: [], braces: [] };
}

/** Adds a problem. */
export function addProblem(
  report: Report,
  severity: Severity,
  code: string,
  path: DocumentPath,
  message: string,
  more: Pick<Problem, 'hint' | 'atKey' | 'within'> = {},
): void {
  report.problems.push({ code, severity, path, message, ...more });
}

/** Parses a template and reports its problems and names. */
export function templateAt(
  report: Report,
  source: string,
  path: DocumentPath,
  local: readonly string[] = [],
  isSpoken = false,
): Template {
  const template = parseTemplate(source);
  for (const { start, end, name } of plainBraces(source))
    report.braces.push({ name, path, within: { start, text: source.slice(start, end) }, local, isSpoken });
  for (const problem of template.problems) {
    const text = source.slice(problem.start, problem.end);
    addProblem(report, 'error', 'template-syntax', path, problem.reason, {
      ...(problem.hint === undefined ? {} : { hint: problem.hint }),
      within: { start: problem.start, text },
    });
  }
  addNames(report, template, path, local);
  return template;
}

/** Compiles a condition and reports its problems and names. */
export function whenAt(report: Report, when: When, path: DocumentPath): CompiledWhen {
  const compiled = compileWhen(when);
  for (const problem of compiled.problems) {
    addProblem(
      report,
      'error',
      problem.code,
      [...path, ...problem.at],
      problem.reason,
      problem.hint === undefined ? {} : { hint: problem.hint },
    );
  }
  addVariables(report, compiled, path, []);
  return compiled;
}

/** Records the names in a part of a node's input, and the problems of its text. The schema covers those of a condition. */
export function readerAt(report: Report, reader: NameReader, path: DocumentPath): void {
  const { local = [] } = reader;
  if ('template' in reader) templateAt(report, reader.template, path, local);
  else addVariables(report, compileWhen(reader.when), path, local);
}

/** Compiles a value with `{{ bindings }}` and reports its problems and names. */
export function bindingAt(report: Report, value: unknown, path: DocumentPath, local: readonly string[] = []): Binding {
  const binding = compileBinding(value);
  const textOf = (at: DocumentPath): unknown => at.reduce<unknown>((part, key) => ownValue(part, String(key)), value);
  for (const { at, start, end, reason, hint } of bindingProblems(binding)) {
    const text = textOf(at);
    addProblem(report, 'error', 'template-syntax', [...path, ...at], reason, {
      ...(hint === undefined ? {} : { hint }),
      ...(typeof text === 'string' ? { within: { start, text: text.slice(start, end) } } : {}),
    });
  }
  const seen = new Set<string>();
  for (const { at } of bindingReferences(binding)) {
    const key = JSON.stringify(at);
    const text = textOf(at);
    if (seen.has(key) || typeof text !== 'string') continue;
    seen.add(key);
    addNames(report, parseTemplate(text), [...path, ...at], local);
  }
  return binding;
}

function addNames(report: Report, template: Template, path: DocumentPath, local: readonly string[]): void {
  for (const { path: reference, start, end } of templateReferences(template))
    report.names.push({ reference, path, within: { start, text: template.source.slice(start, end) }, local });
}

function addVariables(
  report: Report,
  { references }: CompiledWhen,
  path: DocumentPath,
  local: readonly string[],
): void {
  const known = [...momentNames, ...local];
  for (const { path: reference, at, isDenied } of references)
    report.names.push({ reference, path: [...path, ...at], local: known, isDenied });
}
