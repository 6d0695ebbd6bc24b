import type { Json } from '../../model/json.ts';

/** A violation of a schema. The message does not quote the value. */
export interface SchemaViolation {
  readonly path: readonly string[];
  readonly message: string;
  /** The value has another type than the schema requires. */
  readonly isOtherType?: true;
}

/** A schema with its own address: the document, or a part with an `$id`. */
export interface Resource {
  readonly uri: string;
  /** Schemas by `$anchor` and `$dynamicAnchor`. */
  readonly anchors: Map<string, SchemaNode>;
  readonly dynamicAnchors: Map<string, SchemaNode>;
}

/** A schema at one place of the document. */
export interface SchemaNode {
  /** Keys and indexes from the root of the document. */
  readonly path: readonly string[];
  readonly schema: Json;
  readonly resource: Resource;
  /** Its rules; those of `unevaluated…` come last. */
  readonly rules: Rule[];
  /** Schemas that apply to the same value. */
  readonly inPlace: SchemaNode[];
}

/** Checks one rule, and reports violations to the visit. */
export type Rule = (value: Json, visit: Visit) => boolean;

/** The members that a schema has evaluated; `unevaluated…` applies to the others. */
interface Seen {
  readonly names: Set<string>;
  readonly items: Set<number>;
}

/** A key or index of the value, linked from the inside out. */
interface Place {
  readonly key: string;
  readonly outer: Place | null;
}

/** The resources that references have passed, the last one first. */
export interface Scope {
  readonly resource: Resource;
  readonly outer: Scope | null;
}

/** The context of checking one part of a value. */
export interface Visit {
  readonly place: Place | null;
  readonly scope: Scope | null;
  readonly seen: Seen;
  /** Null if only the result is needed. */
  readonly told: SchemaViolation[] | null;
  readonly budget: { left: number };
}

/** The value cannot be checked; the message contains the reason. */
export class Unchecked extends Error {}

/** Limit of schema evaluations before the check stops: recursive schemas may not terminate. */
const mostVisits = 2_000_000;
/** Limit of reported violations. */
const mostTold = 1_000;

export function firstVisit(told: SchemaViolation[]): Visit {
  return { place: null, scope: null, seen: nothingSeen(), told, budget: { left: mostVisits } };
}

/** Checks whether a value meets all rules of a schema. Throws `Unchecked`. */
export function fits(node: SchemaNode, value: Json, visit: Visit): boolean {
  visit.budget.left -= 1;
  if (visit.budget.left < 0) throw new Unchecked('it takes too long to check against its schema');
  const { resource } = node;
  const scope = visit.scope?.resource === resource ? visit.scope : { resource, outer: visit.scope };
  const own: Visit = { ...visit, scope, seen: nothingSeen() };
  let isFit = true;
  for (const rule of node.rules) {
    if (rule(value, own)) continue;
    if (visit.told === null) return false;
    isFit = false;
  }
  // Evaluated members count only if the value meets the schema.
  if (isFit) {
    for (const name of own.seen.names) visit.seen.names.add(name);
    for (const item of own.seen.items) visit.seen.items.add(item);
  }
  return isFit;
}

/** Checks a member of the value. */
export function memberFits(node: SchemaNode, value: Json, key: string | number, visit: Visit): boolean {
  const place = { key: String(key), outer: visit.place };
  return fits(node, value, { ...visit, place, seen: nothingSeen() });
}

/** Reports a violation of the value or of a member. Returns false, as the result of a rule. */
export function violated(visit: Visit, message: string, more: { member?: string; isOtherType?: true } = {}): false {
  const { told } = visit;
  if (told === null || told.length >= mostTold) return false;
  const { member, ...rest } = more;
  const path = pathOf(visit.place);
  told.push({ path: member === undefined ? path : [...path, member], message, ...rest });
  return false;
}

function pathOf(place: Place | null): readonly string[] {
  const path: string[] = [];
  for (let at = place; at !== null; at = at.outer) path.push(at.key);
  return path.toReversed();
}

function nothingSeen(): Seen {
  return { names: new Set(), items: new Set() };
}
