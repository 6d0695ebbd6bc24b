import { snakeCase } from '../../flow/document/problems/schema-shape.ts';
import type { SyntaxMap } from '../../flow/load/yaml/syntax-tree.ts';
import type { Step } from './cursor.ts';
import type { NamePosition } from './flow-index.ts';
import { namingKeys } from './roles.ts';
import { type SchemaView, textUnder } from './schema-view.ts';

/**
 * The place where the author types in a document: the map around it, whether a key of that map is typed, and what the
 * schema says about the place.
 */
export interface TypingPlace extends NamePosition {
  readonly map: SyntaxMap | null;
}

/** Follows a path through a document, from the place where its text begins in the flow. */
export function placeAt(schema: SchemaView, start: NamePosition, steps: readonly Step[]): TypingPlace {
  let place: NamePosition = start;
  let around: SyntaxMap | null = null;
  for (const step of steps) {
    if ('list' in step) {
      const isNodes = place.key === 'nodes';
      place = { ...place, spot: schema.item(place.spot) };
      around = null;
      if (isNodes) continue;
      continue;
    }
    const { map, key, isKey } = step;
    around = map;
    const title = place.spot[0]?.title ?? place.title;
    if (title === 'Function') place = { ...place, function: map };
    if (title === 'Node' || title === 'TaskNode') {
      const id = textUnder(map, 'id');
      place = { ...place, node: map, ...(place.inside === null && id !== undefined ? { inside: id } : {}) };
    }
    if (isKey) return { ...place, map };
    const { spot, title: owner } = schema.member(place.spot, map, key.text);
    const name = snakeCase(key.text);
    if (owner !== null) place = { ...place, spot, title: owner, key: name };
    else if ((place.title === 'When' || place.title === 'Term') && namingKeys.has(name))
      place = { ...place, spot, title: 'Term', key: name };
    else {
      const isNode = place.key === 'nodes' && place.scope === '' && place.inside === null;
      place = { ...place, spot, ...(isNode ? { inside: key.text } : {}) };
    }
    if (name === 'body' && place.inside !== null) place = { ...place, scope: `${place.scope}/${place.inside}` };
  }
  return { ...place, map: around };
}
