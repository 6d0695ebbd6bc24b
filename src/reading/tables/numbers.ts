import type { Reading, ReadOptions } from '../../ports/reader.ts';
import { piecesOf, wordsIn } from './folded.ts';
import { isCovered, NOT_FOUND, readingOf } from './outcome.ts';
import type { Tables } from './tables.ts';

/** Reads the number that a question asked for: halves, dozens, decimals, thousands; more than one of them is none. */
export function numberReader(tables: Tables): (text: string, options: ReadOptions, isWhole: boolean) => Reading {
  const { counts, fold, digits, answers, moments } = tables;
  const beside = wordsIn(fold, `${counts.beside} ${answers.filling.replaceAll(',', ' ')} ${answers.hesitations}`);
  const ones = wordsIn(fold, counts.one);
  return (text, options, isWhole) => {
    const typed = /^\s*(-?\d{1,15}(?:\.(?!\d{3}\s*$)\d{1,10})?)\s*$/.exec(text)?.[1];
    if (typed !== undefined) return numberOf(text, Number(typed), true, isWhole);
    if (options.asked !== true) return NOT_FOUND;
    const folded = fold(text);
    const versions = folded.split(moments.correction);
    const last = versions.at(-1) ?? folded;
    const plain = digits(last)
      .replaceAll(/(\d)[. ](?=\d{3}(?!\d))/g, '$1')
      .replace(counts.decimal, '$1.$2')
      .replace(counts.minus, '-')
      .replaceAll(/(\d),(\d)/g, '$1.$2');
    const whole = wholeOf(last, plain);
    const found = [...plain.matchAll(/(?<![\d.\p{L}])-?\d{1,15}(?:\.\d{1,10})?(?![\d\p{L}])/gu)].map(([each]) =>
      Number(each),
    );
    const pieces = piecesOf(last);
    const [only] = pieces.filter((piece) => !beside.has(piece) || ones.has(piece));
    const isOne = found.length === 0 && only !== undefined && ones.has(only);
    const values = whole ?? (isOne ? [1] : found.map((each) => each + (counts.half.test(plain) ? 0.5 : 0)));
    const candidates = [...new Set(values)];
    const [value] = candidates;
    if (value === undefined) return NOT_FOUND;
    if (candidates.length > 1) return { ok: false, problem: 'ambiguous', candidates };
    const rest = plain
      .replace(counts.half, ' ')
      .replace(counts.dozen, ' ')
      .replace(counts.pair, ' ')
      .replace(counts.million, ' ');
    const isKnown = isCovered(
      rest,
      (piece) => beside.has(piece) || ones.has(piece) || counts.whole?.has(piece) === true,
    );
    return numberOf(text, value, versions.length === 1 && isKnown, isWhole);
  };

  function wholeOf(said: string, plain: string): readonly number[] | null {
    const dozen = counts.dozen.exec(said);
    if (dozen !== null) return [dozen[1] === undefined ? 12 : 6];
    if (counts.pair.test(said)) return [2];
    for (const piece of piecesOf(said)) {
      const value = counts.whole?.get(piece);
      if (value !== undefined) return [value];
    }
    const million = counts.million.exec(plain);
    return million === null ? null : [(Number(million[1]) || 1) * 1_000_000];
  }
}

function numberOf(text: string, value: number, certain: boolean, isWhole: boolean): Reading {
  if (isWhole && !Number.isSafeInteger(value)) return { ok: false, problem: 'invalid' };
  return readingOf(text, value, certain);
}
