import type { z } from 'zod';
import type { DocumentPath, PathSegment, Problem } from './diagnostic.ts';
import { type Kind, type Shape, shapeOf } from './schema-shape.ts';

/** Deeper than any valid document. It bounds recursive schemas. */
const MAX_DEPTH = 200;

export interface Spelled {
  /** The same object if nothing changed. */
  readonly value: unknown;
  readonly problems: readonly Problem[];
}

/**
 * Renames every known key to camelCase. Maps with free keys, open values and unknown keys stay unchanged. The input is not
 * modified. A word such as yes or off is a problem where a boolean or text is allowed, except if `isQuoted` says that the
 * text at its path is in quotes.
 */
export function normalizeSpelling(
  schema: z.core.$ZodType,
  value: unknown,
  isQuoted: (path: DocumentPath) => boolean = () => false,
): Spelled {
  const problems: Problem[] = [];
  const spelled = normalize(shapeOf(schema), value, [], problems);
  return { value: spelled, problems: problems.filter(({ code, path }) => code !== 'boolean-word' || !isQuoted(path)) };
}

function normalize(shape: Shape, value: unknown, path: PathSegment[], problems: Problem[]): unknown {
  if (typeof value === 'string') {
    // If both are allowed, the word would silently be text. If anything is allowed, the text is meant.
    const either = isTruthOrText(shape);
    if (either && truthWord(value) !== undefined) problems.push(booleanWord(value, path));
    return value;
  }
  if (typeof value !== 'object' || value === null || path.length > MAX_DEPTH) return value;
  if (Array.isArray(value)) return shape.members === null ? value : normalizeList(shape.members, value, path, problems);
  if (shape.fields === null && shape.values === null) return value;
  return normalizeMap(shape, value as Readonly<Record<string, unknown>>, path, problems); // Neither null nor a list.
}

function isTruthOrText({ kinds, fields }: Shape): boolean {
  // A list, or a map without known keys, contains texts.
  const texts = new Set<Kind>(fields === null ? ['text', 'list', 'map'] : ['text', 'list']);
  const others = [...kinds].filter((kind) => kind !== 'boolean' && !texts.has(kind));
  return kinds.has('boolean') && kinds.has('text') && others.length === 0;
}

function normalizeList(members: Shape, list: readonly unknown[], path: PathSegment[], problems: Problem[]): unknown {
  let changed: unknown[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    path.push(index);
    const member = normalize(members, list[index], path, problems);
    path.pop();
    if (member === list[index]) continue;
    changed ??= [...list];
    changed[index] = member;
  }
  return changed ?? list;
}

function normalizeMap(
  { fields, values }: Shape,
  map: Readonly<Record<string, unknown>>,
  path: PathSegment[],
  problems: Problem[],
): unknown {
  const keys = Object.keys(map);
  let changed: Record<string, unknown> | undefined;
  for (const [index, key] of keys.entries()) {
    const field = fields?.get(key);
    const name = field?.name ?? key;
    const shape = field?.shape ?? values;
    const before = map[key];
    let after = before;
    if (shape !== null && (typeof before === 'object' || typeof before === 'string')) {
      path.push(key);
      after = normalize(shape, before, path, problems);
      path.pop();
    }
    if (changed === undefined) {
      if (name === key && after === before) continue;
      changed = {};
      for (const earlier of keys.slice(0, index)) put(changed, earlier, map[earlier]);
    }
    if (name !== key && Object.hasOwn(map, name)) problems.push(bothSpellings(key, name, path));
    else put(changed, name, after);
  }
  return changed ?? map;
}

function put(map: Record<string, unknown>, key: string, value: unknown): void {
  // Assigning to this name would set the prototype.
  if (key === '__proto__')
    Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
  else map[key] = value;
}

function bothSpellings(key: string, name: string, path: readonly PathSegment[]): Problem {
  return {
    code: 'both-spellings',
    severity: 'error',
    path: [...path, key],
    atKey: true,
    message: `"${key}" and "${name}" are two spellings of one key.`,
    hint: 'Keep one of them.',
  };
}

/** Returns the boolean that a word was in YAML 1.1 (it is text in YAML 1.2); undefined for any other text. */
export function truthWord(text: string): boolean | undefined {
  if (text.length > 3) return undefined;
  switch (text.toLowerCase()) {
    case 'yes':
    case 'on':
    case 'y':
      return true;
    case 'no':
    case 'off':
    case 'n':
      return false;
    default:
      return undefined;
  }
}

/** Returns the problem of such a word for a true or false. */
export function booleanWord(word: string, path: readonly PathSegment[]): Problem {
  return {
    code: 'boolean-word',
    severity: 'error',
    path: [...path],
    message: `"${word}" is text; in YAML 1.2 only true and false are not.`,
    hint: `Write ${truthWord(word) === true}.`,
  };
}
