import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import { compilePattern, type Pattern } from '../expression/pattern.ts';
import type { SchemaNode } from './visit.ts';

/** The reason why a part of a schema cannot be enforced. */
export interface SchemaFault {
  /** Keys and indexes from the root of the schema. */
  readonly path: readonly string[];
  readonly message: string;
  readonly hint?: string;
  /** A pattern is invalid, or cannot be matched in linear time. */
  readonly isPattern?: true;
}

/** The context for compiling one keyword. */
export interface Keyword {
  /** The keyword's value. */
  readonly value: Json;
  /** The schema that contains it. */
  readonly schema: JsonObject;
  readonly node: SchemaNode;
  /** Returns the schema at keys and indexes below the containing schema. Null, with a fault, if there is none. */
  readonly child: (...path: readonly string[]) => SchemaNode | null;
  /** Returns the target of a reference. Null, with a fault, if there is none. */
  readonly target: (reference: string) => SchemaNode | null;
  /** Reports a fault of the keyword, or of a part of its value. */
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

/** Returns the schemas of a list. Null, with a fault, for other values. */
export function schemasOf(keyword: Keyword, name: string): readonly SchemaNode[] | null {
  const { value, fault } = keyword;
  if (!isList(value) || value.length === 0) return fault('it must be a list of schemas, with at least one.');
  const nodes = value.map((_, index) => keyword.child(name, String(index)));
  return nodes.every((node) => node !== null) ? nodes : null;
}

/** Returns the schemas of a map by key. Null, with a fault, for other values. */
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

/** Compiles a pattern. Null, with a fault, if it is invalid. */
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

/** Checks whether a value has the form of a schema. */
export function isSchema(value: Json | undefined): value is JsonObject | boolean {
  return typeof value === 'boolean' || (value !== undefined && isJsonObject(value));
}
