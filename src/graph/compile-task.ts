import type { z } from 'zod';
import type { JsonObject } from '../events/json.ts';
import type { DocumentPath } from '../flow/diagnostic.ts';
import { shapeOf } from '../flow/schema-shape.ts';
import { normalizeSpelling } from '../flow/spelling.ts';
import { suggestion } from '../flow/suggestion.ts';
import type { GraphTask } from './graph.ts';
import type { DocumentTypes } from './node-packs.ts';
import type { NodeType } from './node-type.ts';
import { bindingAt, readerAt, type Report, tell } from './report.ts';

/** What a document says of a catalog node. */
export interface TaskSource {
  readonly type: string;
  readonly input?: Readonly<Record<string, unknown>> | undefined;
  readonly config?: Readonly<Record<string, unknown>> | undefined;
}

/** A catalog node, and its input as it stands in the document with keys in camelCase. */
export interface CompiledTask {
  readonly task: GraphTask;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Resolves a catalog node with its input; null, with a problem, where there is no such type. */
export function compileTask(
  report: Report,
  source: TaskSource,
  path: DocumentPath,
  types: DocumentTypes,
): CompiledTask | null {
  const type = types.get(source.type);
  if (type === undefined) {
    const hint = types.remedyFor(source.type);
    if (hint !== undefined)
      tell(report, 'error', 'unknown-node-type', [...path, 'type'], `no node type is called "${source.type}".`, {
        hint,
      });
    return null;
  }
  const spelled = normalizeSpelling(type.input, source.input ?? {});
  for (const problem of spelled.problems)
    report.problems.push({ ...problem, path: [...path, 'input', ...problem.path] });
  const input = spelled.value as Record<string, unknown>; // Renaming keys leaves a map a map.
  reportInput(report, type, input, [...path, 'input']);
  const config = configOf(report, type, source.config, [...path, 'config']);
  const isLiteral = ([key]: readonly [string, unknown]): boolean => type.literal?.includes(key) === true;
  const entries = Object.entries(input);
  const bound = Object.fromEntries(entries.filter((entry) => !isLiteral(entry)));
  const literal = Object.fromEntries(entries.filter(isLiteral));
  return { task: { type, input: bindingAt(report, bound, [...path, 'input']), literal, config }, input };
}

/** The config in camelCase; what its type does not take is told. */
function configOf(report: Report, type: NodeType, config: TaskSource['config'], path: DocumentPath): JsonObject {
  if (config === undefined) return {};
  if (type.config === undefined) {
    tell(report, 'error', 'conflicting-keys', path, `a ${type.name} takes no config.`, {
      hint: 'Remove it.',
      atKey: true,
    });
    return {};
  }
  const spelled = normalizeSpelling(type.config, config);
  for (const problem of spelled.problems) report.problems.push({ ...problem, path: [...path, ...problem.path] });
  const { error } = type.config.safeParse(spelled.value);
  tellIssues(report, type.config, error?.issues ?? [], path);
  return spelled.value as JsonObject; // JSON by the loader's contract, and a map.
}

/** Checks an input against its type's schema, as far as it is not bound at run time, and the names that it reads. */
function reportInput(report: Report, type: NodeType, input: Record<string, unknown>, path: DocumentPath): void {
  const parsed = type.input.safeParse(input);
  if (parsed.success) {
    for (const reader of type.reads?.(parsed.data) ?? []) readerAt(report, reader, [...path, ...reader.at]);
    return;
  }
  // What a type takes as it stands is not bound.
  const bound = Object.fromEntries(Object.entries(input).filter(([key]) => type.literal?.includes(key) !== true));
  const issues = parsed.error.issues.filter((issue) => !isBound(bound, keysOf(issue)));
  tellIssues(report, type.input, issues, path);
}

function tellIssues(report: Report, schema: z.ZodType, issues: readonly z.core.$ZodIssue[], path: DocumentPath): void {
  for (const issue of issues) {
    const place = keysOf(issue);
    const [key] = issue.code === 'unrecognized_keys' ? issue.keys : [];
    if (key === undefined) {
      tell(report, 'error', 'invalid-node-input', [...path, ...place], issue.message);
      continue;
    }
    const meant = place.length === 0 ? suggestion(key, shapeOf(schema).fields?.keys() ?? []) : undefined;
    tell(report, 'error', 'invalid-node-input', [...path, ...place, key], issue.message, {
      atKey: true,
      ...(meant === undefined ? {} : { hint: meant }),
    });
  }
}

function keysOf({ path }: z.core.$ZodIssue): DocumentPath {
  return path.filter((segment) => typeof segment !== 'symbol');
}

/** Whether the value at the path, or one it lies in, is filled in by a template when the node runs. */
function isBound(input: unknown, path: readonly (string | number)[]): boolean {
  let value = input;
  for (const segment of path) {
    if (typeof value !== 'object' || value === null) break;
    value = (value as Record<string | number, unknown>)[segment]; // Document data: plain, own and without accessors.
  }
  return typeof value === 'string' && value.includes('{{');
}
