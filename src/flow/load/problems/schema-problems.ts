import type { z } from 'zod';
import type { DocumentPath, PathSegment, Problem } from '../../document/problems/diagnostic.ts';
import { foundKinds, meantBranch, rangeText } from '../../document/problems/fault-text.ts';
import {
  type Field,
  type Kind,
  kindOf,
  once,
  type Shape,
  shapeAt,
  shapeOf,
} from '../../document/problems/schema-shape.ts';
import { tagFault } from '../../document/language-tag.ts';
import { booleanWord, truthWord } from '../../document/problems/spelling.ts';
import { closestName, suggestion } from '../../document/problems/suggestion.ts';
import { quotesHint } from './fault.ts';
import { isThere, valueAt } from '../yaml/part-at.ts';
import { spellLike } from '../yaml/positions.ts';
import { usualForm, usualKey, usualRemedy, usualWord } from './usual-names.ts';

/** A validated value, and how its author wrote it. */
export interface Validated {
  readonly schema: z.core.$ZodType;
  /** The value with keys in camelCase. `undefined` in it means a part that was already reported. */
  readonly value: unknown;
  /** The same value in the author's spelling. */
  readonly authored: unknown;
  /** The spelling of a key if its neighbours do not show it. */
  readonly style: 'snake' | 'camel';
  /** The name of the whole document. By default: the flow. */
  readonly whole?: string;
}

/** Describes the result of a validation in the author's words. Paths are those of `value`. */
export function schemaProblems(issues: readonly z.core.$ZodIssue[], validated: Validated): readonly Problem[] {
  const writer = createWriter(validated);
  for (const issue of issues) writer.addIssue(issue, []);
  return writer.problems();
}

type Issue = z.core.$ZodIssue;

function createWriter({ schema, value: root, authored, style, whole = 'the flow' }: Validated) {
  const elsewhere = once(() => ownersOfKeys(schema));
  const found: Problem[] = [];
  /** Places of required keys that a misspelled key was probably meant to be. */
  const meant = new Set<string>();

  const add = (code: string, path: DocumentPath, message: string, hint?: string, atKey = false): void => {
    found.push({
      code,
      severity: 'error',
      path,
      message,
      ...(hint === undefined ? {} : { hint }),
      ...(atKey ? { atKey } : {}),
    });
  };

  /** Spells the keys of the map at a path as its author would. */
  const speller = (path: DocumentPath): ((field: Field) => string) => {
    const map = valueAt(authored, spellLike(authored, path));
    const keys = kindOf(map) === 'map' ? Object.keys(map as object) : [];
    const isSnake = keys.some((key) => key.includes('_'));
    const isCamel = !isSnake && keys.some((key) => /[a-z][A-Z]/.test(key));
    return isSnake || (style === 'snake' && !isCamel) ? (field) => field.snake : (field) => field.name;
  };

  /** The last key of a path as the author wrote it, and its owner. */
  const subject = (path: DocumentPath): string => {
    const key = spellLike(authored, path).at(-1);
    if (key === undefined) return whole;
    const owner = ownerOf(path.slice(0, -1));
    if (typeof key === 'number') return `item ${key + 1} of ${subject(path.slice(0, -1))}`;
    return `"${key}" of ${owner}`;
  };

  /** The owner of a key, by its name if it has a name. */
  const ownerOf = (path: DocumentPath): string => {
    const [last, before] = [path.at(-1), path.at(-2)];
    if (last === undefined) return whole;
    if (path.length === 2 && before === 'nodes') return `node "${nameAt(path, 'id') ?? last}"`;
    if (path.length === 2 && before === 'slots') return `slot "${last}"`;
    if (path.length === 2 && before === 'input') return `input "${last}"`;
    const title = shapeAt(schema, path).title;
    if (title === 'Function') {
      const name = nameAt(path, 'name');
      return name === undefined ? 'a function' : `function "${name}"`;
    }
    return phrase(title) ?? `"${spellLike(authored, path).at(-1)}"`;
  };

  const nameAt = (path: DocumentPath, key: string): string | undefined => {
    const name = valueAt(root, [...path, key]);
    return typeof name === 'string' ? name : undefined;
  };

  const unknownKeys = (keys: readonly string[], path: DocumentPath): void => {
    const owner = ownerOf(path);
    const shape = shapeAt(schema, path);
    const spellHere = speller(path);
    const known = new Map([...(shape.fields?.values() ?? [])].map((field) => [spellHere(field), field.name]));
    const list = known.size > 13 ? undefined : `It may have ${[...known.keys()].join(', ')}.`;
    for (const key of keys) {
      const owners = elsewhere().get(key);
      const usual = usualKey(key, new Set(known.values()));
      const meantByUsage = [...known].find(([, name]) => name === usual)?.[0];
      // A key of one letter is a name, not a typing mistake.
      const near = key.length === 1 ? undefined : closestName(key, known.keys());
      const close = owners === undefined ? (meantByUsage ?? near) : undefined;
      // In braces, the rest of a text after a comma is a key without a value.
      const isCutOff = close === undefined && valueAt(root, [...path, key]) === null;
      const remedy =
        usualRemedy(shape.title, key) ??
        quotesRemedy(key) ??
        (isCutOff && isNodeInList(path) ? 'Write nodes without "- ": a map of their names.' : undefined) ??
        (isCutOff ? 'Remove it; text with a comma in it needs quotes in { }.' : undefined);
      if (close !== undefined && remedy === undefined) meant.add(JSON.stringify([...path, known.get(close)]));
      const didYouMean = close === undefined ? list : `Did you mean "${close}"?`;
      const hint = remedy ?? (owners === undefined ? didYouMean : `It is a key of ${owners}.`);
      add('unknown-key', [...path, key], `${owner} has no key "${key}".`, hint, true);
    }
  };

  const missingKey = (path: DocumentPath, shape: Shape): void => {
    const owner = path.slice(0, -1);
    const field = shapeAt(schema, owner).fields?.get(String(path.at(-1)));
    const key = field === undefined ? String(path.at(-1)) : speller(owner)(field);
    const choice = shape.words === null ? '' : `: ${shape.words.join(', ')}`;
    const form = choice === '' ? usualForm(shapeAt(schema, owner), style) : undefined;
    const hint = form?.includes(`${key}:`) === true ? `Write it like ${form}.` : `Add ${key}${choice}.`;
    add('missing-key', path, `${ownerOf(owner)} needs "${key}".`, hint);
  };

  const wrongType = (path: DocumentPath, shape: Shape): void => {
    const value = valueAt(root, path);
    const kind = kindOf(value);
    if (typeof value === 'string' && shape.kinds.has('boolean') && truthWord(value) !== undefined) {
      found.push(booleanWord(value, path));
      return;
    }
    const message = `${subject(path)} must be ${expectation(shape)}, but it is ${kind === undefined ? 'no data' : foundKinds[kind]}.`;
    add(
      'wrong-type',
      path,
      message,
      wrongTypeHint(kind, value, shape) ??
        functionsHint(kind, path) ??
        mapHint(kind, shape) ??
        listHint(shape) ??
        formHint(path, shape),
    );
  };

  /** The functions of other formats, which call the list `tools`. */
  const functionsHint = (kind: Kind | undefined, path: DocumentPath): string | undefined =>
    kind === 'list' && path.length === 1 && path[0] === 'tools' ? 'Write the list under "functions".' : undefined;

  /** A list of parts instead of a map of them by name. */
  const mapHint = (kind: Kind | undefined, { kinds, values }: Shape): string | undefined => {
    const form = kind === 'list' && kinds.has('map') && values !== null ? usualForm(values, style) : undefined;
    return form === undefined ? undefined : `Make it a map: { NAME: ${form} }.`;
  };

  /** Something else instead of a list of parts. */
  const listHint = ({ kinds, members }: Shape): string | undefined => {
    const form = kinds.has('list') && members !== null ? usualForm(members, style) : undefined;
    return form === undefined ? undefined : `Make it a list: [${form}].`;
  };

  /** The keys of a map that has few, and an example for a condition. */
  const formHint = (path: DocumentPath, shape: Shape): string | undefined => {
    const form = usualForm(shape, style) ?? formOf(shape, speller(path));
    return form === undefined ? undefined : `Write it like ${form}.`;
  };

  const addIssue = (issue: Issue, base: DocumentPath): void => {
    const path = [...base, ...(issue.path as PathSegment[])]; // Keys of plain data are never symbols.
    const shape = shapeAt(schema, path);
    const value = valueAt(root, path);
    if (value === undefined && isThere(root, path)) return;
    switch (issue.code) {
      case 'invalid_type':
        if (value === undefined) missingKey(path, shape);
        else if (typeof value === 'number' && shape.kinds.has('number'))
          add('invalid-value', path, `${subject(path)} must be a whole number, but it is ${value}.`);
        else wrongType(path, shape);
        return;
      case 'unrecognized_keys':
        return unknownKeys(issue.keys, path);
      case 'invalid_value': {
        if (value === undefined) return missingKey(path, shape);
        const words = issue.values.map(String);
        if (typeof value !== typeof issue.values[0]) return wrongType(path, shape);
        const message = `${subject(path)} is not one of ${words.join(', ')}.`;
        const word = typeof value === 'string' ? meantWord(value, words) : undefined;
        return add('invalid-value', path, message, word ?? typeRemedy(value, shape));
      }
      case 'too_small':
      case 'too_big':
        return add('out-of-range', path, `${subject(path)} ${rangeText(issue, value)}`);
      case 'invalid_format':
        return add('invalid-format', path, `${subject(path)} ${formatMessage(issue)}`);
      case 'invalid_union':
        return tellUnion(issue, path, value, shape);
      case 'invalid_key':
        return add('invalid-key', path, `${subject(path)} ${keyMessage(issue)}`, keyHint(issue), true);
      case 'not_multiple_of':
      case 'invalid_element':
      case 'custom':
        return add('invalid-value', path, `${subject(path)}: ${issue.message}`);
    }
  };

  const tellUnion = (issue: z.core.$ZodIssueInvalidUnion, path: DocumentPath, value: unknown, shape: Shape): void => {
    if (value === undefined) return missingKey(path, shape);
    const meant = meantBranch(issue, value);
    if (meant === undefined) return wrongType(path, shape);
    for (const error of meant) addIssue(error, path);
  };

  return {
    addIssue,
    problems: () => found.filter(({ code, path }) => code !== 'missing-key' || !meant.has(JSON.stringify(path))),
  };
}

const EXPECTED: Readonly<Record<Kind, string>> = { ...foundKinds, null: 'null' };

function expectation({ kinds, words }: Shape): string {
  const names = [...kinds].map((kind) =>
    kind === 'text' && words !== null ? `one of ${words.join(', ')}` : EXPECTED[kind],
  );
  const last = names.pop() ?? 'something else';
  return names.length === 0 ? last : `${names.join(', ')} or ${last}`;
}

function wrongTypeHint(kind: Kind | undefined, value: unknown, shape: Shape): string | undefined {
  const { kinds, members, words } = shape;
  if (kind === 'null') return 'Give it a value, or remove it.';
  const typed = typeRemedy(value, shape);
  if (typed !== undefined) return typed;
  if (words !== null && (kind === 'number' || kind === 'boolean')) return `Write one of ${words.join(', ')}.`;
  if (kinds.has('text') && (kind === 'number' || kind === 'boolean')) return `${quotesHint}"${String(value)}".`;
  if (kind !== undefined && members !== null && members.kinds.has(kind)) return 'Make it a list.';
  if (kind === 'text' && kinds.has('number') && value !== '' && Number.isFinite(Number(value)))
    return 'Remove the quotes.';
  if (kind === 'text' && kinds.has('number') && !kinds.has('text')) return 'Write digits alone, without a unit.';
  if (kind === 'list' && kinds.has('text')) return 'Write one, without the brackets or dashes.';
  return undefined;
}

/** The remedy for a value that the author wrote instead of its type. */
function typeRemedy(value: unknown, { words, fields }: Shape): string | undefined {
  const type = Array.isArray(value) ? 'array' : typeof value;
  if (words?.includes(type) !== true || fields?.has('default') !== true) return undefined;
  return `Write its type: ${type}, or { type: ${type}, default: ${JSON.stringify(value)} }.`;
}

/** `{ max_attempts: …, backoff_ms: … }` for a map of few keys. Undefined if a form would not help. */
function formOf({ title, fields }: Shape, spelled: (field: Field) => string): string | undefined {
  if (fields === null) return undefined;
  const known = [...new Set(fields.values())];
  const [first] = known;
  if (title === 'When' && first !== undefined) return `{ ${spelled(first)}: ${formOf(first.shape, spelled)} }`;
  // A comparison has one of several left sides, usually this one.
  if (fields.has('var') && fields.has('value')) return '{ var: …, value: … }';
  return known.length > 4 ? undefined : `{ ${known.map((field) => `${spelled(field)}: …`).join(', ')} }`;
}

function meantWord(value: string, words: readonly string[]): string | undefined {
  const usual = usualWord(value, words);
  return usual === undefined ? suggestion(value, words) : `Did you mean "${usual}"?`;
}

/** Our own patterns describe what they accept. Messages of zod begin with "Invalid". */
function formatMessage({ message, format }: z.core.$ZodIssueInvalidStringFormat): string {
  return message.startsWith('Invalid') ? `is not a valid ${format}.` : `${message.replace(/\.$/, '')}.`;
}

/** Our own patterns also describe which keys they accept. */
function keyMessage({ issues: [issue] }: z.core.$ZodIssueInvalidKey): string {
  return issue === undefined || issue.message.startsWith('Invalid') ? 'cannot be a key here.' : `${issue.message}.`;
}

function keyHint({ issues: [issue] }: z.core.$ZodIssueInvalidKey): string | undefined {
  return issue?.message === tagFault
    ? 'Write the text alone, or a map of languages: { en: TEXT, es: TEXT }.'
    : undefined;
}

/** Quotes from word processors are letters of the key. */
function quotesRemedy(key: string): string | undefined {
  return /[“”„‘’«»]/.test(key) ? 'Write it without quotes, or in straight ones.' : undefined;
}

/** Checks whether a path leads to an item of `nodes`, which is not written as a map. */
function isNodeInList(path: DocumentPath): boolean {
  return path.length === 2 && path[0] === 'nodes' && typeof path[1] === 'number';
}

function phrase(title: string | undefined): string | undefined {
  if (title === 'ConversationFlow') return 'the flow';
  if (title === undefined) return undefined;
  const words = title.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const name = title === 'When' ? 'condition' : words[0]?.toLowerCase() + words.slice(1);
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
}

/** The owners of each key in a format: `a function`, `a node and of the flow`. */
export function ownersOfKeys(schema: z.core.$ZodType): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  const seen = new Set<Shape>();
  const visit = (shape: Shape): void => {
    if (seen.has(shape)) return;
    seen.add(shape);
    const owner = phrase(shape.title);
    for (const [key, field] of shape.fields ?? []) {
      const before = owners.get(key);
      // A part may occur in several places.
      const isNew = owner !== undefined && before?.split(' and of ').includes(owner) !== true;
      if (isNew) owners.set(key, before === undefined ? owner : `${before} and of ${owner}`);
      visit(field.shape);
    }
    if (shape.values !== null) visit(shape.values);
    if (shape.members !== null) visit(shape.members);
  };
  visit(shapeOf(schema));
  return owners;
}
