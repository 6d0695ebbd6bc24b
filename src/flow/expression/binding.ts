import { isList, isPlainObject, ownValue } from './own-value.ts';
import { resolvePath, type Lookup, type Path } from './path.ts';
import {
  parseTemplate,
  renderTemplate,
  templateReferences,
  type ExpressionProblem,
  type Template,
} from './template.ts';

/** A position in a value: keys and indexes from its root. */
export type BindingPath = readonly (string | number)[];

/** A JSON-like value whose templates are filled each time it is resolved. */
export interface Binding {
  readonly shape: Shape;
  readonly references: readonly BindingReference[];
  readonly problems: readonly BindingProblem[];
}

/** A name in a binding, with its position. */
export interface BindingReference {
  readonly path: Path;
  readonly at: BindingPath;
}

/** A problem in one string of a binding, with offsets in that string. */
export interface BindingProblem extends ExpressionProblem {
  readonly at: BindingPath;
}

/**
 * Compiles a JSON-like value. Parts nested deeper than 64 levels, or beyond 250,000 values and template characters, are
 * problems and stay unchanged.
 */
export function compileBinding(value: unknown): Binding {
  const references: BindingReference[] = [];
  const problems: BindingProblem[] = [];
  let budget = MAX_SIZE;
  const refuse = (at: BindingPath, reason: string, hint: string): void => {
    problems.push({ at, start: 0, end: 0, reason, hint });
  };
  const spend = (size: number, at: BindingPath): boolean => {
    if (budget < 0) return false;
    budget -= size;
    if (budget < 0)
      refuse(at, 'The value is too large to search for templates from here on.', 'Pass large data as {{ name }}.');
    return budget >= 0;
  };

  const compile = (item: unknown, at: BindingPath): Shape => {
    if (typeof item === 'string') return compileText(item, at);
    const keys = isPlainObject(item) ? Object.keys(item) : [];
    const size = isList(item) ? item.length : keys.length;
    if (size > 0 && at.length >= MAX_DEPTH) {
      refuse(at, `This value nests deeper than ${MAX_DEPTH} levels.`, 'Make it flatter.');
    } else if (size > 0 && spend(size, at)) {
      return isList(item) ? compileList(item, at) : compileRecord(item, keys, at);
    }
    return { kind: 'constant', value: item };
  };
  const compileText = (source: string, at: BindingPath): Shape => {
    if (!source.includes('{{') || !spend(source.length, at)) return { kind: 'constant', value: source };
    const template = parseTemplate(source);
    for (const { path } of templateReferences(template)) references.push({ path, at });
    for (const problem of template.problems) problems.push({ ...problem, at });
    const [only, ...others] = template.parts;
    if (others.length > 0 || only === undefined) return { kind: 'text', template };
    return typeof only === 'string' ? { kind: 'constant', value: only } : { kind: 'value', path: only.path };
  };
  const compileList = (list: readonly unknown[], at: BindingPath): Shape => {
    const items = Array.from(list, (item, index) => compile(item, [...at, index]));
    return items.every((shape, index) => isUnchanged(shape, list[index]))
      ? { kind: 'constant', value: list }
      : { kind: 'list', items };
  };
  const compileRecord = (record: unknown, keys: readonly string[], at: BindingPath): Shape => {
    const entries = keys.map((key) => [key, compile(ownValue(record, key), [...at, key])] as const);
    const unchanged = entries.every(([key, shape]) => isUnchanged(shape, ownValue(record, key)));
    return unchanged ? { kind: 'constant', value: record } : { kind: 'record', entries };
  };

  return { shape: compile(value, []), references, problems };
}

/**
 * Resolves a binding. A string that consists of one reference returns the value itself; other strings are rendered; a
 * value without templates is returned as the same object. As in JSON, undefined is omitted from objects and becomes
 * null in arrays. `onUnwritten` receives each path whose value does not fit its text, as in renderTemplate.
 */
export function resolveBinding(
  binding: Binding,
  lookup: Lookup,
  onUnwritten: (path: string) => void = ignore,
): unknown {
  return resolve(binding.shape, lookup, onUnwritten);
}

/** Returns the names in a binding, in document order. */
export function bindingReferences(binding: Binding): readonly BindingReference[] {
  return binding.references;
}

/** Returns the first segments of the names in a binding, in document order. */
export function boundNames(binding: Binding): readonly string[] {
  return binding.references.map(({ path: [first] }) => String(first));
}

/** Returns the problems of a binding, in document order. */
export function bindingProblems(binding: Binding): readonly BindingProblem[] {
  return binding.problems;
}

const MAX_DEPTH = 64;
const MAX_SIZE = 250_000;

type Shape =
  | { readonly kind: 'constant'; readonly value: unknown }
  | { readonly kind: 'value'; readonly path: Path }
  | { readonly kind: 'text'; readonly template: Template }
  | { readonly kind: 'list'; readonly items: readonly Shape[] }
  | { readonly kind: 'record'; readonly entries: readonly (readonly [key: string, shape: Shape])[] };

function isUnchanged(shape: Shape, original: unknown): boolean {
  return shape.kind === 'constant' && Object.is(shape.value, original);
}

function ignore(): void {
  // Such values are omitted.
}

function resolve(shape: Shape, lookup: Lookup, onUnwritten: (path: string) => void): unknown {
  if (shape.kind === 'constant') return shape.value;
  if (shape.kind === 'value') return resolvePath(shape.path, lookup);
  if (shape.kind === 'text') {
    const { text, unwritten } = renderTemplate(shape.template, lookup);
    for (const path of unwritten) onUnwritten(path);
    return text;
  }
  if (shape.kind === 'list') return shape.items.map((item) => resolve(item, lookup, onUnwritten) ?? null);
  const entries = shape.entries.map(([key, item]) => [key, resolve(item, lookup, onUnwritten)] as const);
  // fromEntries defines own properties, so a key named __proto__ is safe.
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
