import type { Diagnostic, DocumentPath, PathSegment, Problem } from '../flow/diagnostic.ts';
import { conversationSchema, type ConversationDocument } from '../flow/document.ts';

/** What is left of a document once the keys that have a problem are taken out; undefined where that is no flow. */
export function remainder(value: unknown, problems: readonly Problem[]): ConversationDocument | undefined {
  const rest: unknown = structuredClone(value);
  for (const { path } of problems) {
    const key = path.at(-1);
    const owner = memberAt(rest, path.slice(0, -1));
    // Taking an item out of a list would move those behind it.
    if (typeof key === 'string' && owner !== undefined) delete owner[key];
  }
  return conversationSchema.safeParse(rest).data;
}

/**
 * Tells which places of a document lie in nodes and slots without an error. Undefined where an error concerns more than
 * one node or slot: then nothing can be told of any.
 */
export function soundPlaces(diagnostics: readonly Diagnostic[]): ((path: DocumentPath) => boolean) | undefined {
  const wrong = new Set<string>();
  for (const { path, severity } of diagnostics) {
    if (severity !== 'error') continue;
    if (path.length < 2 || (path[0] !== 'nodes' && path[0] !== 'slots')) return undefined;
    wrong.add(partOf(path));
  }
  return (path) => !wrong.has(partOf(path));
}

function partOf(path: DocumentPath): string {
  return JSON.stringify(path.slice(0, 2));
}

function memberAt(value: unknown, path: DocumentPath): Record<PathSegment, unknown> | undefined {
  let current = value;
  for (const segment of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, segment)) return undefined;
    current = (current as Readonly<Record<PathSegment, unknown>>)[segment]; // It has this member.
  }
  return typeof current === 'object' && current !== null ? (current as Record<PathSegment, unknown>) : undefined;
}
