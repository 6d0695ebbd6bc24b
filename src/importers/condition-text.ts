/** A condition in a foreign text, as it is written. The format decides what the words mean. */
export type ConditionTree =
  | { readonly kind: 'all' | 'any'; readonly parts: readonly ConditionTree[] }
  | { readonly kind: 'not'; readonly part: ConditionTree }
  | { readonly kind: 'compare'; readonly left: Operand; readonly operator: string; readonly right: Operand }
  | { readonly kind: 'operand'; readonly operand: Operand };

export type Operand =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'value'; readonly value: string | number | boolean }
  /** One of the format's words for "no value". */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'list'; readonly values: readonly (string | number | boolean)[] };

/** How a format writes conditions. */
export interface ConditionSyntax {
  /** Operators that are words, in lower case. Operators of several words have one space between them. */
  readonly wordOperators: readonly string[];
  /** Words for "no value", in lower case. */
  readonly nothing: readonly string[];
  /** Whether `and` and `or` have the same precedence and group from the right. */
  readonly bindsFromRight: boolean;
  /** Whether a word without a sign before it is a text. */
  readonly bareIsText: (word: string) => boolean;
}

/** Reads a condition. Returns undefined if the text is not a condition, or has calls or arithmetic. */
export function readCondition(text: string, syntax: ConditionSyntax): ConditionTree | undefined {
  const tokens = tokensOf(text);
  if (tokens === undefined || tokens.length === 0 || tokens.length > mostTokens) return undefined;
  const reader = createReader(tokens, syntax);
  const tree = reader.condition(0);
  return tree !== undefined && reader.isAtEnd() ? tree : undefined;
}

const mostTokens = 2_000;
const deepest = 60;

type Token = { readonly kind: 'text' | 'number' | 'word' | 'sign'; readonly text: string };

function tokensOf(text: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  const form =
    /\s*(?:"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|(-?\d+(?:\.\d+)?)(?![\w.-])|([\p{L}_$@][\p{L}\p{N}_$@.\-[\]]*)|(==|!=|<>|>=|<=|&&|\|\||[=<>:!(){},+*/%|-]))/uy;
  const source = text.trim();
  while (form.lastIndex < source.length) {
    const match = form.exec(source);
    if (match === null) return undefined;
    const [, double, single, number, word, sign] = match;
    const quoted = double ?? single;
    if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted.replaceAll(/\\(["'\\])/g, '$1') });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word });
    else tokens.push({ kind: 'sign', text: sign ?? '' });
  }
  return tokens;
}

const compareSigns: ReadonlySet<string> = new Set(['==', '=', '!=', '<>', '>', '>=', '<', '<=', ':']);

function createReader(tokens: readonly Token[], syntax: ConditionSyntax) {
  let at = 0;
  const isWord = (word: string): boolean => tokens[at]?.kind === 'word' && tokens[at]?.text.toLowerCase() === word;
  const isSign = (sign: string): boolean => tokens[at]?.kind === 'sign' && tokens[at]?.text === sign;
  const takeJoin = (word: 'and' | 'or'): boolean => {
    if (!isWord(word) && !isSign(word === 'and' ? '&&' : '||')) return false;
    at += 1;
    return true;
  };
  const condition = (depth: number): ConditionTree | undefined => {
    if (depth > deepest) return undefined;
    if (syntax.bindsFromRight) {
      const left = single(depth);
      if (left === undefined) return undefined;
      const kind = takeJoin('and') ? 'all' : takeJoin('or') ? 'any' : undefined;
      if (kind === undefined) return left;
      const right = condition(depth + 1);
      return right === undefined ? undefined : { kind, parts: [left, right] };
    }
    return joined('or', depth, (inner) => joined('and', inner, single));
  };
  const joined = (
    word: 'and' | 'or',
    depth: number,
    next: (depth: number) => ConditionTree | undefined,
  ): ConditionTree | undefined => {
    const parts: ConditionTree[] = [];
    do {
      const part = next(depth);
      if (part === undefined) return undefined;
      parts.push(part);
    } while (takeJoin(word));
    const [only] = parts;
    return parts.length === 1 ? only : { kind: word === 'and' ? 'all' : 'any', parts };
  };
  const single = (depth: number): ConditionTree | undefined => {
    if (depth > deepest) return undefined;
    if (isWord('not') || isSign('!')) {
      at += 1;
      const part = single(depth + 1);
      return part === undefined ? undefined : { kind: 'not', part };
    }
    if (isSign('(')) {
      at += 1;
      const inner = condition(depth + 1);
      if (inner === undefined || !isSign(')')) return undefined;
      at += 1;
      return inner;
    }
    const left = operand();
    if (left === undefined) return undefined;
    const operator = takeOperator();
    if (operator === undefined) return { kind: 'operand', operand: left };
    const right = operand();
    return right === undefined ? undefined : { kind: 'compare', left, operator, right };
  };
  const takeOperator = (): string | undefined => {
    const token = tokens[at];
    if (token?.kind === 'sign' && compareSigns.has(token.text)) {
      at += 1;
      return token.text;
    }
    // The longest operator that starts here.
    const found = syntax.wordOperators
      .filter((operator) =>
        operator
          .split(' ')
          .every(
            (word, index) => tokens[at + index]?.kind === 'word' && tokens[at + index]?.text.toLowerCase() === word,
          ),
      )
      .toSorted((one, other) => other.length - one.length)[0];
    if (found === undefined) return undefined;
    at += found.split(' ').length;
    return found;
  };
  const operand = (): Operand | undefined => {
    const token = tokens[at];
    if (token === undefined) return undefined;
    if (token.kind === 'sign') return token.text === '{' ? list() : undefined;
    at += 1;
    if (token.kind === 'text') return { kind: 'value', value: token.text };
    if (token.kind === 'number') return { kind: 'value', value: Number(token.text) };
    // Calls are not supported.
    if (isSign('(')) return undefined;
    const word = token.text.toLowerCase();
    if (syntax.nothing.includes(word)) return { kind: 'nothing' };
    if (word === 'true' || word === 'false') return { kind: 'value', value: word === 'true' };
    if (syntax.bareIsText(token.text)) return { kind: 'value', value: token.text };
    return { kind: 'name', name: token.text };
  };
  const list = (): Operand | undefined => {
    at += 1;
    const values: (string | number | boolean)[] = [];
    while (!isSign('}')) {
      const item = operand();
      if (item?.kind !== 'value') return undefined;
      values.push(item.value);
      if (isSign(',')) at += 1;
    }
    at += 1;
    return { kind: 'list', values };
  };
  return { condition, isAtEnd: () => at === tokens.length };
}
