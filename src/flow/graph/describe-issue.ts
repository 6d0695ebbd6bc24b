import { z } from 'zod';
import type { DocumentPath } from '../document/problems/diagnostic.ts';
import { faultText, meantBranch } from '../document/problems/fault-text.ts';
import { shapeAt, snakeCase } from '../document/problems/schema-shape.ts';
import { suggestion } from '../document/problems/suggestion.ts';

/** A problem in a node's input, with its path and a remedy. */
export interface DescribedIssue {
  readonly place: DocumentPath;
  readonly message: string;
  readonly hint?: string;
  readonly atKey?: true;
}

/**
 * Describes a schema issue in our words, one per unknown key. Values of a document are quoted; values of a running node
 * may be a caller's words and are not.
 */
export function describeIssue(
  schema: z.ZodType,
  issue: z.core.$ZodIssue,
  given: unknown,
  isOfDocument = true,
): readonly DescribedIssue[] {
  if (issue.code === 'unrecognized_keys') return describeKeys(schema, issue);
  if (issue.code === 'invalid_union' && issue.message.startsWith('Invalid')) {
    const meant = meantBranch(issue, along(given, keysOf(issue)).at(-1)) ?? [];
    const inside = meant.map((one) => ({ ...one, path: [...issue.path, ...one.path] }));
    if (inside.length > 0) return inside.flatMap((one) => describeIssue(schema, one, given, isOfDocument));
  }
  return [describeValue(schema, issue, given, isOfDocument)];
}

function describeKeys(schema: z.ZodType, issue: z.core.$ZodIssueUnrecognizedKeys): readonly DescribedIssue[] {
  const place = keysOf(issue);
  const known = [...new Set([...(shapeAt(schema, place).fields?.values() ?? [])].map(({ snake }) => snake))];
  const list = known.length > 0 && known.length <= mostListed ? `It takes ${known.join(', ')}.` : undefined;
  return issue.keys.map((key) => {
    const hint = suggestion(key, known) ?? list;
    const message = `there is no key "${key}" here.`;
    return { place: [...place, key], message, ...(hint === undefined ? {} : { hint }), atKey: true };
  });
}

const mostListed = 13;

function describeValue(
  schema: z.ZodType,
  issue: z.core.$ZodIssue,
  given: unknown,
  isOfDocument: boolean,
): DescribedIssue {
  const place = keysOf(issue);
  const described = (message: string, hint: string | undefined): DescribedIssue => {
    return { place, message, ...(hint === undefined ? {} : { hint }) };
  };
  if (isMissing(schema, issue, given)) {
    const choice = issue.code === 'invalid_value' ? `Write one of ${issue.values.map(String).join(', ')}.` : undefined;
    return described(`${subjectOf(place)} is missing.`, purposeOf(schema, place) ?? choice);
  }
  const value = along(given, place).at(-1);
  const meant =
    issue.code === 'invalid_value' && typeof value === 'string'
      ? suggestion(value, issue.values.map(String))
      : undefined;
  // A type's own message contains the remedy.
  const hint = meant ?? (issue.code === 'custom' ? undefined : purposeOf(schema, place));
  const fact = faultText(issue, value, isOfDocument);
  return described(place.length === 0 ? issue.message : `${subjectOf(place)} ${fact}`, hint);
}

/** Describes the issues of a running node's input or output in one text. `part` is the prefix of paths. */
export function issuesText(part: string, schema: z.ZodType, { issues }: z.core.$ZodError, given: unknown): string {
  const described = issues.flatMap((issue) => describeIssue(schema, issue, given, false));
  const lines = described.slice(0, 3).map(({ place, message, hint }) => {
    return `${[part, ...place].join('.')}: ${message}${hint === undefined ? '' : ` ${hint}`}`;
  });
  return `${lines.join(' ')}${described.length > 3 ? ` And ${described.length - 3} more.` : ''}`;
}

/** Describes a value by its key or its position in a list. */
function subjectOf(place: DocumentPath): string {
  const last = place.at(-1);
  if (typeof last === 'number') return `item ${last + 1} of ${subjectOf(place.slice(0, -1))}`;
  // Deeper keys may be the author's.
  return `"${place.length === 1 ? snakeCase(last ?? '') : last}"`;
}

function purposeOf(schema: z.ZodType, place: DocumentPath): string | undefined {
  const purpose = fieldOf(schema, place)?.description;
  return purpose === undefined ? undefined : `It is: ${purpose}`;
}

/** Checks whether an issue is a missing required key. */
function isMissing(schema: z.ZodType, issue: z.core.$ZodIssue, given: unknown): boolean {
  const place = keysOf(issue);
  if (place.length === 0 || along(given, place).at(-1) !== undefined) return false;
  return (
    issue.code === 'invalid_type' ||
    issue.code === 'invalid_value' ||
    fieldOf(schema, place)?.safeParse(undefined).success === false
  );
}

/** Returns the schema of an object's key; undefined for deeper places and other schemas. */
function fieldOf(schema: z.ZodType, place: DocumentPath): z.ZodType | undefined {
  if (!(schema instanceof z.ZodObject) || place.length > 1) return undefined;
  const field = new Map<string, unknown>(Object.entries(schema.shape)).get(String(place[0]));
  return field instanceof z.ZodType ? field : undefined;
}

/** Returns the keys and indexes that lead to an issue. */
export function keysOf({ path }: z.core.$ZodIssue): DocumentPath {
  return path.filter((segment) => typeof segment !== 'symbol');
}

/** Returns the values along a path in document data, which is plain, own and without accessors. */
export function along(value: unknown, path: DocumentPath): readonly unknown[] {
  const values = [value];
  for (const segment of path) {
    const last = values.at(-1);
    const isInside = typeof last === 'object' && last !== null && Object.hasOwn(last, segment);
    values.push(isInside ? (last as Readonly<Record<string | number, unknown>>)[segment] : undefined);
  }
  return values;
}
