import { isSupportedCountry, parsePhoneNumberFromString, validatePhoneNumberLength } from 'libphonenumber-js/max';
import type { Reading, ReadOptions } from '../../../model/ports/reader.ts';
import { phrasesOf, lengthAt, piecesOf, wordsIn } from '../folded.ts';
import { NOT_FOUND, readingOf } from '../outcome.ts';
import type { Tables } from '../tables.ts';

/** Fewer digits are no telephone number, more are two. */
const SHORTEST = 7;
const LONGEST = 17;

/** Reads a telephone number as E.164; one that the numbering plan of its country does not know is not read. */
export function phoneReader(tables: Tables): (text: string, options: ReadOptions) => Reading {
  const { fold, digits, dictation, moments, answers } = tables;
  const known = wordsIn(
    fold,
    [dictation.introduction, answers.filling, answers.hesitations].join(' ').replaceAll(',', ' '),
  );
  const plus = phrasesOf(fold, dictation.plus);
  const six = wordsIn(fold, dictation.six ?? '');
  return (text, options) => {
    const folded = fold(text);
    const pieces = piecesOf(digits(folded.replaceAll('+', ' 00 ')).replaceAll(/\b(\d+)\./g, '$1 '));
    let number = '';
    let isKnown = true;
    let isInternational = /^\D*\+/.test(folded);
    for (let at = 0; at < pieces.length; at += 1) {
      const piece = pieces[at] ?? '';
      if (/^\d/.test(piece)) number += piece;
      else if (six.has(piece)) number += '6';
      else if (number === '' && lengthAt(pieces, at, plus) > 0) isInternational = true;
      else isKnown &&= known.has(piece);
    }
    const said = (isInternational ? `+${number.replace(/^00/, '')}` : number).replace(/^00(?=\d{8})/, '+');
    if (number.length < 2) return NOT_FOUND;
    if (number.length < SHORTEST || number.length > LONGEST)
      return options.asked === true && number.length < SHORTEST
        ? { ok: false, problem: 'incomplete', missing: 'digits' }
        : NOT_FOUND;
    // After a correction it is unclear which digits count.
    if (moments.correction.test(folded)) return { ok: false, problem: 'ambiguous' };
    const region = (options.region ?? tables.region).toUpperCase();
    const country = isSupportedCountry(region) ? region : undefined;
    const parsed = parsePhoneNumberFromString(said, country);
    if (parsed?.isValid() !== true) {
      const isShort = validatePhoneNumberLength(said, country) === 'TOO_SHORT';
      return isShort ? { ok: false, problem: 'incomplete', missing: 'area code' } : { ok: false, problem: 'invalid' };
    }
    return options.asked === true || isKnown ? readingOf(text, parsed.number, isKnown) : NOT_FOUND;
  };
}
