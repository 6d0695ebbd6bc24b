import type { DiagnosticCode } from '../../document/problems/diagnostic-codes.ts';
import type { DocumentPath, PathSegment } from '../../document/problems/diagnostic.ts';
import { once } from '../../document/problems/schema-shape.ts';
import { taskFlowSchema } from '../../document/task-document.ts';
import { tableOf, removedAround, wordsIn } from './certain-problems.ts';
import type { RemovedPart } from './repair.ts';
import { ownersOfKeys } from './schema-problems.ts';

/**
 * Returns a check for the problems of a repaired task flow: whether the flow has a problem regardless of what the
 * author meant at the places that were removed. `path` is the place of the problem, in the same document as the removed
 * places. `text` is the wrong part there.
 */
export function taskCertainty(
  taken: readonly RemovedPart[],
): (code: string, path: DocumentPath, text: unknown) => boolean {
  const { touches, mayLack } = removedAround(taken, taskFlowSchema, formatKeys());
  const words = wordsTaken(taken);
  const mayDeclare = taken.some(({ path, value, unknown = value === undefined ? path : undefined }) => {
    return unknown !== undefined && mayHoldNames(unknown);
  });
  const mayBeNamed = (text: unknown): boolean =>
    mayDeclare || typeof text !== 'string' || words.has(text) || wordsIn(text).some((word) => words.has(word));
  const mayBeLinked = mayDeclare || ['edges', 'from', 'to', 'when'].some((word) => words.has(word));
  const mayBePacked =
    words.has('nodePacks') || words.has('node_packs') || taken.some(({ path, value }) => mayNamePacks(path, value));

  return (code, path, text) => {
    if (touches(path)) return false;
    switch (needed.get(code)) {
      case 'place':
        return true;
      case 'part':
        return !mayLack(partOf(path));
      case 'names':
        return !mayBeNamed(text);
      case 'order':
        return !mayBeLinked && !mayBeNamed(text);
      case 'packs':
        return !mayBePacked;
      case undefined:
        return false;
    }
  };
}

/**
 * The parts that must be as the author meant them for a problem to be certain: its place, its task or edge, the names
 * that it looks for, these and all edges, or the packs that the flow names.
 */
const needed = tableOf({
  place: [
    'duplicate-id',
    'reserved-name',
    'name-collision',
    'invalid-default',
    'unknown-node-pack',
    'template-syntax',
    'when-several-operators',
    'when-path',
    'when-operand',
    'when-pattern',
    'when-too-deep',
    'task-circle',
    'time-in-utc',
    'unknown-output-field',
  ],
  part: [
    'conflicting-keys',
    'missing-key',
    'missing-body',
    'invalid-node-input',
    'unknown-flow',
    'unregistered-flow',
    'both-spellings',
    'when-empty',
    'self-loop',
  ],
  names: ['unknown-source', 'unknown-target', 'undeclared-name'],
  order: ['unordered-read'],
  packs: ['unknown-node-type'],
} as const satisfies Readonly<Record<string, readonly DiagnosticCode[]>>);

const formatKeys = once(() => ownersOfKeys(taskFlowSchema));

/** The smallest part of a document that contains a path: a task, possibly inside another task, or an edge. */
function partOf(path: DocumentPath): DocumentPath {
  let at = 0;
  while (path[at] === 'nodes' && path[at + 2] === 'body') at += 3;
  return path.slice(0, at + 2);
}

/** Every removed word: it may have been meant as a name, or as a key. */
function wordsTaken(taken: readonly RemovedPart[]): ReadonlySet<PathSegment> {
  const words = new Set<PathSegment>();
  const open: unknown[] = [];
  for (const { path, value } of taken) {
    for (const [index, segment] of path.entries())
      if (index === path.length - 1 || !STRUCTURE.has(segment)) words.add(segment);
    open.push(value);
  }
  for (const value of open) {
    if (typeof value === 'string') words.add(value);
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, member] of Object.entries(value)) {
      words.add(key);
      open.push(member);
    }
  }
  return words;
}

const STRUCTURE: ReadonlySet<PathSegment> = new Set(['flow', 'nodes', 'body', 'input']);

/** Checks whether unknown content at a place may be tasks or inputs, and so declare names. */
function mayHoldNames(path: DocumentPath): boolean {
  const last = path.at(-1);
  if (last === undefined || last === 'nodes' || last === 'body' || last === 'id' || last === 'flow') return true;
  return (path[0] === 'flow' && path.length === 2) || (typeof last === 'number' && path.at(-2) === 'nodes');
}

/** Checks whether a removed part may have been the list of packs, under another key or without one. */
function mayNamePacks([section, key, ...rest]: DocumentPath, value: unknown): boolean {
  if (section === undefined || (section === 'flow' && key === undefined)) return true;
  return section === 'flow' && rest.length === 0 && Array.isArray(value);
}
