import type { Reading, ReadOptions } from '../../../model/ports/reader.ts';
import { piecesOf, wordsIn } from '../folded.ts';
import { isCovered, NOT_FOUND, readingOf } from '../outcome.ts';
import { quantitiesBy } from './quantities.ts';
import type { Tables } from '../tables.ts';

/** Reads the number that a question asked for: halves, dozens, decimals, thousands; more than one of them is none. */
export function numberReader(tables: Tables): (text: string, options: ReadOptions, isWhole: boolean) => Reading {
  const { counts, fold, digits, answers, moments } = tables;
  const beside = wordsIn(fold, `${counts.beside} ${answers.filling.replaceAll(',', ' ')} ${answers.hesitations}`);
  const ones = wordsIn(fold, counts.one);
  const oneBefore = new RegExp(`(?<!\\p{L})(?:${[...ones].join('|')})[ ,]+\\d`, 'u');
  const joined = quantitiesBy(counts);
  return (text, options, isWhole) => {
    const typed = /^\s*(-?\d{1,15}(?:\.(?!\d{3}\s*$)\d{1,10})?)\s*$/.exec(text)?.[1];
    if (typed !== undefined) return numberOf(text, Number(typed), true, isWhole);
    if (options.asked !== true) return NOT_FOUND;
    const folded = fold(text);
    const versions = folded.split(moments.correction);
    const last = versions.at(-1) ?? folded;
    const plain = joined(
      digits(withWholes(last))
        .replaceAll(/(\d)[. ](?=\d{3}(?!\d))/g, '$1')
        .replace(counts.decimal, '$1.$2')
        .replace(counts.minus, '-')
        .replaceAll(/(\d),(\d)/g, '$1.$2'),
    );
    const whole = counts.pair.test(last) && !/\d/.test(plain) ? [2] : null;
    const found = [...plain.matchAll(/(?<![\d.\p{L}])-?\d{1,15}(?:\.\d{1,10})?(?![\d\p{L}])/gu)].map(([each]) =>
      Number(each),
    );
    const pieces = piecesOf(last);
    const [only] = pieces.filter((piece) => !beside.has(piece) || ones.has(piece));
    const isOne = found.length === 0 && only !== undefined && ones.has(only);
    const half = counts.half.test(plain) ? 0.5 : 0;
    const values = whole ?? (isOne ? [1] : found.map((each) => each + half));
    // "Ein, zwei Leute" leaves open which.
    const candidates = [...new Set(oneBefore.test(plain) ? [1, ...values] : values)];
    const [value] = candidates;
    if (value === undefined) return NOT_FOUND;
    if (candidates.length > 1) return { ok: false, problem: 'ambiguous', candidates };
    const rest = plain.replace(counts.half, ' ').replace(counts.pair, ' ');
    const isKnown = isCovered(rest, (piece) => beside.has(piece) || ones.has(piece));
    // "20%" and "20°" are of a unit that few questions ask for.
    const isOfUnit =
      /\d\s*[%°‰]/.test(text) && !/%|percent|pour ?cent|por ?(?:ciento|cento)|prozent/i.test(options.about ?? '');
    return numberOf(text, value, versions.length === 1 && isKnown && !isOfUnit, isWhole);
  };

  /** Numbers that are said in one word as numerals. */
  function withWholes(folded: string): string {
    return folded.replaceAll(/\p{L}+/gu, (word) => String(counts.whole?.get(word) ?? word));
  }
}

function numberOf(text: string, value: number, certain: boolean, isWhole: boolean): Reading {
  if (isWhole && !Number.isSafeInteger(value)) return { ok: false, problem: 'invalid' };
  return readingOf(text, value, certain);
}
