import type { SpokenNumber, Token } from './spoken-numbers.ts';

const SCALES: ReadonlySet<number> = new Set([12, 100, 1e3, 1e6, 1e9]);
/** Behind a number: how much it is multiplied by. */
const MULTIPLIERS: ReadonlyMap<string, number> = new Map([
  ['k', 1e3],
  ['grand', 1e3],
  ['mn', 1e6],
  ['bn', 1e9],
  ['lakh', 1e5],
  ['lakhs', 1e5],
  ['crore', 1e7],
  ['crores', 1e7],
  ['dozen', 12],
  ['hundred', 100],
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
]);
/** Before a scale: the part or the number of it. */
const PARTS: ReadonlyMap<string, number> = new Map([
  ['half', 0.5],
  ['quarter', 0.25],
  ['couple', 2],
]);
const CURRENCIES = /^(?:dollars?|bucks|euros?|pounds?|quid|francs?|pesos|reais|rupees|yen)$/;
const CENTS = /^(?:cents?|pence|pennies|pee)$/;

/** Joins what makes one number: "10k", "half a million", "a couple of hundred", "one and a half million", "twelve dollars and fifty cents". */
export function quantitiesIn(tokens: readonly Token[]): readonly Token[] {
  const joined: Token[] = [];
  for (let at = 0; at < tokens.length;) {
    const found = partAt(tokens, at) ?? multipliedAt(tokens, at) ?? amountAt(tokens, at);
    const token = tokens[at];
    if (token === undefined) break;
    if (found === undefined) joined.push(token);
    else {
      const last = tokens[found.next - 1] ?? token;
      joined.push({ ...token, text: found.number.digits, end: last.end, mark: false, number: found.number });
    }
    at = found?.next ?? at + 1;
  }
  return joined;
}

interface Found {
  readonly number: SpokenNumber;
  readonly next: number;
}

/** "half a million", "a quarter of a million", "a couple of hundred": an article and "of" may stand between. */
function partAt(tokens: readonly Token[], at: number): Found | undefined {
  const from = isWord(tokens[at], 'a') ? at + 1 : at;
  const part = PARTS.get(tokens[from]?.text ?? '');
  if (part === undefined) return undefined;
  let next = from + 1;
  while (isWord(tokens[next], 'of') || isWord(tokens[next], 'a')) next += 1;
  const scale = tokens[next];
  if (scale?.number === undefined || !SCALES.has(scale.number.value)) return undefined;
  return { number: numberOf(part * scale.number.value), next: next + 1 };
}

/** "10k", "5 grand", "two and a half thousand". */
function multipliedAt(tokens: readonly Token[], at: number): Found | undefined {
  const [first, second] = [tokens[at], tokens[at + 1]];
  if (first?.number === undefined || first.number.ordinal || second === undefined) return undefined;
  const isBareScale = second.number !== undefined && second.number.spoken && !Number.isInteger(first.number.value);
  const factor =
    isBareScale && SCALES.has(second.number?.value ?? 0) ? second.number?.value : MULTIPLIERS.get(second.text);
  return factor === undefined ? undefined : { number: numberOf(first.number.value * factor), next: at + 2 };
}

/** "twelve dollars and fifty cents", "12 euros 50". */
function amountAt(tokens: readonly Token[], at: number): Found | undefined {
  const whole = tokens[at]?.number;
  if (whole === undefined || !Number.isInteger(whole.value) || !CURRENCIES.test(tokens[at + 1]?.text ?? ''))
    return undefined;
  const hasAnd = isWord(tokens[at + 2], 'and');
  const part = tokens[at + 2 + (hasAnd ? 1 : 0)]?.number;
  const next = at + 3 + (hasAnd ? 1 : 0);
  const hasCents = CENTS.test(tokens[next]?.text ?? '');
  if (part === undefined || !Number.isInteger(part.value) || part.value > 99) return undefined;
  // "Twelve dollars and two people" counts two things.
  if (!hasCents && (hasAnd || tokens[next] !== undefined)) return undefined;
  return { number: numberOf((whole.value * 100 + part.value) / 100), next: hasCents ? next + 1 : next };
}

function isWord(token: Token | undefined, text: string): boolean {
  return token?.number === undefined && token?.text === text;
}

function numberOf(value: number): SpokenNumber {
  return { value, digits: String(value), ordinal: false, spoken: true, oh: false };
}
