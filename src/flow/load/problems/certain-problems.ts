import type { z } from 'zod';
import type { DiagnosticCode } from '../../document/problems/diagnostic-codes.ts';
import type { DocumentPath, PathSegment } from '../../document/problems/diagnostic.ts';
import { conversationSchema, type ConversationDocument } from '../../document/document.ts';
import { once, shapeAt } from '../../document/problems/schema-shape.ts';
import { valueAt } from '../yaml/part-at.ts';
import type { RemovedPart } from './repair.ts';
import { ownersOfKeys } from './schema-problems.ts';

/**
 * Returns a check for the problems of a repaired document: whether the document has a problem regardless of what the
 * author meant at the places that were removed. `path` is the place of the problem, in the same document as the removed
 * places. `text` is the wrong part there.
 */
export function certainty(
  document: ConversationDocument,
  taken: readonly RemovedPart[],
): (code: string, path: DocumentPath, text: unknown) => boolean {
  const { touches, mayLack } = removedAround(taken, conversationSchema, formatKeys());
  const mayBeNamed = declaredBy(taken);
  const mayLeave = leftBy(document, taken);
  const isWayKnown = taken.every(({ path }) => leadsNowhere(path));

  const mayBeOffered = taken.some(({ path: [section] }) => section === 'functions');

  return (code, path, text) => {
    if (touches(path)) return false;
    // A node may call one of the flow's functions.
    if (mayBeOffered && path[0] === 'nodes' && (path[2] === 'call' || path[2] === 'input')) return false;
    const need = needed.get(code);
    switch (need) {
      case 'place':
        return true;
      case 'part':
        return !mayLack(partOf(path));
      case 'nodes':
      case 'slots':
      case 'variables':
        return !mayBeNamed(need, text) && !(namedInPart.has(code) && mayLack(partOf(path)));
      case 'ways out':
        return !mayLeave(path);
      case 'all ways':
        return isWayKnown;
      case undefined:
        return false;
    }
  };
}

/**
 * The parts that must be as the author meant them for a problem to be certain: its place, the part that contains it (a
 * slot, edge, function or action, else a node), the names it looks for, the exits of its node, or all paths through the
 * flow. Problems that are not listed need the whole document.
 */
const needs = {
  place: [
    'duplicate-id',
    'unknown-node-pack',
    'unknown-node-type',
    'duplicate-function',
    'invalid-path',
    'reserved-name',
    'missing-language',
    'empty-text',
    'enum-ambiguous',
    'invalid-date',
    'invalid-time',
    'invalid-region',
    'invalid-pattern',
    'half-anchored-pattern',
    'template-syntax',
    'when-several-operators',
    'when-path',
    'when-pattern',
    'when-too-deep',
    'duplicate-collect',
    'global-shadowed',
    'name-collision',
    'unknown-output-field',
    'prompt-too-long',
    'plain-braces',
    'secret-in-prompt',
    'host-not-allowed',
  ],
  part: [
    'empty-branch',
    'no-description',
    'when-empty',
    'when-operand',
    'unknown-unless-failed',
    'missing-key',
    'conflicting-keys',
    'both-spellings',
    'boolean-word',
    'invalid-node-input',
    'missing-body',
    'task-circle',
    'unordered-read',
    'idle-function',
    'missing-target',
    'invalid-parameters',
    'invalid-request',
    'unenforced-parameters',
    'unknown-keyword',
    'unknown-parameter',
    'unknown-function',
    'unknown-handler',
    'unknown-flow',
    'wait-in-conversation',
    'unregistered-function',
    'unregistered-handler',
    'unregistered-flow',
    'incomplete-action',
    'misspelt-action',
    'rule-not-for-type',
    'enum-without-values',
    'empty-range',
    'invalid-default',
    'collect-never-asks',
    'could-call',
    'silent-node',
    'invalid-transfer',
    'impossible-digits',
    'sealed-slot-spoken',
    'key-target-unfit',
    'keys-collide',
    'callee-says-slot',
  ],
  nodes: ['unknown-initial-node', 'unknown-target', 'unknown-source', 'unknown-call', 'unknown-key-target'],
  slots: ['unknown-slot'],
  variables: ['undeclared-name', 'blank-in-confirm', 'hidden-in-confirm'],
  'ways out': [
    'dead-end',
    'open-ended',
    'maybe-dead-end',
    'collect-without-exit',
    'end-with-way-out',
    'say-and-prompt',
    'ambiguous-edges',
    'never-decided',
    'unread-route',
    'shadowed-edge',
    'self-loop',
    'leads-straight-back',
  ],
  'all ways': [
    'return-without-digression',
    'routing-cycle',
    'unreachable-node',
    'unheard-words',
    'no-way-on-failure',
    'slot-never-collected',
    'write-without-confirm',
  ],
} as const satisfies Readonly<Record<string, readonly DiagnosticCode[]>>;

/** The names that these look for may be declared in the same part. */
const namedInPart: ReadonlySet<string> = new Set<DiagnosticCode>([
  'blank-in-confirm',
  'unknown-call',
  'unknown-key-target',
]);

type Need = keyof typeof needs;

const needed: ReadonlyMap<string, Need> = tableOf(needs);

/** Returns the list that contains each code. */
export function tableOf<Key extends string>(lists: Readonly<Record<Key, readonly string[]>>): ReadonlyMap<string, Key> {
  // Object.keys does not keep the type of the keys.
  return new Map((Object.keys(lists) as Key[]).flatMap((key) => lists[key].map((code) => [code, key] as const)));
}

/**
 * Returns two checks: whether something was removed at a place, above or below it, and whether a part may lack a key
 * that was removed, or that is wrongly indented and therefore elsewhere.
 */
export function removedAround(
  taken: readonly RemovedPart[],
  schema: z.ZodType,
  formatKeys: ReadonlyMap<string, unknown>,
): { readonly touches: (path: DocumentPath) => boolean; readonly mayLack: (part: DocumentPath) => boolean } {
  const places = new Set(taken.map(({ path }) => keyOf(path)));
  const above = new Set(taken.flatMap(({ path }) => prefixesOf(path)));
  const touches = (path: DocumentPath): boolean =>
    above.has(keyOf(path)) || prefixesOf(path).some((prefix) => places.has(prefix));
  const strays = new Set(taken.flatMap(({ path }) => strayedInto(schema, formatKeys, path)).map(keyOf));
  const mayLack = (part: DocumentPath): boolean =>
    touches(part) || [keyOf([]), ...prefixesOf(part)].some((prefix) => strays.has(prefix));
  return { touches, mayLack };
}

/**
 * The parts of a document in which a key of a path has no meaning, although it would have one in a part below or
 * elsewhere. It may be indented wrongly, and be missing there.
 */
function strayedInto(
  schema: z.ZodType,
  formatKeys: ReadonlyMap<string, unknown>,
  path: DocumentPath,
): readonly DocumentPath[] {
  return path.flatMap((key, depth) => {
    const into = path.slice(0, depth);
    const { fields, values } = shapeAt(schema, into);
    if (typeof key === 'number' || fields?.has(key) === true) return [];
    const isStray = fields === null ? values?.fields?.has(key) === true : formatKeys.has(key);
    return isStray ? [into] : [];
  });
}

const formatKeys = once(() => ownersOfKeys(conversationSchema));

/**
 * Checks that no path through a flow can depend on the removed part. A removed member of the slots or inputs may have
 * been anything.
 */
function leadsNowhere(path: DocumentPath): boolean {
  return SIDE_SECTIONS.has(path[0] ?? '') && path.length !== 2;
}

const SIDE_SECTIONS: ReadonlySet<PathSegment> = new Set([
  '$schema',
  'schemaVersion',
  'name',
  'description',
  'input',
  'slots',
  'state',
  'roleMessages',
  'promptFile',
  'policy',
  'fallback',
  'filler',
  'replyTimeoutMs',
]);

type Named = 'nodes' | 'slots' | 'variables';

/**
 * Returns a check whether the removed parts may have declared a name: they contain the name, or their content is
 * unknown.
 */
function declaredBy(taken: readonly RemovedPart[]): (kind: Named, text: unknown) => boolean {
  const names = new Set<string>();
  const unknown = new Set<Named>();
  const open: unknown[] = [];
  for (const part of taken) {
    // A node without its type may have an output.
    if (part.value !== undefined) open.push(part.value, part.path[1], part.path.at(-1));
    if (part.unknown !== undefined) for (const kind of kindsIn(part.unknown)) unknown.add(kind);
  }
  for (const value of open) {
    if (typeof value !== 'object' || value === null) names.add(String(value));
    else
      for (const [key, member] of Object.entries(value)) {
        names.add(key);
        open.push(member);
      }
  }
  return (kind, text) => {
    if (unknown.has(kind) || typeof text !== 'string') return true;
    return names.has(text) || wordsIn(text).some((word) => names.has(word));
  };
}

function kindsIn([section, key, field]: DocumentPath): readonly Named[] {
  if (section === 'nodes' && (key === undefined || (typeof key === 'number' && (field ?? 'id') === 'id')))
    return ['nodes', 'variables'];
  if (key !== undefined) return ['variables'];
  if (section === 'slots') return ['slots', 'variables'];
  return KNOWN_SECTIONS.has(section ?? '') ? ['variables'] : ['nodes', 'slots', 'variables'];
}

const KNOWN_SECTIONS: ReadonlySet<PathSegment> = new Set([
  ...SIDE_SECTIONS,
  'initialNode',
  'functions',
  'edges',
  'onError',
  'onTrouble',
]);

/** Returns a check whether a removed part may have been an exit of the node of a problem. */
function leftBy(document: ConversationDocument, taken: readonly RemovedPart[]): (path: DocumentPath) => boolean {
  const left = new Set<unknown>();
  for (const { path } of taken) {
    const [section] = path;
    if (section === 'initialNode' || section === 'onError' || section === 'onTrouble' || leadsNowhere(path)) continue;
    const node = path.length > 2 ? nodeOf(document, path) : undefined;
    // A key of a node that is wrongly placed among the nodes looks like a node that is not a map.
    if (node === undefined || (section === 'edges' && path[2] === 'from')) return () => true;
    left.add(node);
  }
  return (path) => left.has(nodeOf(document, path));
}

/** The id of the node that contains a path, or that an edge leaves. */
function nodeOf({ nodes, edges }: ConversationDocument, [section, key]: DocumentPath): unknown {
  if (section === 'edges') return valueAt(edges, [key ?? '', 'from']);
  if (section !== 'nodes') return undefined;
  return Array.isArray(nodes) ? valueAt(nodes, [key ?? '', 'id']) : key;
}

/** The smallest part of a document that contains a path: a function or action, else a node, slot, edge or input. */
function partOf(path: DocumentPath): DocumentPath {
  const list = path[2];
  return path.slice(0, list === 'functions' || list === 'preActions' || list === 'postActions' ? 4 : 2);
}

/** The parts of a text that may be names. */
export function wordsIn(text: string): readonly string[] {
  return text.split(/[^\p{L}\p{N}_$-]+/u);
}

/** A path and all paths above it. */
function prefixesOf(path: DocumentPath): readonly string[] {
  return path.map((_, index) => keyOf(path.slice(0, index + 1)));
}

/** A path as a key of a set. */
function keyOf(path: DocumentPath): string {
  return JSON.stringify(path);
}
