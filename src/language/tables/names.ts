import { writtenName } from '../english/names/name-writing.ts';
import type { Reading, ReadOptions } from '../../model/ports/reader.ts';
import { lengthAt, type Phrases, phrasesOf, piecesOf, wordsIn } from './folded.ts';
import { NOT_FOUND } from './outcome.ts';
import type { Tables } from './tables.ts';

/** Names have at most this many words. */
const MOST_WORDS = 5;

/**
 * Reads a person's name after an introduction or, if it was asked for, alone. It is certain only with several words,
 * capitalized and with nothing after it. Without an introduction the language must write only names with a capital.
 */
export function nameReader(tables: Tables): (text: string, options: ReadOptions) => Reading {
  const { fold, dictation, answers, moments } = tables;
  const introduces = phrasesOf(fold, dictation.nameIs);
  const introducesIfAsked = phrasesOf(fold, `${dictation.nameIs}, ${dictation.nameIsIfAsked ?? ''}`);
  const particles = wordsIn(fold, dictation.particles);
  const known = wordsIn(
    fold,
    [answers.yes, answers.no, answers.filling, answers.conditions, answers.greetings, moments.beside]
      .join(' ')
      .replaceAll(',', ' '),
  );
  const kinds = wordsIn(fold, dictation.kinds);
  const weekdays = new RegExp(`^(?:${moments.weekdays.map(fold).join('|')})$`, 'u');
  return (text, options) => {
    if (text.length > LONGEST || /[?\d@]/.test(text)) return NOT_FOUND;
    const spoken = [...text.matchAll(/\p{L}[\p{L}\p{M}]*/gu)];
    const folded = spoken.map(([word]) => fold(word));
    const introduction = introducedAt(folded, options.asked === true ? introducesIfAsked : introduces);
    const last = introduction === 0 ? undefined : spoken[introduction - 1];
    const begins = last === undefined ? 0 : last.index + last[0].length;
    const isIntroduced = introduction > 0;
    const words = [...text.matchAll(/\p{L}[\p{L}\p{M}]*(?:['’-]\p{L}[\p{L}\p{M}]*)*/gu)].filter(
      ({ index }) => index >= begins,
    );
    const pieces = words.map(([word]) => fold(word));
    let from = 0;
    if (!isIntroduced) {
      if (options.asked !== true) return NOT_FOUND;
      while (from < pieces.length && piecesOf(pieces[from] ?? '').every((piece) => known.has(piece))) from += 1;
    }
    let to = from;
    const isName = (at: number): boolean => {
      const [word = ''] = words[at] ?? [];
      const isParticle = at > from && particles.has(pieces[at] ?? '') && at + 1 < words.length;
      // "d'Arc", "dell'Orto".
      const isElided = /^\p{Ll}+['’]\p{Lu}/u.test(word);
      return isParticle || isElided || /^\p{Lu}/u.test(word) || (!isCased && !known.has(pieces[at] ?? ''));
    };
    // A capital inside a sentence marks a name, unless the language writes nouns with one.
    const isWrittenAlone = (first: number, after: number): boolean =>
      dictation.capitalsAreNames &&
      words.slice(first + 1, after).some(([word]) => /^\p{Lu}/u.test(word)) &&
      pieces.slice(first, after).every((piece) => particles.has(piece) || !known.has(piece));
    const isCased = words.some(([word]) => /^\p{Lu}/u.test(word) && word.length > 1) && /\p{Ll}/u.test(text);
    while (to < words.length && to - from < MOST_WORDS && isName(to)) to += 1;
    while (to > from && particles.has(pieces[to - 1] ?? '')) to -= 1;
    const [first, final] = [words[from], words[to - 1]];
    if (to === from || first === undefined || final === undefined) return NOT_FOUND;
    // Words that tables know are an answer to something else. "My name is Friday" is clear.
    const isClear = introducedAt(folded, introduces) > 0;
    const isKnown = (piece: string): boolean =>
      known.has(piece) || (!isClear && (kinds.has(piece) || weekdays.test(piece)));
    if (pieces.slice(from, to).every((piece) => piecesOf(piece).every(isKnown))) return NOT_FOUND;
    const end = final.index + final[0].length;
    const said = text.slice(first.index, end);
    const isWhole = pieces.slice(to).every((piece) => known.has(piece)) && to === pieces.length;
    return {
      ok: true,
      value: writtenName(words.slice(from, to).map(([word]) => word)),
      said,
      start: first.index,
      end,
      certain: isCased && isWhole && to - from > 1 && (isIntroduced || isWrittenAlone(from, to)),
    };
  };
}

const LONGEST = 200;

/** How many words lead up to a name and introduce it; 0 where none do. */
function introducedAt(pieces: readonly string[], introduces: Phrases): number {
  for (let at = 0; at < pieces.length; at += 1) {
    const length = lengthAt(pieces, at, introduces);
    if (length > 0) return at + length;
  }
  return 0;
}
