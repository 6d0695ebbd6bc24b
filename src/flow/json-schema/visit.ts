import type { Json } from '../../model/json.ts';

/** Where a value does not fit a schema, and why; the message quotes nothing of the value. */
export interface SchemaViolation {
  readonly path: readonly string[];
  readonly message: string;
  /** The value there is of another type than the schema asks for. */
  readonly isOtherType?: true;
}

/** A schema with its own address: the document, or a part of it with an `$id`. */
export interface Resource {
  readonly uri: string;
  /** What `$anchor` and `$dynamicAnchor` name in it. */
  readonly anchors: Map<string, SchemaNode>;
  readonly dynamicAnchors: Map<string, SchemaNode>;
}

/** One schema at one place of the document. */
export interface SchemaNode {
  /** Keys and indexes from the root of the document. */
  readonly path: readonly string[];
  readonly schema: Json;
  readonly resource: Resource;
  /** What it demands, in an order in which `unevaluated…` comes last. */
  readonly rules: Rule[];
  /** The schemas that it applies to the very same value. */
  readonly inPlace: SchemaNode[];
}

/** Whether the value meets one demand; what it does not meet is told to the visit. */
export type Rule = (value: Json, visit: Visit) => boolean;

/** The members of a value that some schema has looked at: `unevaluated…` is about the others. */
interface Seen {
  readonly names: Set<string>;
  readonly items: Set<number>;
}

/** A key or index of the value, from the inside out. */
interface Place {
  readonly key: string;
  readonly outer: Place | null;
}

/** The resources that references have led through, the last one first. */
export interface Scope {
  readonly resource: Resource;
  readonly outer: Scope | null;
}

/** One look at one part of a value. */
export interface Visit {
  readonly place: Place | null;
  readonly scope: Scope | null;
  readonly seen: Seen;
  /** Null where only the answer is wanted. */
  readonly told: SchemaViolation[] | null;
  readonly budget: { left: number };
}

/** The value cannot be checked; the message says why. */
export class Unchecked extends Error {}

/** How many schemas are held against parts of a value before the check is given up: recursive ones can take for ever. */
const mostVisits = 2_000_000;
/** How many violations are told at most. */
const mostTold = 1_000;

export function firstVisit(told: SchemaViolation[]): Visit {
  return { place: null, scope: null, seen: nothingSeen(), told, budget: { left: mostVisits } };
}

/** Whether a value meets all demands of a schema. Throws `Unchecked`. */
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
  // What a schema has looked at counts only where the value fits it.
  if (isFit) {
    for (const name of own.seen.names) visit.seen.names.add(name);
    for (const item of own.seen.items) visit.seen.items.add(item);
  }
  return isFit;
}

/** Whether a member of the value fits. */
export function memberFits(node: SchemaNode, value: Json, key: string | number, visit: Visit): boolean {
  const place = { key: String(key), outer: visit.place };
  return fits(node, value, { ...visit, place, seen: nothingSeen() });
}

/** Tells a violation, of the value itself or of a member of it. Returns false: what a rule answers then. */
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
