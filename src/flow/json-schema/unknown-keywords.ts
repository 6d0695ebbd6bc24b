import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import { closestName } from '../document/problems/suggestion.ts';
import { holdsList, holdsMap, holdsSchema, keywords } from './compile-schema.ts';
import { isList } from './fault.ts';

/** An unknown key of a schema, which has no effect. */
export interface UnknownKeyword {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly hint: string;
}

/** Finds unknown keys in a schema and its nested schemas, which have at most 128 levels. */
export function unknownKeywords(schema: JsonObject): readonly UnknownKeyword[] {
  const found: UnknownKeyword[] = [];
  const visit = (value: Json, path: readonly (string | number)[]): void => {
    if (!isJsonObject(value) || path.length > deepest) return;
    for (const [key, member] of Object.entries(value)) {
      const at = [...path, key];
      if (holdsMap.has(key) && isJsonObject(member))
        for (const [name, one] of Object.entries(member)) visit(one, [...at, name]);
      else if (holdsList.has(key) && isList(member))
        for (const [index, one] of member.entries()) visit(one, [...at, index]);
      else if (holdsSchema.has(key)) visit(member, at);
      else if (!known.has(key) && !key.startsWith('x-'))
        found.push({
          path: at,
          message: `"${key}" is not a keyword of JSON Schema, so it is not checked.`,
          hint: hintFor(key, member, path),
        });
    }
  };
  visit(schema, []);
  return found;
}

function hintFor(key: string, member: Json, path: readonly (string | number)[]): string {
  if (key === 'nullable') return 'Add "null" to its type.';
  const near = key.length === 1 ? undefined : closestName(key, known);
  if (near !== undefined) return `Did you mean "${near}"?`;
  const isParameter =
    path.length === 0 && (isJsonObject(member) || (typeof member === 'string' && isTypeName.test(member)));
  return isParameter ? `Parameters stand under properties: properties: { ${key}: … }.` : 'Remove it.';
}

/** Limit for the search; deeper schemas are not enforced. */
const deepest = 256;

const isTypeName = /^(?:string|number|integer|boolean|array|object|null|text)$/;

/** Keywords without effect on validity, including descriptive ones of other tools. */
const notes =
  '$schema $id id $ref $dynamicRef $recursiveRef $anchor $dynamicAnchor $recursiveAnchor $vocabulary $comment $defs ' +
  'definitions title description default examples example deprecated readOnly writeOnly format contentEncoding ' +
  'contentMediaType contentSchema then else minContains maxContains discriminator xml externalDocs enumNames ' +
  'enumDescriptions markdownDescription propertyOrdering strict extends disallow divisibleBy';

const known: ReadonlySet<string> = new Set([
  ...notes.split(' '),
  ...keywords.map(([name]) => name),
  ...[...holdsSchema, ...holdsList, ...holdsMap],
]);
