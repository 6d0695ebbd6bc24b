import {
  Composer,
  type CST,
  type DocumentOptions,
  Lexer,
  type ParsedNode,
  type ParseOptions,
  Parser,
  type ScalarTag,
  type SchemaOptions,
  type YAMLParseError,
} from 'yaml';
import { limits } from './limits.ts';

/** Something wrong at a stretch of a text. */
export interface Fault {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly start: number;
  readonly end: number;
}

export interface ParsedYaml {
  /** Null for a text without content, and where the syntax is beyond reading on. */
  readonly root: ParsedNode | null;
  /** The syntax is broken or a limit is passed: what was read tells nothing. */
  readonly broken: boolean;
  readonly faults: readonly Fault[];
}

/** Parses YAML 1.2 (so also JSON) into nodes with their places. Sizes are counted while reading, before anything is built. */
export function parseYaml(text: string): ParsedYaml {
  const { tokens, faults, stopped, unclosed } = readTokens(text);
  if (stopped) return { root: null, broken: true, faults };
  let root: ParsedNode | null = null;
  let broken = false;
  const lines = new Set<number>();
  for (const document of new Composer(OPTIONS).compose(tokens, true, text.length)) {
    root = document.contents;
    for (const error of document.errors) {
      // One mistake often breaks the rest of its line in several ways.
      const line = text.lastIndexOf('\n', error.pos[0] - 1);
      if (lines.has(line) || lines.size >= limits.syntaxProblems) continue;
      lines.add(line);
      faults.push(syntaxFault(error, text, unclosed));
      broken ||= error.code !== 'NON_STRING_KEY';
    }
  }
  return { root: broken ? null : root, broken, faults };
}

/** The one tag a flow may use; what it stands for is for the reader of the nodes. */
export const INCLUDE_TAG = '!include';

const includeTag: ScalarTag = { tag: INCLUDE_TAG, resolve: (text) => text };

const OPTIONS = {
  version: '1.2',
  schema: 'core',
  customTags: [includeTag],
  resolveKnownTags: false,
  stringKeys: true,
  // Its own check compares each key with all before it.
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
} satisfies ParseOptions & DocumentOptions & SchemaOptions;

interface Tokens {
  readonly tokens: CST.Token[];
  readonly faults: Fault[];
  readonly stopped: boolean;
  /** Where quotes open that are not closed, by where their text ends. */
  readonly unclosed: ReadonlyMap<number, number>;
}

function readTokens(text: string): Tokens {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  const faults: Fault[] = [];
  const unclosed = new Map<number, number>();
  let values = 0;
  let documents = 0;
  let scalarNext = false;
  const stop = (code: string, message: string, start: number): Tokens => {
    faults.push({ code, message, start, end: start + 1 });
    return { tokens, faults, stopped: true, unclosed };
  };
  for (const lexeme of new Lexer().lex(text)) {
    const start = parser.offset;
    for (const token of parser.next(lexeme)) take(token);
    if (!scalarNext) {
      const overrun = check(lexeme, start);
      if (overrun !== undefined) return overrun;
    }
    scalarNext = lexeme === SCALAR;
  }
  for (const token of parser.end()) take(token);
  return { tokens, faults, stopped: false, unclosed };

  function take(token: CST.Token): void {
    if (token.type === 'document' && ++documents > 1) {
      if (documents === 2) faults.push(severalDocuments(token.offset));
      return;
    }
    if (token.type === 'directive' && !/^%YAML[ \t]+1\.2\s*$/.test(token.source))
      faults.push(directive(token.offset, token.source));
    tokens.push(token);
  }

  function check(lexeme: string, start: number): Tokens | undefined {
    const mark = lexeme[0] ?? '';
    if (mark === '!' && lexeme !== INCLUDE_TAG) faults.push(unknownTag(lexeme, start));
    if ((mark === '"' || mark === "'") && (lexeme.length === 1 || !lexeme.endsWith(mark)))
      unclosed.set(start + lexeme.length, start);
    if (!STRUCTURE.has(mark)) return undefined;
    const { stack } = parser;
    // The document and, while a scalar is open, that scalar stand on the stack too.
    if (stack.length > limits.depth + 2)
      return stop('too-deep', `the document nests deeper than ${limits.depth} levels.`, start);
    if (++values > limits.values)
      return stop('too-many-keys', `the file has more than ${limits.values} keys and list items.`, start);
    const top = stack.at(-1);
    if (top === undefined || !('items' in top) || top.items.length <= limits.keysPerMap) return undefined;
    if (isNodes(stack)) return stop('too-many-nodes', `the flow has more than ${limits.nodes} nodes.`, start);
    const isMap = top.type === 'block-map' || (top.type === 'flow-collection' && top.start.source === '{');
    return isMap ? stop('too-many-keys', `a map has more than ${limits.keysPerMap} keys.`, start) : undefined;
  }
}

/** Announces that the next lexeme is the text of a plain scalar. */
const SCALAR = '\u{1f}';

/** What begins a map, a list, a key or an item. */
const STRUCTURE: ReadonlySet<string> = new Set([':', '-', '?', ',', '[', '{']);

function isNodes(stack: readonly CST.Token[]): boolean {
  const root = stack[1];
  if (stack.length !== 3 || root === undefined || !('items' in root)) return false;
  const key = root.items.at(-1)?.key;
  return key !== undefined && key !== null && 'source' in key && /^["']?nodes["']?$/.test(key.source);
}

function severalDocuments(start: number): Fault {
  return {
    code: 'several-documents',
    message: 'a second document begins here; a file holds one flow.',
    hint: 'Remove the line "---", or move what follows into a file of its own.',
    start,
    end: start + 3,
  };
}

function directive(start: number, source: string): Fault {
  return {
    code: 'yaml-directive',
    message: 'directives are not supported.',
    hint: 'Remove the line; flows are YAML 1.2.',
    start,
    end: start + source.trimEnd().length,
  };
}

function unknownTag(tag: string, start: number): Fault {
  return {
    code: 'unknown-tag',
    message: `there is no tag "${tag}".`,
    hint: 'Remove it; the only tag is !include. Text that begins with "!" needs quotes.',
    start,
    end: start + tag.length,
  };
}

function syntaxFault(
  { code, message, pos: [start, end] }: YAMLParseError,
  text: string,
  unclosed: ReadonlyMap<number, number>,
): Fault {
  const opening = code === 'MISSING_CHAR' ? unclosed.get(start) : undefined;
  if (opening !== undefined)
    return { code: 'yaml-syntax', message: 'this quote is never closed.', start: opening, end: opening + 1 };
  const stretch = { start, end: Math.max(end, start + 1) };
  if (code === 'TAB_AS_INDENT') {
    const hint = 'Use spaces.';
    return { code: 'tab-indentation', message: 'a tab cannot indent a line.', hint, ...stretch };
  }
  if (code === 'NON_STRING_KEY') {
    const template = text.startsWith('{{', start - 1) ? start - 1 : text.startsWith('{{', start) ? start : undefined;
    if (template !== undefined) {
      const hint = 'Put the whole text in quotes.';
      const read = 'text that begins with "{{" is read as a map.';
      return { code: 'invalid-key', message: read, hint, start: template, end: template + 2 };
    }
    const hint = 'Write the key as plain text.';
    return { code: 'invalid-key', message: 'a key must be text.', hint, ...stretch };
  }
  const [said, hint] = SYNTAX[code] ?? [undefined, undefined];
  const fault = { code: 'yaml-syntax', message: said ?? `${message}.`, ...stretch };
  return hint === undefined ? fault : { ...fault, hint };
}

const SYNTAX: Partial<Record<YAMLParseError['code'], readonly [message: string | undefined, hint: string]>> = {
  BAD_DQ_ESCAPE: [undefined, 'Double the backslash, or use single quotes.'],
  BAD_INDENT: [undefined, 'Indent the keys of a map, and the items of a list, alike.'],
  BAD_SCALAR_START: [undefined, 'Put the text in quotes.'],
  BLOCK_AS_IMPLICIT_KEY: [
    'a value cannot begin a map or list on the line of its key.',
    'Put text that has ": " in it in quotes.',
  ],
  MULTILINE_IMPLICIT_KEY: [undefined, 'Is a ":" missing, or the indentation wrong?'],
  UNEXPECTED_TOKEN: [undefined, 'Put the whole text in quotes.'],
};
