import { parseTemplate, type Template } from '../expression/template.ts';
import { bindingProblems, bindingReferences, compileBinding, type Binding } from '../expression/binding.ts';
import { compileWhen, type CompiledWhen, type When } from '../expression/when.ts';
import type { DocumentPath, Problem, Severity } from '../flow/diagnostic.ts';

/** A name that a document reads somewhere: checked against what the document declares once all is compiled. */
export interface NameUse {
  readonly name: string;
  readonly path: DocumentPath;
  readonly within?: { readonly start: number; readonly text: string };
  /** Names that exist only there, such as `args` in a confirmation. */
  readonly local: readonly string[];
}

/** Gathers what compiling finds, so that every problem of a document is told at once. */
export interface Report {
  readonly problems: Problem[];
  readonly names: NameUse[];
}

export function createReport(): Report {
  return { problems: [], names: [] };
}

/** Adds one problem. */
export function tell(
  report: Report,
  severity: Severity,
  code: string,
  path: DocumentPath,
  message: string,
  more: Pick<Problem, 'hint' | 'atKey' | 'within'> = {},
): void {
  report.problems.push({ code, severity, path, message, ...more });
}

/** Parses a template and reports its faults and the names it reads. */
export function templateAt(
  report: Report,
  source: string,
  path: DocumentPath,
  local: readonly string[] = [],
): Template {
  const template = parseTemplate(source);
  for (const problem of template.problems) {
    const text = source.slice(problem.start, problem.end);
    tell(report, 'error', 'template-syntax', path, problem.reason, {
      ...(problem.hint === undefined ? {} : { hint: problem.hint }),
      within: { start: problem.start, text },
    });
  }
  for (const part of template.parts) {
    if (typeof part === 'string') continue;
    const within = { start: part.start, text: source.slice(part.start, part.end) };
    report.names.push({ name: part.path[0] ?? '', path, within, local });
  }
  return template;
}

/** Compiles a condition and reports its faults and the names it reads. */
export function whenAt(report: Report, when: When, path: DocumentPath): CompiledWhen {
  const compiled = compileWhen(when);
  for (const problem of compiled.problems) {
    tell(report, 'error', problem.code, [...path, ...problem.at], problem.reason, {
      ...(problem.hint === undefined ? {} : { hint: problem.hint }),
    });
  }
  for (const reference of compiled.references) report.names.push({ name: reference[0] ?? '', path, local: [] });
  return compiled;
}

/** Compiles a value with `{{ bindings }}` and reports its faults and the names it reads. */
export function bindingAt(report: Report, value: unknown, path: DocumentPath, local: readonly string[] = []): Binding {
  const binding = compileBinding(value);
  for (const problem of bindingProblems(binding))
    tell(report, 'error', 'template-syntax', [...path, ...problem.at], problem.reason, {
      ...(problem.hint === undefined ? {} : { hint: problem.hint }),
    });
  for (const reference of bindingReferences(binding))
    report.names.push({ name: reference.path[0] ?? '', path: [...path, ...reference.at], local });
  return binding;
}
