import { lossyNumber } from '../../model/ports/lossy-numbers.ts';
import { repeatedKey } from '../calls/json-shape.ts';
import { isRecord } from '../../model/json.ts';

/** A function call that a model wrote as text. */
export interface WrittenCall {
  readonly name: string;
  /** The arguments as the model wrote them, not repaired. */
  readonly rawArguments: string;
}

/** The content at a position of a text: words, a call, or too little to decide. */
export type WrittenAt =
  | { readonly kind: 'words' }
  /** `isCall`: whatever follows, it must not be spoken. */
  | { readonly kind: 'open'; readonly isCall: boolean }
  /** Empty `calls` if the written call cannot be made. */
  | { readonly kind: 'calls'; readonly calls: readonly WrittenCall[]; readonly end: number };

/**
 * Reads a position of a text: `record({…})` of a known function, a JSON object or list of calls in the formats of
 * providers, or one of these in a code fence or brackets. An answer other than `open` does not change as the text grows.
 */
export function writtenAt(text: string, at: number, names: ReadonlySet<string>): WrittenAt {
  const opening = textOf(/(?:`{1,3}(?:[a-z_]*(?:\s+|(?=[{[])))?)?/iy, text, at);
  const body = at + opening.length;
  if (body === text.length) return maybe;
  // The fence's language is still being written.
  if (opening.startsWith('`') && /^[a-z_]+$/i.test(text.slice(body))) return maybe;
  const first = text[body] ?? '';
  if (first === '{') return objectAt(text, body, names);
  if (first === '[') return listAt(text, body, names);
  return namedAt(text, body, names);
}

/** Checks whether a word may become the name of a known function. */
export function beginsName(word: string, names: ReadonlySet<string>): boolean {
  if ('functions.'.startsWith(word)) return true;
  const bare = word.replace(prefix, '');
  for (const name of names) if (name.startsWith(bare)) return true;
  return false;
}

const words: WrittenAt = { kind: 'words' };
const maybe: WrittenAt = { kind: 'open', isCall: false };
const surely: WrittenAt = { kind: 'open', isCall: true };

/** The namespace that some providers put before function names. */
const prefix = /^functions\./;

/** `record({…})`, `record()`, `record(full_name="Ada")`, `record {…}` */
function namedAt(text: string, at: number, names: ReadonlySet<string>): WrittenAt {
  const word = textOf(/(?:functions\.)?[\w-]*/y, text, at);
  const end = at + word.length;
  if (end === text.length) return beginsName(word, names) ? maybe : words;
  const name = word.replace(prefix, '');
  if (!names.has(name)) return words;
  const bracket = end + textOf(/\s*/y, text, end).length;
  if (bracket === text.length) return maybe;
  if (text[bracket] === '{') {
    const isJson = beginsObject(text, bracket);
    if (isJson !== true) return isJson === null ? maybe : words;
    return argumentsTo(text, bracket, (raw) => callWith(name, raw));
  }
  if (text[bracket] !== '(') return words;
  const inside = bracket + 1 + textOf(/\s*/y, text, bracket + 1).length;
  if (inside === text.length) return maybe;
  const given = textOf(/[A-Za-z_]\w*\s*/y, text, inside);
  if (given !== '' && inside + given.length === text.length) return maybe;
  const isCall =
    given === ''
      ? (bracket === end && /[)"'[\d-]/.test(text[inside] ?? '')) || text[inside] === '{'
      : /[=:]/.test(text[inside + given.length] ?? '');
  if (!isCall) return words;
  return argumentsTo(text, bracket, (raw) => {
    const written = raw.slice(1, -1).trim();
    return callWith(name, written.startsWith('{') || written === '' ? written : keywordArguments(written));
  });
}

function callWith(name: string, raw: string | null): readonly WrittenCall[] {
  return raw === null ? [] : [{ name, rawArguments: raw === '' ? '{}' : raw }];
}

function argumentsTo(text: string, at: number, read: (raw: string) => readonly WrittenCall[]): WrittenAt {
  const end = balancedEnd(text, at);
  return end === null ? surely : { kind: 'calls', calls: read(text.slice(at, end)), end };
}

/** Converts `full_name="Ada", age=3` to JSON; null if it has another form. */
function keywordArguments(written: string): string | null {
  const members: string[] = [];
  let rest = written;
  while (rest !== '') {
    const [all, key] = /^([A-Za-z_]\w*)\s*[=:]\s*/.exec(rest) ?? [];
    if (all === undefined || key === undefined) return null;
    rest = rest.slice(all.length);
    const value = /^(?:"(?:[^"\\]|\\.)*"|'[^'\\]*'|[[{]|[^\s,"'[\]{}]+)/.exec(rest)?.[0] ?? '';
    const isNested = value === '[' || value === '{';
    const length = isNested ? (balancedEnd(rest, 0) ?? rest.length) : value.length;
    members.push(`${JSON.stringify(key)}:${isNested ? rest.slice(0, length) : literal(value)}`);
    rest = rest.slice(length);
    const comma = /^\s*(?:,\s*|$)/.exec(rest)?.[0];
    if (comma === undefined) return null;
    rest = rest.slice(comma.length);
  }
  return `{${members.join(',')}}`;
}

function literal(value: string): string {
  if (value.startsWith("'")) return JSON.stringify(value.slice(1, -1));
  return ({ True: 'true', False: 'false', None: 'null' } as Record<string, string>)[value] ?? value;
}

/** JSON keys that a written call begins with. */
const nameKeys = ['name', 'function', 'tool', 'tool_name', 'function_name', 'recipient_name'];
const argumentKeys = ['arguments', 'parameters', 'args', 'input', 'tool_input'];
const otherKeys = ['id', 'type', 'tool_calls', 'function_call'];
const keys = new Set([...nameKeys, ...argumentKeys, ...otherKeys]);

/** Checks whether a brace opens JSON; null if the text is too short. */
function beginsObject(text: string, at: number): boolean | null {
  const inside = at + 1 + textOf(/\s*/y, text, at + 1).length;
  return inside === text.length ? null : /["'}]/.test(text[inside] ?? '');
}

function objectAt(text: string, at: number, names: ReadonlySet<string>): WrittenAt {
  const start = at + 1 + textOf(/\s*/y, text, at + 1).length;
  if (start === text.length) return maybe;
  const quote = text[start] ?? '';
  if (quote !== '"' && quote !== "'") return words;
  const key = textOf(/[\w.-]*/y, text, start + 1);
  if (start + 1 + key.length === text.length)
    return [...keys].some((one) => one.startsWith(key)) || beginsName(key, names) ? maybe : words;
  const isKey = text[start + 1 + key.length] === quote && (keys.has(key) || names.has(key.replace(prefix, '')));
  return isKey ? jsonAt(text, at, names) : words;
}

function listAt(text: string, at: number, names: ReadonlySet<string>): WrittenAt {
  const first = at + 1 + textOf(/\s*/y, text, at + 1).length;
  if (first === text.length) return maybe;
  if (text[first] !== '{') return namedAt(text, first, names);
  const member = objectAt(text, first, names);
  return member.kind === 'words' ? words : jsonAt(text, at, names);
}

function jsonAt(text: string, at: number, names: ReadonlySet<string>): WrittenAt {
  const end = balancedEnd(text, at);
  const written = text.slice(at, end ?? text.length);
  if (end === null) return looksLikeCall(written, names) ? surely : maybe;
  const calls = parsedCalls(written, names);
  if (calls === null) return looksLikeCall(written, names) ? { kind: 'calls', calls: [], end } : words;
  return { kind: 'calls', calls, end };
}

/** Checks whether a text that is not a valid call was meant as a call. */
function looksLikeCall(written: string, names: ReadonlySet<string>): boolean {
  if (/["'](?:arguments|parameters|tool_calls|function_call)["']\s*:/.test(written)) return true;
  return [...written.matchAll(/["']([\w.-]+)["']/g)].some(([, word = '']) => names.has(word.replace(prefix, '')));
}

/** Returns the calls of a JSON text; null if it is not JSON or has other content. */
function parsedCalls(written: string, names: ReadonlySet<string>): readonly WrittenCall[] | null {
  let value: unknown;
  try {
    value = JSON.parse(written);
    // Two equal keys are ambiguous, and a number that loses digits is another number.
    if (repeatedKey(written) !== null || lossyNumber(written) !== null) return null;
  } catch {
    return null;
  }
  const found = (Array.isArray(value) ? (value as unknown[]) : [value]).map((one) => callsIn(one, names));
  return found.includes(null) ? null : found.flatMap((calls) => calls ?? []);
}

function callsIn(value: unknown, names: ReadonlySet<string>): readonly WrittenCall[] | null {
  if (!isRecord(value)) return null;
  const { tool_calls: several, function_call: single, function: inner } = value;
  if (Array.isArray(several)) {
    const found = several.map((one) => callsIn(one, names));
    return found.includes(null) ? null : found.flatMap((calls) => calls ?? []);
  }
  if (isRecord(single)) return callsIn(single, names);
  if (isRecord(inner)) return callsIn(inner, names);
  const nameKey = nameKeys.find((key) => typeof value[key] === 'string');
  const argumentKey = argumentKeys.find((key) => value[key] !== undefined);
  if (nameKey === undefined) {
    const [[own, given] = ['', null], ...others] = Object.entries(value);
    const name = own.replace(prefix, '');
    return others.length === 0 && names.has(name) && isRecord(given) ? [callOf(name, given)] : null;
  }
  const name = String(value[nameKey]).replace(prefix, '');
  if (argumentKey !== undefined) return [callOf(name, value[argumentKey])];
  const says = Object.keys(value).filter((key) => key !== nameKey && key !== 'id' && key !== 'type');
  return names.has(name) && says.length === 0 ? [callOf(name, {})] : null;
}

function callOf(name: string, given: unknown): WrittenCall {
  return { name, rawArguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}) };
}

/** Returns where the bracket at a position closes; null if it is still open. */
export function balancedEnd(text: string, at: number): number | null {
  let depth = 0;
  let quote = '';
  for (let index = at; index < text.length; index += 1) {
    const char = text[index] ?? '';
    if (quote !== '') {
      if (char === '\\') index += 1;
      else if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char) && (depth -= 1) === 0) return index + 1;
  }
  return null;
}

/** Returns the text that a sticky pattern matches at a position. */
function textOf(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}
