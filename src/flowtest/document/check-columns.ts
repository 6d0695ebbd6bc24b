import type { Json, JsonObject } from '../../model/json.ts';
import type { DocumentPath, Problem } from '../../flow/document/problems/diagnostic.ts';
import { suggestion } from '../../flow/document/problems/suggestion.ts';
import { schemaProblems } from '../../flow/load/problems/schema-problems.ts';
import { type FlowTestDocument, type Scenario, scenarioSchema } from './document.ts';
import { columnsIn } from './expand-scenarios.ts';
import type { TestCode } from './test-codes.ts';

/** Mismatches between the texts of a scenario and the rows of its `each`. `path` is that of the scenario. */
export function columnProblems(
  scenario: Omit<Scenario, 'each'>,
  rows: readonly JsonObject[],
  path: DocumentPath,
): readonly Problem[] {
  const problems: Problem[] = [];
  const addProblem = (
    severity: Problem['severity'],
    code: TestCode,
    at: DocumentPath,
    message: string,
    hint: string,
  ): void => void problems.push({ code, severity, path: [...path, ...at], message, hint, atKey: at[0] === 'each' });
  const columns = new Set(rows.flatMap((row) => Object.keys(row)));
  const used = new Set<string>();
  for (const { at, text } of textsIn(scenario, []))
    for (const name of columnsIn(text)) {
      used.add(name);
      if (columns.has(name)) continue;
      const all = `There ${columns.size === 1 ? 'is' : 'are'} ${[...columns].map((one) => `<${one}>`).join(', ')}.`;
      addProblem('error', 'unknown-column', at, `no row of each has "${name}".`, suggestion(name, columns) ?? all);
    }
  for (const [index, row] of rows.entries()) {
    const own = Object.keys(row);
    for (const name of [...columns].filter((column) => used.has(column) && !own.includes(column)))
      addProblem(
        'error',
        'unknown-column',
        ['each', index],
        `this row of each has no "${name}".`,
        `Add it, or rename one.`,
      );
    for (const name of own.filter((column) => !used.has(column))) {
      const hint = suggestion(name, used) ?? `Write <${name}> where its value is to stand, or leave it out.`;
      addProblem('warning', 'unused-column', ['each', index, name], `no text of the scenario has <${name}>.`, hint);
    }
  }
  return problems;
}

/** Faults in the form of a scenario after it is filled with a row. `path` is that of the scenario. */
export function formProblems(
  issues: Parameters<typeof schemaProblems>[0],
  filled: unknown,
  path: DocumentPath,
): readonly Problem[] {
  const validated = {
    schema: scenarioSchema,
    value: filled,
    authored: filled,
    style: 'snake',
    whole: 'a scenario',
  } as const;
  return schemaProblems(issues, validated).map((problem) => ({ ...problem, path: [...path, ...problem.path] }));
}

/** The problems of a scenario that was filled with a row, moved to the row if the fault came from there. */
export function toldByRow(problems: readonly Problem[], document: FlowTestDocument, row: number): readonly Problem[] {
  return problems.map((problem) => {
    const [, index] = problem.path;
    const text = valueAt(document, problem.path);
    const [column] = typeof text === 'string' ? columnsIn(text) : [];
    if (column === undefined || typeof index !== 'number') return problem;
    return { ...problem, path: ['scenarios', index, 'each', row, column], atKey: false };
  });
}

/** Removes repeated problems: rows repeat problems that they did not cause. */
export function withoutRepeats(problems: readonly Problem[]): readonly Problem[] {
  const told = new Set<string>();
  return problems.filter(({ code, path, message }) => {
    const key = JSON.stringify([code, path, message]);
    return !told.has(key) && told.add(key);
  });
}

function* textsIn(value: unknown, at: DocumentPath): Iterable<{ readonly at: DocumentPath; readonly text: string }> {
  if (typeof value === 'string') yield { at, text: value };
  else if (Array.isArray(value)) for (const [index, one] of value.entries()) yield* textsIn(one, [...at, index]);
  else if (typeof value === 'object' && value !== null)
    for (const [key, one] of Object.entries(value)) yield* textsIn(one, [...at, key]);
}

function valueAt(document: unknown, path: DocumentPath): Json | undefined {
  let value: unknown = document;
  for (const segment of path)
    value =
      typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[segment] : undefined;
  return value as Json | undefined; // A part of a document.
}
