import type { z } from 'zod';
import type { DocumentPath, PathSegment, Problem } from '../../document/problems/diagnostic.ts';
import { type Shape, shapeAt } from '../../document/problems/schema-shape.ts';
import { valueAt } from '../yaml/part-at.ts';
import { schemaProblems, type Validated } from './schema-problems.ts';

export interface Repaired<Document> {
  readonly document: Document;
  readonly taken: readonly RemovedPart[];
}

/** A place of a document that is not as the author meant it: it was removed, added, or never read. */
export interface RemovedPart {
  readonly path: DocumentPath;
  /** The removed value, if it may contain names that others look for. */
  readonly value?: unknown;
  /** The part whose intended content is unknown. */
  readonly unknown?: DocumentPath;
}

/**
 * Removes the faulty parts of a value, so that the rest can be compiled. An unknown or optional key is removed, and so
 * is a member of a list or of a map with author-defined keys. A required part gets a placeholder, so that the rest
 * stays in place. Returns undefined if no flow is left.
 */
export function repair<Schema extends z.ZodType>(
  schema: Schema,
  validated: Omit<Validated, 'schema'>,
  faults: readonly Problem[],
): Repaired<z.output<Schema>> | undefined {
  const value: unknown = structuredClone(validated.value);
  const taken: RemovedPart[] = unreadPlaces(value).map((path) => ({ path, unknown: path }));
  for (const { path } of taken) takeOut(schema, value, path);
  let found = faults;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    for (const { code, path } of found) {
      taken.push({
        path,
        ...(VALUE_CODES.has(code) ? {} : { value: valueAt(value, path) }),
        ...(code === 'wrong-type' && mayDeclare(schema, path) ? { unknown: path } : {}),
      });
      if (code === 'missing-key') putStopgap(schema, value, path);
      else takeOut(schema, value, path);
    }
    const { data, error } = schema.safeParse(value);
    if (error === undefined) return { document: data, taken };
    // A required part that was removed is missing now.
    found = schemaProblems(error.issues, { ...validated, schema, value });
  }
  return undefined;
}

/** A placeholder may lack keys itself, but no part of the format is as deep as this. */
const MOST_ROUNDS = 8;

/** Codes of a single value that is certainly not a name. */
const VALUE_CODES: ReadonlySet<string> = new Set(['invalid-value', 'invalid-format', 'out-of-range', 'boolean-word']);

/** Checks whether names may be declared at a place, or below it. */
function mayDeclare(schema: z.ZodType, path: DocumentPath): boolean {
  const shape = shapeAt(schema, path);
  const isStructure = (shape.kinds.has('map') || shape.kinds.has('list')) && !isText(shape);
  return isStructure || DECLARING_KEYS.has(path.at(-1) ?? '');
}

/**
 * Checks whether only a text is allowed there (in one wording, in several, or by language) and nothing that has names.
 */
function isText({ kinds, fields, members, values }: Shape): boolean {
  if (!kinds.has('text') || fields !== null) return false;
  return [members, values].every((part) => part === null || isText(part));
}

const DECLARING_KEYS: ReadonlySet<PathSegment> = new Set(['id', 'saveAs', 'type']);

/** The places where a value is `undefined`, which means that they were already reported. */
function unreadPlaces(value: unknown): readonly DocumentPath[] {
  const places: DocumentPath[] = [];
  const path: PathSegment[] = [];
  const visit = (part: unknown): void => {
    if (part === undefined) places.push([...path]);
    if (typeof part !== 'object' || part === null) return;
    for (const [key, member] of Object.entries(part)) {
      path.push(Array.isArray(part) ? Number(key) : key);
      visit(member);
      path.pop();
    }
  };
  visit(value);
  return places;
}

function takeOut(schema: z.ZodType, value: unknown, path: DocumentPath): void {
  const [owner, key] = memberAt(value, path);
  if (owner === undefined || !Object.hasOwn(owner, key)) return;
  if (Array.isArray(owner) || shapeAt(schema, path.slice(0, -1)).fields === null) putStopgap(schema, value, path);
  else delete owner[key];
}

function putStopgap(schema: z.ZodType, value: unknown, path: DocumentPath): void {
  const [owner, key] = memberAt(value, path);
  if (owner !== undefined) owner[key] = stopgap(shapeAt(schema, path));
}

function memberAt(
  value: unknown,
  path: DocumentPath,
): [owner: Record<PathSegment, unknown> | undefined, key: PathSegment] {
  const owner = valueAt(value, path.slice(0, -1));
  const isOwner = typeof owner === 'object' && owner !== null && path.length > 0;
  return [isOwner ? (owner as Record<PathSegment, unknown>) : undefined, path.at(-1) ?? '']; // Plain data.
}

/** The smallest value of a shape. Its text may become a name, and appear in messages. */
function stopgap({ kinds, words }: Shape): unknown {
  if (kinds.has('text')) return words?.[0] ?? 'unnamed';
  if (kinds.has('map')) return {};
  if (kinds.has('list')) return [];
  if (kinds.has('number')) return 1;
  return kinds.has('boolean') ? false : null;
}
