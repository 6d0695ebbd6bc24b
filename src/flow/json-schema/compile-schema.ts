import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import { applicators } from './applicators.ts';
import { assertions } from './assertions.ts';
import { isList, isSchema, type Keyword, type SchemaFault } from './fault.ts';
import { type Resource, type Rule, type SchemaNode, violated } from './visit.ts';

/** A compiled schema, with its unenforceable parts. */
export interface CompiledSchema {
  readonly root: SchemaNode;
  readonly faults: readonly SchemaFault[];
}

/**
 * Compiles a JSON Schema of draft 2020-12. Older forms of drafts 4 to 7 (`definitions`, `dependencies`, lists under
 * `items`, flags under `exclusiveMinimum`) keep their meaning. Never throws for up to 128 levels of nesting.
 */
export function compileSchema(schema: JsonObject): CompiledSchema {
  const compiler = createCompiler(schema);
  return { root: compiler.root, faults: [...compiler.faults, ...circles(compiler.nodes())] };
}

function createCompiler(document: JsonObject) {
  const faults: SchemaFault[] = [];
  const nodes = new Map<string, SchemaNode>();
  const resources = new Map<string, SchemaNode>();
  const pending: SchemaNode[] = [];

  /** Collects all schemas below a place with their names, before compiling any. */
  const walk = (schema: JsonObject | boolean, path: readonly string[], outer: Resource | null): SchemaNode => {
    const key = keyOf(path);
    const known = nodes.get(key);
    if (known !== undefined) return known;
    const id = typeof schema === 'boolean' ? undefined : schema['$id'];
    const uri = typeof id === 'string' && !id.startsWith('#') ? resolved(id, outer?.uri ?? baseUri) : null;
    if (typeof id === 'string' && !id.startsWith('#') && uri === null)
      faults.push({ path: [...path, '$id'], message: 'it is not an address that a reference can use.' });
    const resource =
      outer !== null && uri === null ? outer : { uri: uri ?? baseUri, anchors: new Map(), dynamicAnchors: new Map() };
    const node: SchemaNode = { path, schema, resource, rules: [], inPlace: [] };
    nodes.set(key, node);
    pending.push(node);
    if (resource !== outer) resources.set(resource.uri, node);
    if (typeof schema === 'boolean') return node;
    const { $anchor: anchor, $dynamicAnchor: dynamicAnchor } = schema;
    if (typeof anchor === 'string') resource.anchors.set(anchor, node);
    // Before 2019-09, an id that is only a fragment was an anchor.
    if (typeof id === 'string' && id.startsWith('#')) resource.anchors.set(id.slice(1), node);
    if (typeof dynamicAnchor === 'string') {
      resource.anchors.set(dynamicAnchor, node);
      resource.dynamicAnchors.set(dynamicAnchor, node);
    }
    for (const [name, value] of Object.entries(schema)) {
      if (holdsSchema.has(name) && isSchema(value)) walk(value, [...path, name], resource);
      if (holdsList.has(name) && isList(value))
        for (const [index, one] of value.entries())
          if (isSchema(one)) walk(one, [...path, name, String(index)], resource);
      if (holdsMap.has(name) && isJsonObject(value))
        for (const [member, one] of Object.entries(value))
          if (isSchema(one)) walk(one, [...path, name, member], resource);
    }
    return node;
  };

  /** Returns the schema of a reference; null if this document has none. */
  const find = (reference: string, from: Resource): SchemaNode | null => {
    const uri = resolved(reference, from.uri);
    if (uri === null) return null;
    const [address = '', encoded = ''] = uri.split('#', 2);
    const start = resources.get(address);
    const fragment = decoded(encoded);
    if (start === undefined || fragment === null) return null;
    if (fragment === '') return start;
    if (!fragment.startsWith('/')) return start.resource.anchors.get(fragment) ?? null;
    const keys = fragment
      .slice(1)
      .split('/')
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    return at(start, keys);
  };

  /** Returns the schema at keys below another, even if no keyword marks it as a schema. */
  const at = (start: SchemaNode, keys: readonly string[]): SchemaNode | null => {
    let value: Json | undefined = start.schema;
    let { path, resource } = start;
    for (const key of keys) {
      value = memberOf(value, key);
      path = [...path, key];
      resource = nodes.get(keyOf(path))?.resource ?? resource;
    }
    return isSchema(value) ? walk(value, path, resource) : null;
  };

  const compile = (node: SchemaNode): void => {
    const { schema, path } = node;
    if (typeof schema === 'boolean') {
      if (!schema) node.rules.push(nothingFits);
      return;
    }
    if (schema === null || !isJsonObject(schema)) return;
    for (const [name, make] of keywords) {
      const value = Object.hasOwn(schema, name) ? schema[name] : undefined;
      if (value === undefined) continue;
      const keyword: Keyword = {
        ...{ value, schema, node },
        fault(message, more = {}, ...below) {
          faults.push({ path: [...path, name, ...below], message, ...more });
          return null;
        },
        child(...below) {
          const found = nodes.get(keyOf([...path, ...below]));
          if (found !== undefined) return found;
          faults.push({ path: [...path, ...below], message: 'it must be a schema, such as { type: string }.' });
          return null;
        },
        target(reference) {
          const found = find(reference, node.resource);
          if (found !== null) return found;
          const message = `"${reference}" leads to no schema of this document.`;
          faults.push({ path: [...path, name], message, hint: 'Put what it names under $defs.' });
          return null;
        },
      };
      const rule = make(keyword);
      if (rule !== null) node.rules.push(rule);
    }
    for (const [name, why] of Object.entries(unknown))
      if (Object.hasOwn(schema, name)) faults.push({ path: [...path, name], ...why });
    const dialect = schema['$schema'];
    if (dialect !== undefined && (typeof dialect !== 'string' || !knownDialect.test(dialect)))
      faults.push({
        path: [...path, '$schema'],
        message: 'it names a dialect that is not known.',
        hint: 'Leave it out.',
      });
  };

  const root = walk(document, [], null);
  // Compiling may find further schemas behind references.
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) compile(node);
  return { root, faults, nodes: () => [...nodes.values()] };
}

/** Returns faults for schemas that refer to themselves without descending into the value. */
function circles(nodes: readonly SchemaNode[]): readonly SchemaFault[] {
  const faults: SchemaFault[] = [];
  const state = new Map<SchemaNode, 'open' | 'done'>();
  for (const start of nodes) {
    if (state.has(start)) continue;
    state.set(start, 'open');
    const open = [{ node: start, next: 0 }];
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const target = top.node.inPlace[top.next];
      top.next += 1;
      if (target === undefined) {
        state.set(top.node, 'done');
        open.pop();
      } else if (state.get(target) === 'open')
        faults.push({ path: top.node.path, message: 'it refers to itself, so that no value can ever be checked.' });
      else if (!state.has(target)) {
        state.set(target, 'open');
        open.push({ node: target, next: 0 });
      }
    }
  }
  return faults;
}

// Base address of documents without one.
const baseUri = 'schema:///';

const knownDialect = /^https?:\/\/json-schema\.org\/(draft-0[4-7]\/schema|draft\/(2019-09|2020-12)\/schema|schema)#?$/;

/** Keywords that affect validity but are not supported. */
const unknown: Readonly<Record<string, Omit<SchemaFault, 'path'>>> = {
  $recursiveRef: { message: 'it is of draft 2019-09.', hint: 'Write $dynamicRef, or $ref: "#".' },
  extends: { message: 'it is of draft 3.', hint: 'Write allOf.' },
  disallow: { message: 'it is of draft 3.', hint: 'Write not.' },
  divisibleBy: { message: 'it is of draft 3.', hint: 'Write multipleOf.' },
};

/** Keywords with a schema, with a list of schemas, and with a map of schemas. */
export const holdsSchema: ReadonlySet<string> = new Set(
  (
    'items additionalItems unevaluatedItems contains additionalProperties unevaluatedProperties propertyNames not if then ' +
    'else contentSchema'
  ).split(' '),
);
export const holdsList: ReadonlySet<string> = new Set(['items', 'prefixItems', 'allOf', 'anyOf', 'oneOf']);
export const holdsMap: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  '$defs',
  'definitions',
]);

/** In the order of application. */
export const keywords = [...Object.entries(assertions), ...Object.entries(applicators)];

const nothingFits: Rule = (_value, visit) => violated(visit, 'it is not allowed');

function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}

function memberOf(value: Json | undefined, key: string): Json | undefined {
  if (isList(value)) return /^\d{1,9}$/.test(key) ? value[Number(key)] : undefined;
  return value !== undefined && isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function resolved(reference: string, base: string): string | null {
  try {
    return new URL(reference, base).href.replace(/#$/, '');
  } catch {
    return null;
  }
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
