import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import { snakeCase } from '../../flow/document/problems/schema-shape.ts';
import type { SyntaxMap, SyntaxNode } from '../../flow/load/yaml/syntax-tree.ts';

/** The alternatives that a JSON Schema allows at one place of a document, each with its definition. */
export type SchemaAlternatives = readonly Branch[];

interface Branch {
  readonly schema: JsonObject;
  /** The nearest definition, such as `Node`. */
  readonly title: string;
  /** Additional rules if the map has this `type`. */
  readonly byType: ReadonlyMap<string, JsonObject> | null;
}

/** A key that is allowed at a place. */
export interface KnownKey {
  readonly name: string;
  readonly description: string;
  readonly spot: SchemaAlternatives;
  readonly isRequired: boolean;
}

/** The value under a key. `title` is the definition that has the key, or null for a key that the author chose. */
export interface Member {
  readonly spot: SchemaAlternatives;
  readonly title: string | null;
}

/** A word that is allowed at a place. */
export interface Word {
  readonly word: string;
  readonly description: string;
}

/** The JSON Schema of documents, for an editor's questions about places in them. */
export interface SchemaView {
  root(node: SyntaxNode | null): SchemaAlternatives;
  member(spot: SchemaAlternatives, map: SyntaxMap | null, key: string): Member;
  item(spot: SchemaAlternatives): SchemaAlternatives;
  keys(spot: SchemaAlternatives, map: SyntaxMap | null): readonly KnownKey[];
  words(spot: SchemaAlternatives): readonly Word[];
  description(spot: SchemaAlternatives): string;
  /** The output of a node of a type: names and descriptions of its fields. */
  outputs(type: string): readonly Word[];
}

/** Creates a view of a schema. `definitionOf` names the definition for a document. */
export function createSchemaView(schema: JsonObject, definitionOf = flowDefinition): SchemaView {
  const definitions = objectIn(schema['$defs']);
  const expanded = new WeakMap<object, SchemaAlternatives>();

  const expand = (given: Json | undefined, title: string): SchemaAlternatives => {
    if (given === undefined || !isJsonObject(given)) return [];
    const known = expanded.get(given);
    const spot = known ?? branchesOf(given, new Set());
    if (known === undefined) expanded.set(given, spot);
    return spot.map((branch) => (branch.title === '' ? { ...branch, title } : branch));
  };
  const branchesOf = (given: JsonObject, seen: Set<string>): SchemaAlternatives => {
    const reference = given['$ref'];
    if (typeof reference === 'string') {
      const name = reference.slice(reference.lastIndexOf('/') + 1);
      if (seen.has(name)) return [];
      const inner = branchesOf(objectIn(definitions[name]), new Set([...seen, name]));
      return inner.map((branch) =>
        branch.title === '' && !name.startsWith('__') ? { ...branch, title: name } : branch,
      );
    }
    const parts = [...listIn(given['anyOf']), ...listIn(given['oneOf'])];
    const alternatives = parts
      .filter((part) => !onlyRequires(part))
      .flatMap((part) => branchesOf(objectIn(part), seen));
    const { anyOf: _any, oneOf: _one, ...own } = given;
    const hasForm = Object.keys(own).some((key) => key !== 'description' && key !== 'default');
    const branch: Branch = { schema: own, title: '', byType: byTypeOf(given) };
    return hasForm || alternatives.length === 0 ? [branch, ...alternatives] : alternatives;
  };
  /** The keys of a map: first those that depend on its type, then those of every map. */
  const ownKeys = ({ schema, byType }: Branch, map: SyntaxMap | null): readonly [JsonObject, JsonObject] => {
    const type = byType === null ? undefined : textUnder(map, 'type');
    const more = type === undefined ? undefined : byType?.get(type);
    return [objectIn(more?.['properties']), objectIn(schema['properties'])];
  };
  const described = (spot: SchemaAlternatives): string =>
    spot.map(({ schema }) => schema['description']).find((text) => typeof text === 'string') ?? '';

  return {
    root: (node) => expand({ $ref: `#/$defs/${definitionOf(node)}` }, ''),
    member(spot, map, key) {
      const members: Branch[] = [];
      let owner: string | null = null;
      for (const branch of spot) {
        const known = ownKeys(branch, map);
        const name = [key, snakeCase(key)].find((one) => known.some((keys) => Object.hasOwn(keys, one)));
        if (name !== undefined) owner ??= branch.title;
        const under =
          name === undefined
            ? branch.schema['additionalProperties']
            : known.find((keys) => Object.hasOwn(keys, name))?.[name];
        members.push(...expand(under, branch.title));
      }
      return { spot: members, title: owner };
    },
    item: (spot) => spot.flatMap(({ schema, title }) => expand(schema['items'], title)),
    keys(spot, map) {
      const known = new Map<string, KnownKey>();
      for (const branch of spot) {
        const required = new Set([
          ...listIn(branch.schema['required']),
          ...listIn(branch.schema['allOf']).flatMap((part) => listIn(objectIn(part)['anyOf']).flatMap(requiredIn)),
        ]);
        const [byType, always] = ownKeys(branch, map);
        for (const [name, member] of Object.entries({ ...always, ...byType })) {
          if (known.has(name)) continue;
          const inner = expand(member, branch.title);
          const description = describedIn(member) || described(inner);
          known.set(name, { name, description, spot: inner, isRequired: required.has(name) });
        }
      }
      return [...known.values()];
    },
    words: (spot) => distinctWords(spot.flatMap(({ schema }) => wordsOf(schema))),
    description: described,
    outputs(type) {
      const output = objectIn(objectIn(objectIn(definitions['Outputs'])['properties'])[type]);
      return Object.entries(objectIn(output['properties'])).map(([word, member]) => {
        return { word, description: describedIn(member) };
      });
    },
  };
}

function flowDefinition(node: SyntaxNode | null): string {
  return isTaskFlow(node) ? 'TaskFlow' : 'ConversationFlow';
}

/** Checks whether a document says that it is a task flow, and not a conversation. */
export function isTaskFlow(node: SyntaxNode | null): boolean {
  if (node?.kind !== 'map') return false;
  const keys = new Set(node.pairs.map(({ key }) => key.text));
  return keys.has('flow') && !keys.has('initial_node') && !keys.has('initialNode');
}

/** The value under a key of a map, in either spelling. */
export function valueUnder(map: SyntaxNode | null | undefined, key: string): SyntaxNode | undefined {
  if (map?.kind !== 'map') return undefined;
  return map.pairs.find((pair) => pair.key.text === key || snakeCase(pair.key.text) === key)?.value;
}

/** The text under a key of a map, in either spelling. */
export function textUnder(map: SyntaxNode | null | undefined, key: string): string | undefined {
  const value = valueUnder(map, key);
  return value?.kind === 'scalar' && typeof value.value === 'string' ? value.value : undefined;
}

function describedIn(schema: Json): string {
  const { description } = objectIn(schema);
  return typeof description === 'string' ? description : '';
}

function onlyRequires(part: Json): boolean {
  return isJsonObject(part) && Object.keys(part).every((key) => key === 'required');
}

function requiredIn(part: Json): readonly Json[] {
  return listIn(objectIn(part)['required']);
}

/** The rules of `if` and `then` for each type of a node. */
function byTypeOf(schema: JsonObject): ReadonlyMap<string, JsonObject> | null {
  const rules = listIn(schema['allOf']).flatMap((part): [string, JsonObject][] => {
    const { if: condition, then: consequence } = objectIn(part);
    const name = objectIn(objectIn(objectIn(condition)['properties'])['type'])['const'];
    return typeof name === 'string' ? [[name, objectIn(consequence)]] : [];
  });
  return rules.length === 0 ? null : new Map(rules);
}

function wordsOf(schema: JsonObject): readonly Word[] {
  const description = typeof schema['description'] === 'string' ? schema['description'] : '';
  if (typeof schema['const'] === 'string') return [{ word: schema['const'], description }];
  if (schema['type'] === 'boolean') return ['true', 'false'].map((word) => ({ word, description: '' }));
  return listIn(schema['enum']).flatMap((word) => (typeof word === 'string' ? [{ word, description: '' }] : []));
}

function distinctWords(words: readonly Word[]): readonly Word[] {
  const first = new Map<string, Word>();
  for (const word of words) if (!first.has(word.word)) first.set(word.word, word);
  return [...first.values()];
}

function objectIn(value: Json | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {};
}

function listIn(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : []; // The members of a Json list are Json.
}
