import type { CountWords } from '../tables.ts';

/** Joins what makes one number in a folded text with numerals: "2 docenas", "medio millon", "un million et demi", "12 euros 50". */
export function quantitiesBy(counts: CountWords): (plain: string) => string {
  const scale = counts.scales.map(([pattern]) => pattern).join('|');
  const { half, quarter, couple } = counts.parts;
  const one = counts.one.split(' ').join('|');
  const pattern = new RegExp(
    `(?<![\\p{L}\\d])(?:(?<half>(?:(?:${one}) )?(?:${half}))[ -]?|(?<quarter>${quarter}) ?|(?<couple>${couple}) |(?<count>\\d+(?:\\.\\d+)?) ?|(?:${one}) )?(?<scale>${scale})(?!\\p{L})(?<more>${counts.half.source})?(?: (?:y |e |et |und )?(?<rest>\\d+)(?![\\d.]))?`,
    'gu',
  );
  const factorOf = (word: string): number =>
    counts.scales.find(([each]) => new RegExp(`^(?:${each})$`, 'u').test(word))?.[1] ?? 1;
  const scaled = (text: string): string =>
    text.replaceAll(pattern, (all: string, ...groups: unknown[]) => {
      const named = groups.at(-1) as Readonly<Record<string, string | undefined>>; // Named groups come last.
      const isCounted = ['half', 'quarter', 'couple', 'count'].some((part) => named[part] !== undefined);
      const [offset = 0] = groups.filter((group) => typeof group === 'number');
      if (!isCounted && VAGUE.test(text.slice(0, offset))) return all;
      const factor = factorOf(named['scale'] ?? '');
      const count =
        named['half'] !== undefined
          ? 0.5
          : named['quarter'] !== undefined
            ? 0.25
            : named['couple'] !== undefined
              ? 2
              : Number(named['count'] ?? 1);
      const rest = named['rest'] === undefined ? 0 : Number(named['rest']);
      if (rest >= factor || count >= 1000 * factor) return all;
      return String(round(factor * count + (named['more'] === undefined ? 0 : factor / 2) + rest));
    });
  return (plain) => {
    // Twice: "2 millions 500 mille" has a scale within the rest.
    const joined = scaled(
      scaled(
        plain.replaceAll(BARE, (_, count: string, factor: string) => String(round(Number(count) * Number(factor)))),
      ),
    );
    return joined.replaceAll(AMOUNT, (_, whole: string, cents: string) => `${whole}.${cents.padStart(2, '0')}`);
  };
}

/** "Unos cientos" is not a number. */
const VAGUE = /(?:un[oa]s|algun[oa]s|vari[oa]s|uns|umas|algumas|quelques|plusieurs|einige|mehrere|paar) $/;
/** "2.5 1000": a scale that is a number word by itself. */
const BARE = /(?<![\d.])(\d{1,3}(?:\.\d+)?) (1000|100)(?![\d.])/g;
const AMOUNT =
  /(?<![\d.])(\d+) (?:euros?|dollars?|dolares|pounds?|libras?|pesos?|reais|real|francs?|franken|soles|€|\$|£)(?: (?:con|y|und|et|e))? (\d{1,2})(?: (?:cents?|centimos?|centavos?|centimes?|rappen))?(?![\d.]| ?\p{L})/gu;

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
