/** How a language adds number words up: "ciento veinte", "mil novecentos e oitenta e quatro", "quatre-vingt-dix-sept". */
export interface AddedNumbers {
  /** Folded words with their values below a thousand. */
  readonly words: ReadonlyMap<string, number>;
  /** Articles that are the number one only before a number. */
  readonly articles: ReadonlySet<string>;
  readonly and: string;
  /** Whether "and" joins a number to what was said last. */
  readonly joinsByAnd: (last: number, next: number) => boolean;
  /** A unit joins a ten without "and". */
  readonly joinsBare: boolean;
  /** A word that multiplies by a hundred. */
  readonly hundred: readonly string[];
  readonly thousand: readonly string[];
  /** Sixty and eighty take all below twenty, ten takes seven to nine, and four twenties are eighty. */
  readonly hasScores: boolean;
}

interface Run {
  /** Whole thousands, and what is added to them so far. */
  readonly thousands: number;
  readonly below: number;
  /** The value of the word said last. */
  readonly last: number;
  readonly hasAnd: boolean;
}

/** The words of a table in the order of their values, from 0. */
export function counted(list: string, more: Readonly<Record<string, number>>): ReadonlyMap<string, number> {
  return new Map([...list.split(' ').map((word, value): [string, number] => [word, value]), ...Object.entries(more)]);
}

/** A folded text with its number words as numerals. A number ends where the next word does not join: "catorce siete" is 14 7. */
export function addedDigits(folded: string, table: AddedNumbers): string {
  // Words stand at odd places.
  const parts = folded.split(/(\p{L}+)/u);
  const out: string[] = [];
  let run = null as Run | null;
  let gap = '';
  const end = (): void => {
    if (run !== null) out.push(String(run.thousands + run.below));
    run = null;
  };
  const valueAt = (at: number): number | undefined => {
    const word = parts[at] ?? '';
    return (
      table.words.get(word) ?? (table.hundred.includes(word) ? 100 : table.thousand.includes(word) ? 1000 : undefined)
    );
  };
  for (const [at, part] of parts.entries()) {
    if (at % 2 === 0) {
      if (run !== null && /^[\s-]*$/.test(part)) {
        gap += part;
        continue;
      }
      end();
      out.push(gap, part);
      gap = '';
      continue;
    }
    const current = run;
    const next = valueAt(at + 2);
    if (current !== null && part === table.and && next !== undefined && table.joinsByAnd(current.last, next)) {
      run = { ...current, hasAnd: true };
      gap = '';
      continue;
    }
    const isArticle = table.articles.has(part) && current === null && next === undefined;
    const value = isArticle ? undefined : valueAt(at);
    if (value === undefined) {
      end();
      out.push(gap, part);
      gap = '';
      continue;
    }
    const joined: Run | null =
      current === null
        ? null
        : table.hundred.includes(part)
          ? byHundred(current)
          : table.thousand.includes(part)
            ? byThousand(current)
            : added(current, value, table);
    if (joined === null) {
      const between: string = current === null ? gap : gap || ' ';
      end();
      out.push(between);
    }
    run = joined ?? {
      thousands: value === 1000 ? 1000 : 0,
      below: value === 1000 ? 0 : value,
      last: value,
      hasAnd: false,
    };
    gap = '';
  }
  end();
  out.push(gap);
  return out.join('');
}

function byHundred(run: Run): Run | null {
  if (run.below === 0) return run.thousands > 0 ? { ...run, below: 100, last: 100, hasAnd: false } : null;
  return run.below < 20 ? { ...run, below: run.below * 100, last: 100, hasAnd: false } : null;
}

function byThousand(run: Run): Run | null {
  if (run.thousands > 0 || run.below === 0) return null;
  return { thousands: run.below * 1000, below: 0, last: 1000, hasAnd: false };
}

function added(run: Run, value: number, table: AddedNumbers): Run | null {
  const { below, last, hasAnd, thousands } = run;
  const with_ = (sum: number, said = value): Run => ({ thousands, below: sum, last: said, hasAnd: false });
  if (value === 0) return null;
  if (below === 0) return thousands > 0 ? with_(value) : null;
  const isHundred = last >= 100;
  if (table.hasScores) {
    if (value === 20 && last === 4 && !hasAnd) return with_(below + 76, 80);
    if (value >= 10 && value < 20 && (last === 60 || last === 80)) return with_(below + value);
    if (value >= 7 && value < 10 && last === 10) return with_(below + value);
  }
  if (value < 10) {
    const isTen = last % 10 === 0 && last >= 20 && last < 100;
    return isHundred || (isTen && (hasAnd || table.joinsBare)) ? with_(below + value) : null;
  }
  return value < 100 && isHundred ? with_(below + value) : null;
}
