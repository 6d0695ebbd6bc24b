import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import { compilePattern, type Pattern } from '../expression/pattern.ts';
import type { SchemaNode } from './visit.ts';

/** Why a part of a schema cannot be enforced. */
export interface SchemaFault {
  /** Keys and indexes from the root of the schema. */
  readonly path: readonly string[];
  readonly message: string;
  readonly hint?: string;
  /** A pattern cannot be read, or not be matched in linear time. */
  readonly isPattern?: true;
}

/** What compiling one keyword of a schema has at hand. */
export interface Keyword {
  /** The keyword's own value. */
  readonly value: Json;
  /** The schema that it stands in. */
  readonly schema: JsonObject;
  readonly node: SchemaNode;
  /** The schema at keys and indexes from the one that the keyword stands in. Null, with a fault, where there is none. */
  readonly child: (...path: readonly string[]) => SchemaNode | null;
  /** What a reference leads to. Null, with a fault, where it leads nowhere. */
  readonly target: (reference: string) => SchemaNode | null;
  /** Tells a fault of the keyword, or of a part of its value. */
  readonly fault: (message: string, more?: Omit<SchemaFault, 'path' | 'message'>, ...path: readonly string[]) => null;
}

export function countOf({ value, fault }: Keyword): number | null {
  const isCount = typeof value === 'number' && value >= 0 && Number.isInteger(value);
  return isCount ? value : fault('it must be a whole number from 0 on.');
}

export function numberOf({ value, fault }: Keyword): number | null {
  return typeof value === 'number' ? value : fault('it must be a number.');
}

export function textsOf({ value, fault }: Keyword): readonly string[] | null {
  if (isList(value) && value.every((one): one is string => typeof one === 'string')) return value;
  return fault('it must be a list of texts.');
}

/** The schemas of a list, or null where it is no list of schemas. */
export function schemasOf(keyword: Keyword, name: string): readonly SchemaNode[] | null {
  const { value, fault } = keyword;
  if (!isList(value) || value.length === 0) return fault('it must be a list of schemas, with at least one.');
  const nodes = value.map((_, index) => keyword.child(name, String(index)));
  return nodes.every((node) => node !== null) ? nodes : null;
}

/** The schemas of a map, by key, or null where it is no map of schemas. */
export function namedSchemasOf(keyword: Keyword, name: string): ReadonlyMap<string, SchemaNode> | null {
  const { value, fault } = keyword;
  if (!isJsonObject(value))
    return fault('it must be a map of schemas.', { hint: 'Write it like { NAME: { type: string } }.' });
  const nodes = new Map<string, SchemaNode>();
  for (const key of Object.keys(value)) {
    const node = keyword.child(name, key);
    if (node !== null) nodes.set(key, node);
  }
  return nodes;
}

/** A pattern that ends; null, with a fault, where it is none. */
export function patternOf(
  { fault }: Pick<Keyword, 'fault'>,
  source: string,
  ...path: readonly string[]
): Extract<Pattern, { ok: true }> | null {
  const pattern = compilePattern(source);
  if (pattern.ok) return pattern;
  const { reason, hint } = pattern;
  return fault(reason, { isPattern: true, ...(hint === undefined ? {} : { hint }) }, ...path);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Whether a value may stand for a schema. */
export function isSchema(value: Json | undefined): value is JsonObject | boolean {
  return typeof value === 'boolean' || (value !== undefined && isJsonObject(value));
}
