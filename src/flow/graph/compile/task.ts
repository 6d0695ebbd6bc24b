import type { z } from 'zod';
import type { JsonObject } from '../../../model/json.ts';
import type { Template } from '../../expression/template.ts';
import { momentNames } from '../../expression/moment.ts';
import type { DocumentPath } from '../../document/problems/diagnostic.ts';
import { shapeOf } from '../../document/problems/schema-shape.ts';
import { normalizeSpelling } from '../../document/problems/spelling.ts';
import type { TaskNodeDocument } from '../../document/task-node.ts';
import { parseSafely } from '../parse-safely.ts';
import { along, describeIssue, keysOf } from '../describe-issue.ts';
import type { DocumentTypes } from '../nodes/node-packs.ts';
import type { NodeType } from '../nodes/node-type.ts';
import { type Registered, reportUnregistered } from './registered.ts';
import { bindingAt, readerAt, type Report, addProblem, templateAt } from '../report.ts';
import type { TaskNode, TaskPolicy } from '../task-graph.ts';

/** A compiled catalog node. */
export interface CompiledTask extends Pick<TaskNode, 'task' | 'prompt' | 'policy' | 'writes' | 'waitsFor'> {
  /** Additional names in its body; null if its type has no body. */
  readonly bodyNames: readonly string[] | null;
}

/** Compiles a catalog node with its input. Returns null, and reports a problem, for an unknown type. */
export function compileTask(
  report: Report,
  source: Omit<TaskNodeDocument, 'body'>,
  path: DocumentPath,
  types: DocumentTypes,
  registered: Pick<Registered, 'flows'>,
): CompiledTask | null {
  const type = types.get(source.type);
  if (type === undefined) {
    const hint = types.remedyFor(source.type);
    if (hint !== undefined)
      addProblem(report, 'error', 'unknown-node-type', [...path, 'type'], `no node type is called "${source.type}".`, {
        hint,
      });
    return null;
  }
  const spelled = normalizeSpelling(type.input, source.input ?? {});
  for (const problem of spelled.problems)
    report.problems.push({ ...problem, path: [...path, 'input', ...problem.path] });
  const input = spelled.value as Record<string, unknown>; // Renaming keys leaves a map a map.
  reportInput(report, type, input, [...path, 'input']);
  const flow = type.runsFlow === undefined ? undefined : input[type.runsFlow];
  if (type.runsFlow !== undefined && typeof flow === 'string' && !flow.includes('{{'))
    reportUnregistered(report, 'flow', flow, [...path, 'input', type.runsFlow], registered);
  const config = configOf(report, type, source.config, [...path, 'config']);
  const isLiteral = ([key]: readonly [string, unknown]): boolean => type.literal?.includes(key) === true;
  const entries = Object.entries(input);
  const bound = Object.fromEntries(entries.filter((entry) => !isLiteral(entry)));
  const literal = Object.fromEntries(entries.filter(isLiteral));
  return {
    task: { type, input: bindingAt(report, bound, [...path, 'input'], momentNames), literal, config },
    prompt: promptOf(report, type, source.prompt, [...path, 'prompt']),
    policy: policyOf(source.policy),
    writes: writesOf(report, type, source.effect, path),
    waitsFor: type.waitsFor?.(input) ?? 'all',
    bodyNames: type.bodyNames?.(input) ?? null,
  };
}

function promptOf(report: Report, type: NodeType, prompt: string | undefined, path: DocumentPath): Template | null {
  if (prompt === undefined) return null;
  if (type.capabilities?.isAgent !== true)
    addProblem(report, 'error', 'conflicting-keys', path, `a ${type.name} has no use for a prompt.`, {
      hint: 'Remove it.',
      atKey: true,
    });
  return templateAt(report, prompt, path);
}

/** Returns whether the node is a write, by its type, otherwise by the document. */
function writesOf(report: Report, type: NodeType, effect: TaskNodeDocument['effect'], path: DocumentPath): boolean {
  const writes = type.capabilities?.writes === true;
  const fault =
    effect === 'write' && 'evaluate' in type
      ? `a ${type.name} is only computed, so it changes nothing.`
      : effect === 'read' && writes
        ? `a ${type.name} changes the world, whatever the document says.`
        : null;
  if (fault !== null)
    addProblem(report, 'error', 'conflicting-keys', [...path, 'effect'], fault, {
      hint: 'Remove effect.',
      atKey: true,
    });
  return writes || effect === 'write';
}

function policyOf(policy: TaskNodeDocument['policy'] = {}): TaskPolicy {
  return {
    timeoutMs: policy.timeoutMs ?? null,
    totalTimeoutMs: policy.totalTimeoutMs ?? null,
    maxAttempts: policy.retry?.maxAttempts ?? 1,
    backoffMs: policy.retry?.backoffMs ?? 0,
    continueOnError: policy.continueOnError ?? false,
  };
}

/** Returns the config in camelCase and reports unknown keys. */
function configOf(report: Report, type: NodeType, config: TaskNodeDocument['config'], path: DocumentPath): JsonObject {
  if (config === undefined) return {};
  if (type.config === undefined) {
    addProblem(report, 'error', 'conflicting-keys', path, `a ${type.name} takes no config.`, {
      hint: 'Remove it.',
      atKey: true,
    });
    return {};
  }
  const spelled = normalizeSpelling(type.config, config);
  for (const problem of spelled.problems) report.problems.push({ ...problem, path: [...path, ...problem.path] });
  const { error } = parseSafely(type.config, spelled.value);
  tellIssues(
    report,
    { here: type.config, other: type.input, otherPart: 'input' },
    error?.issues ?? [],
    spelled.value,
    path,
  );
  return spelled.value as JsonObject; // JSON by the loader's contract, and a map.
}

/** Checks an input against its type's schema, except for values bound at run time, and records the names it reads. */
function reportInput(report: Report, type: NodeType, input: Record<string, unknown>, path: DocumentPath): void {
  const parsed = parseSafely(type.input, input);
  if (parsed.success) {
    for (const { at, message, hint } of type.faults?.(parsed.data) ?? [])
      addProblem(report, 'error', 'invalid-node-input', [...path, ...at], message, { hint });
    for (const reader of type.reads?.(parsed.data) ?? []) readerAt(report, reader, [...path, ...reader.at]);
    return;
  }
  // Literal inputs are not bound.
  const bound = Object.fromEntries(Object.entries(input).filter(([key]) => type.literal?.includes(key) !== true));
  const issues = parsed.error.issues.filter((issue) => !isBound(bound, keysOf(issue)));
  tellIssues(report, { here: type.input, other: type.config, otherPart: 'config' }, issues, input, path);
}

/** The schema of a part, and of the part that its keys may be confused with. */
interface PartSchemas {
  readonly here: z.ZodType;
  readonly other: z.ZodType | undefined;
  readonly otherPart: string;
}

function tellIssues(
  report: Report,
  { here, other, otherPart }: PartSchemas,
  issues: readonly z.core.$ZodIssue[],
  given: unknown,
  path: DocumentPath,
): void {
  const elsewhere = other === undefined ? null : shapeOf(other).fields;
  for (const issue of issues)
    for (const { place, message, ...more } of describeIssue(here, issue, given)) {
      const isElsewhere = more.atKey === true && place.length === 1 && elsewhere?.has(String(place[0])) === true;
      const hint = isElsewhere ? { hint: `It is a key of ${otherPart}.` } : {};
      addProblem(report, 'error', 'invalid-node-input', [...path, ...place], message, { ...more, ...hint });
    }
}

/** Checks whether a template fills the value at the path, or one around it, at run time. */
function isBound(input: unknown, path: DocumentPath): boolean {
  const last = along(input, path).findLast((value) => value !== undefined);
  return typeof last === 'string' && last.includes('{{');
}
