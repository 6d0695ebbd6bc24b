import { isJsonObject, type Json } from '../../model/json.ts';
import { allPresent, has } from './assertions.ts';
import { countOf, isList, isSchema, type Keyword, namedSchemasOf, patternOf, schemasOf } from './fault.ts';
import { fits, memberFits, type Rule, type SchemaNode, type SchemaViolation, type Visit, violated } from './visit.ts';

/** Keywords that apply further schemas to a value or its members, in the order of application. */
export const applicators: Readonly<Record<string, (keyword: Keyword) => Rule | null>> = {
  $ref: (keyword) => referenceRule(keyword, (target) => target),
  $dynamicRef(keyword) {
    const [, name = ''] = typeof keyword.value === 'string' ? keyword.value.split('#') : [];
    return referenceRule(keyword, (target, visit) => {
      if (target.resource.dynamicAnchors.get(name) !== target) return target;
      let outermost = target;
      for (let scope = visit.scope; scope !== null; scope = scope.outer)
        outermost = scope.resource.dynamicAnchors.get(name) ?? outermost;
      return outermost;
    });
  },
  allOf(keyword) {
    const nodes = inPlace(keyword, schemasOf(keyword, 'allOf'));
    return nodes === null ? null : (value, visit) => nodes.map((node) => fits(node, value, visit)).every(Boolean);
  },
  anyOf(keyword) {
    const nodes = inPlace(keyword, schemasOf(keyword, 'anyOf'));
    return nodes === null ? null : (value, visit) => tried(nodes, value, visit) > 0;
  },
  oneOf(keyword) {
    const nodes = inPlace(keyword, schemasOf(keyword, 'oneOf'));
    if (nodes === null) return null;
    return (value, visit) => {
      const count = tried(nodes, value, visit);
      return (
        count === 1 || (count > 1 && violated(visit, 'it fits more than one of the forms that exclude each other'))
      );
    };
  },
  not(keyword) {
    const node = inPlaceOne(keyword, 'not');
    if (node === null) return null;
    return (value, visit) => !quietly(node, value, visit) || violated(visit, 'it has a form that is excluded');
  },
  if(keyword) {
    const { schema } = keyword;
    const condition = inPlaceOne(keyword, 'if');
    const then = has(schema, 'then') ? inPlaceOne(keyword, 'then') : null;
    const otherwise = has(schema, 'else') ? inPlaceOne(keyword, 'else') : null;
    if (condition === null) return null;
    return (value, visit) => {
      const next = quietly(condition, value, visit) ? then : otherwise;
      return next === null || fits(next, value, visit);
    };
  },
  dependentSchemas(keyword) {
    const nodes = namedSchemasOf(keyword, 'dependentSchemas');
    if (nodes === null) return null;
    inPlace(keyword, [...nodes.values()]);
    return (value, visit) =>
      [...nodes].map(([name, node]) => !has(value, name) || fits(node, value, visit)).every(Boolean);
  },
  // From drafts 4 to 7: each member is a dependentSchemas or a dependentRequired.
  dependencies(keyword) {
    const { value: rules, fault } = keyword;
    if (!isJsonObject(rules)) return fault('it must be a map of schemas, or of lists of texts.');
    const parts = Object.entries(rules).flatMap(([name, rule]): { name: string; holds: Rule }[] => {
      if (isList(rule) && rule.every((one) => typeof one === 'string'))
        return [{ name, holds: (value, visit) => allPresent(rule, value, visit, `it is required beside ${name}`) }];
      if (!isSchema(rule)) fault('it must be a schema, or a list of texts.', {}, name);
      const node = isSchema(rule) ? keyword.child('dependencies', name) : null;
      if (node === null) return [];
      keyword.node.inPlace.push(node);
      return [{ name, holds: (value, visit) => fits(node, value, visit) }];
    });
    return (value, visit) => parts.map(({ name, holds }) => !has(value, name) || holds(value, visit)).every(Boolean);
  },
  properties(keyword) {
    const nodes = namedSchemasOf(keyword, 'properties');
    if (nodes === null) return null;
    return ofMembers((name, value, visit) => {
      const node = nodes.get(name);
      if (node === undefined) return true;
      visit.seen.names.add(name);
      return memberFits(node, value, name, visit);
    });
  },
  patternProperties(keyword) {
    const nodes = namedSchemasOf(keyword, 'patternProperties');
    if (nodes === null) return null;
    const parts = [...nodes].flatMap(([source, node]) => {
      const pattern = patternOf(keyword, source, source);
      return pattern === null ? [] : [{ pattern, node }];
    });
    return ofMembers((name, value, visit) => {
      const matching = parts.filter(({ pattern }) => pattern.test(name));
      if (matching.length > 0) visit.seen.names.add(name);
      return matching.map(({ node }) => memberFits(node, value, name, visit)).every(Boolean);
    });
  },
  additionalProperties(keyword) {
    const { schema } = keyword;
    const node = keyword.child('additionalProperties');
    if (node === null) return null;
    const named = namesOf(schema['properties']);
    const patterns = namesOf(schema['patternProperties']).flatMap(
      (source) => patternOf({ fault: () => null }, source) ?? [],
    );
    const isNamed = (name: string): boolean => named.includes(name) || patterns.some((pattern) => pattern.test(name));
    const hint = named.length > 0 && named.length <= mostShown ? `; known are ${named.join(', ')}` : '';
    return ofMembers((name, value, visit) => {
      if (isNamed(name)) return true;
      visit.seen.names.add(name);
      if (node.schema === false) return violated(visit, `it is not a known property${hint}`, { member: name });
      return memberFits(node, value, name, visit);
    });
  },
  propertyNames(keyword) {
    const node = keyword.child('propertyNames');
    return node === null ? null : ofMembers((name, _value, visit) => memberFits(node, name, name, visit));
  },
  prefixItems(keyword) {
    const nodes = schemasOf(keyword, 'prefixItems');
    return nodes === null ? null : ofItems((index) => nodes[index] ?? null);
  },
  items(keyword) {
    const { value, schema } = keyword;
    // Before 2020-12, a list here had the meaning of prefixItems.
    if (isList(value)) {
      const nodes = value.length === 0 ? [] : schemasOf(keyword, 'items');
      return nodes === null ? null : ofItems((index) => nodes[index] ?? null);
    }
    const node = keyword.child('items');
    const { prefixItems = [] } = schema;
    const first = isList(prefixItems) ? prefixItems.length : 0;
    return node === null ? null : ofItems((index) => (index < first ? null : node));
  },
  additionalItems(keyword) {
    const { items } = keyword.schema;
    const node = keyword.child('additionalItems');
    return node === null || !isList(items) ? null : ofItems((index) => (index < items.length ? null : node));
  },
  contains(keyword) {
    const { schema, value } = keyword;
    const node = isSchema(value) ? keyword.child('contains') : keyword.fault('it must be a schema.');
    const least = schema['minContains'] ?? 1;
    const most = schema['maxContains'] ?? Infinity;
    if (node === null || typeof least !== 'number' || typeof most !== 'number') return null;
    return (list, visit) => {
      if (!isList(list)) return true;
      const found = list.flatMap((item, index) => (quietly(node, item, { ...visit, seen: unseen() }) ? index : []));
      for (const index of found) visit.seen.items.add(index);
      if (found.length < least)
        return violated(visit, `it has too few items of the form that it must contain: ${found.length} of ${least}`);
      return (
        found.length <= most ||
        violated(visit, `it has too many items of the form that it must contain: ${found.length}, at most ${most}`)
      );
    };
  },
  minContains: onlyChecked(countOf),
  maxContains: onlyChecked(countOf),
  $defs: onlyChecked((keyword) => namedSchemasOf(keyword, '$defs')),
  definitions: onlyChecked((keyword) => namedSchemasOf(keyword, 'definitions')),
  unevaluatedItems(keyword) {
    const node = keyword.child('unevaluatedItems');
    if (node === null) return null;
    return (list, visit) => {
      if (!isList(list)) return true;
      const left = [...list.keys()].filter((index) => !visit.seen.items.has(index));
      for (const index of left) visit.seen.items.add(index);
      return left
        .map((index) =>
          node.schema === false
            ? violated(visit, 'it is an item too many', { member: String(index) })
            : memberFits(node, list[index] ?? null, index, visit),
        )
        .every(Boolean);
    };
  },
  unevaluatedProperties(keyword) {
    const node = keyword.child('unevaluatedProperties');
    if (node === null) return null;
    return ofMembers((name, value, visit) => {
      if (visit.seen.names.has(name)) return true;
      visit.seen.names.add(name);
      if (node.schema === false) return violated(visit, 'it is not a known property', { member: name });
      return memberFits(node, value, name, visit);
    });
  },
};

/** A keyword that other keywords read, or none, but whose form is checked. */
function onlyChecked(read: (keyword: Keyword) => unknown): (keyword: Keyword) => null {
  return (keyword) => {
    read(keyword);
    return null;
  };
}

/** Limit of property names in a message. */
const mostShown = 24;

function referenceRule(keyword: Keyword, resolve: (target: SchemaNode, visit: Visit) => SchemaNode): Rule | null {
  const { value, fault } = keyword;
  if (typeof value !== 'string') return fault('it must be a text.');
  const target = keyword.target(value);
  if (target === null) return null;
  keyword.node.inPlace.push(target);
  return (one, visit) => fits(resolve(target, visit), one, visit);
}

function inPlace(keyword: Keyword, nodes: readonly SchemaNode[] | null): readonly SchemaNode[] | null {
  keyword.node.inPlace.push(...(nodes ?? []));
  return nodes;
}

function inPlaceOne(keyword: Keyword, name: string): SchemaNode | null {
  const node = keyword.child(name);
  if (node !== null) keyword.node.inPlace.push(node);
  return node;
}

function quietly(node: SchemaNode, value: Json, visit: Visit): boolean {
  return fits(node, value, { ...visit, told: null });
}

/**
 * Counts the schemas that a value meets. If there is none, reports the violations of the only schema for the value's
 * type, so the author can correct it.
 */
function tried(nodes: readonly SchemaNode[], value: Json, visit: Visit): number {
  let count = 0;
  const near: (readonly SchemaViolation[])[] = [];
  for (const node of nodes) {
    const told: SchemaViolation[] = [];
    if (fits(node, value, { ...visit, told: visit.told === null ? null : told })) count += 1;
    else if (!told.some(({ isOtherType }) => isOtherType === true)) near.push(told);
  }
  if (count > 0 || visit.told === null) return count;
  const [only, ...others] = near;
  if (only !== undefined && others.length === 0 && only.length > 0) visit.told.push(...only);
  else violated(visit, 'it has none of the forms that it may have');
  return count;
}

function ofMembers(holds: (name: string, value: Json, visit: Visit) => boolean): Rule {
  return (value, visit) => {
    if (!isJsonObject(value)) return true;
    let isFit = true;
    for (const [name, member] of Object.entries(value)) {
      if (holds(name, member, visit)) continue;
      if (visit.told === null) return false;
      isFit = false;
    }
    return isFit;
  };
}

/** Applies a schema per index to a list. Items without a schema are skipped. */
function ofItems(nodeAt: (index: number) => SchemaNode | null): Rule {
  return (list, visit) => {
    if (!isList(list)) return true;
    let isFit = true;
    for (const [index, item] of list.entries()) {
      const node = nodeAt(index);
      if (node === null) continue;
      visit.seen.items.add(index);
      if (memberFits(node, item, index, visit)) continue;
      if (visit.told === null) return false;
      isFit = false;
    }
    return isFit;
  };
}

function namesOf(map: Json | undefined): readonly string[] {
  return map !== undefined && isJsonObject(map) ? Object.keys(map) : [];
}

function unseen(): Visit['seen'] {
  return { names: new Set(), items: new Set() };
}
