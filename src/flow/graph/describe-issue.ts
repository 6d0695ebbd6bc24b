import { z } from 'zod';
import type { DocumentPath } from '../document/problems/diagnostic.ts';
import { faultText, meantBranch } from '../document/problems/fault-text.ts';
import { shapeAt, snakeCase } from '../document/problems/schema-shape.ts';
import { suggestion } from '../document/problems/suggestion.ts';

/** What is wrong in what a node type was given, by the path into it, and the way out. */
export interface DescribedIssue {
  readonly place: DocumentPath;
  readonly message: string;
  readonly hint?: string;
  readonly atKey?: true;
}

/**
 * Says in our words what the schema of a node type found; of several keys that it does not know, each. A value of a document is quoted; one that is known only as the
 * node runs may be what somebody said, and is not.
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
  // A type's own words hold the way out.
  const hint = meant ?? (issue.code === 'custom' ? undefined : purposeOf(schema, place));
  const fact = faultText(issue, value, isOfDocument);
  return described(place.length === 0 ? issue.message : `${subjectOf(place)} ${fact}`, hint);
}

/** All that a schema found in what a node was given or gave as it ran, in one text; `part` is what its paths begin with. */
export function issuesText(part: string, schema: z.ZodType, { issues }: z.core.$ZodError, given: unknown): string {
  const described = issues.flatMap((issue) => describeIssue(schema, issue, given, false));
  const lines = described.slice(0, 3).map(({ place, message, hint }) => {
    return `${[part, ...place].join('.')}: ${message}${hint === undefined ? '' : ` ${hint}`}`;
  });
  return `${lines.join(' ')}${described.length > 3 ? ` And ${described.length - 3} more.` : ''}`;
}

/** What a value stands for, by its key or its place in a list. */
function subjectOf(place: DocumentPath): string {
  const last = place.at(-1);
  if (typeof last === 'number') return `item ${last + 1} of ${subjectOf(place.slice(0, -1))}`;
  // Deeper keys may be the author's own.
  return `"${place.length === 1 ? snakeCase(last ?? '') : last}"`;
}

function purposeOf(schema: z.ZodType, place: DocumentPath): string | undefined {
  const purpose = fieldOf(schema, place)?.description;
  return purpose === undefined ? undefined : `It is: ${purpose}`;
}

/** Whether an issue is that of a key which is not there but has to be. */
function isMissing(schema: z.ZodType, issue: z.core.$ZodIssue, given: unknown): boolean {
  const place = keysOf(issue);
  if (place.length === 0 || along(given, place).at(-1) !== undefined) return false;
  return (
    issue.code === 'invalid_type' ||
    issue.code === 'invalid_value' ||
    fieldOf(schema, place)?.safeParse(undefined).success === false
  );
}

/** The schema of a key of an object; undefined where the place is deeper, or the schema is another. */
function fieldOf(schema: z.ZodType, place: DocumentPath): z.ZodType | undefined {
  if (!(schema instanceof z.ZodObject) || place.length > 1) return undefined;
  const field = new Map<string, unknown>(Object.entries(schema.shape)).get(String(place[0]));
  return field instanceof z.ZodType ? field : undefined;
}

/** The keys and indexes that lead to what an issue is about. */
export function keysOf({ path }: z.core.$ZodIssue): DocumentPath {
  return path.filter((segment) => typeof segment !== 'symbol');
}

/** The values on a path into document data, which is plain, own and without accessors. */
export function along(value: unknown, path: DocumentPath): readonly unknown[] {
  const values = [value];
  for (const segment of path) {
    const last = values.at(-1);
    const isInside = typeof last === 'object' && last !== null && Object.hasOwn(last, segment);
    values.push(isInside ? (last as Readonly<Record<string | number, unknown>>)[segment] : undefined);
  }
  return values;
}
