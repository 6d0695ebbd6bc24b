import { type CST, Lexer, Parser } from 'yaml';
import type { Fault } from '../problems/fault.ts';
import { limits, smaller } from '../limits.ts';

export interface Tokens {
  /** The tokens of the first document. */
  readonly tokens: readonly CST.Token[];
  readonly faults: readonly Fault[];
  /** A limit is exceeded: the tokens end early. */
  readonly isCut: boolean;
  /** The places where unclosed quotes open, by the place where their text ends. */
  readonly unclosed: ReadonlyMap<number, number>;
}

/** The only tag that a flow may use. The reader of the nodes interprets it. */
export const INCLUDE_TAG = '!include';

/** The remaining budget of a flow, for all its files. */
export interface Budget {
  lexemes: number;
  values: number;
}

/** Splits YAML into tokens and counts them while it reads, so that nothing is built from a file that is too large. */
export function readTokens(text: string, budget: Budget): Tokens {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  const faults: Fault[] = [];
  const unclosed = new Map<number, number>();
  let documents = 0;
  let anchors = 0;

  const take = (token: CST.Token): void => {
    if (token.type === 'document' && ++documents > 1) {
      if (documents === 2) faults.push(severalDocuments(token.offset));
      return;
    }
    if (token.type === 'directive' && !/^%YAML[ \t]+1\.2\s*$/.test(token.source))
      faults.push(directive(token.offset, token.source));
    tokens.push(token);
  };

  const check = (lexeme: string, start: number): Fault | undefined => {
    const mark = lexeme[0] ?? '';
    const passed = (code: string, message: string, hint = smaller): Fault => {
      return { code, message, hint, start, end: start + 1 };
    };
    switch (mark) {
      case ' ':
      case '\t':
      case '#':
        return undefined;
      case '!':
        if (lexeme !== INCLUDE_TAG) faults.push(unknownTag(lexeme, start));
        return undefined;
      case '&':
        // A value can have one anchor. The parser would accept any number.
        return ++anchors > 2
          ? passed('yaml-syntax', 'a value can have one anchor only.', 'Remove the others.')
          : undefined;
      case '"':
      case "'":
        if (lexeme.length === 1 || !lexeme.endsWith(mark)) unclosed.set(start + lexeme.length, start);
        break;
      case ':':
      case '-':
      case '?':
      case ',':
      case '[':
      case '{':
        budget.values -= 1;
        break;
      default:
    }
    anchors = 0;
    const { stack } = parser;
    // The stack also has the document and, while a scalar is open, that scalar.
    if (stack.length > limits.depth + 2)
      return passed('too-deep', `the document nests deeper than ${limits.depth} levels.`);
    if (budget.values < 0)
      return passed('too-many-keys', `the flow has more than ${limits.values} keys and list items.`);
    const top = stack.at(-1);
    if (top === undefined || !('items' in top) || top.items.length <= limits.keysPerMap) return undefined;
    if (isNodes(stack)) return passed('too-many-nodes', `the flow has more than ${limits.nodes} nodes.`);
    const isMap = top.type === 'block-map' || (top.type === 'flow-collection' && top.start.source === '{');
    return isMap ? passed('too-many-keys', `a map has more than ${limits.keysPerMap} keys.`) : undefined;
  };

  let scalarNext = false;
  for (const lexeme of new Lexer().lex(text)) {
    const start = parser.offset;
    for (const token of parser.next(lexeme)) take(token);
    budget.lexemes -= 1;
    let passed = scalarNext ? undefined : check(lexeme, start);
    if (budget.lexemes < 0)
      passed ??= {
        code: 'file-too-large',
        message: 'the file has too many lines.',
        hint: smaller,
        start,
        end: start + 1,
      };
    if (passed !== undefined) faults.push(passed);
    if (passed !== undefined || faults.length >= limits.syntaxProblems)
      return { tokens, faults, isCut: true, unclosed };
    scalarNext = lexeme === SCALAR;
  }
  for (const token of parser.end()) take(token);
  return { tokens, faults, isCut: false, unclosed };
}

/** Announces that the next lexeme is the text of a plain scalar. */
const SCALAR = '\u{1f}';

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
    hint: 'Remove the line "---", or move the rest to another file.',
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
