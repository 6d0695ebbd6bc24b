import type { Reading } from '../../model/ports/reader.ts';
import { lengthAt, phrasesOf, wordsIn } from './folded.ts';
import { NOT_FOUND, readingOf } from './outcome.ts';
import type { Tables } from './tables.ts';

const WRITTEN = /[\p{L}\d._%+-]{1,64}@[\p{L}\d-]{1,63}(?:\.[\p{L}\d-]{2,63}){1,4}/u;

/** Reads an e-mail address, written or dictated; which words before "at" belong to it must be plain. */
export function emailReader(tables: Tables): (text: string) => Reading {
  const { fold, digits, dictation, answers } = tables;
  const signs = (
    [
      ['@', dictation.at],
      ['.', dictation.dot],
      ['_', dictation.underscore],
      ['-', dictation.dash],
      ['+', dictation.plus],
    ] as const
  ).map(([sign, list]) => ({ sign, table: phrasesOf(fold, list) }));
  const known = wordsIn(
    fold,
    [dictation.introduction, answers.filling, answers.hesitations].join(' ').replaceAll(',', ' '),
  );
  return (text) => {
    if (text.length > LONGEST) return NOT_FOUND;
    const written = WRITTEN.exec(text);
    if (written !== null) {
      const beside = `${text.slice(0, written.index)} ${text.slice(written.index + written[0].length)}`;
      const isKnown = (fold(beside).match(/[\p{L}\d]+/gu) ?? []).every((word) => known.has(word));
      return readingOf(text, written[0].toLowerCase(), isKnown);
    }
    const pieces = digits(fold(text)).match(/[\p{L}\d]+|[@._+-](?!\s|$)/gu) ?? [];
    /** Words, and signs between them. */
    const parts: { readonly text: string; readonly isSign: boolean }[] = [];
    for (let at = 0; at < pieces.length;) {
      const piece = pieces[at] ?? '';
      const found = signs
        .map(({ sign, table }) => ({ sign, length: lengthAt(pieces, at, table) }))
        .reduce((best, each) => (each.length > best.length ? each : best), { sign: '', length: 0 });
      const isSign = found.length > 0 || /^[@._+-]$/.test(piece);
      parts.push({ text: found.length > 0 ? found.sign : piece, isSign });
      at += Math.max(1, found.length);
    }
    const at = parts.findIndex((part) => part.text === '@');
    if (at < 0) return NOT_FOUND;
    if (parts.filter((part) => part.text === '@').length > 1) return { ok: false, problem: 'ambiguous' };
    const [domain, after] = run(parts.slice(at + 1));
    const [local, before] = run(parts.slice(0, at).toReversed());
    const address = `${local.toReversed().join('')}@${domain.join('')}`;
    if (!domain.includes('.')) return { ok: false, problem: 'incomplete', missing: 'domain' };
    if (WRITTEN.exec(address)?.[0] !== address) return { ok: false, problem: 'invalid' };
    const isKnown = [...before, ...after].every((part) => !part.isSign && known.has(part.text));
    return readingOf(text, address, isKnown);
  };
}

const LONGEST = 400;

type Part = { readonly text: string; readonly isSign: boolean };

/** What belongs together from a place on: words between which signs stand, letters one by one, numerals; and what is left. */
function run(parts: readonly Part[]): readonly [readonly string[], readonly Part[]] {
  const taken: string[] = [];
  for (const [index, part] of parts.entries()) {
    const before = parts[index - 1];
    const isJoined =
      before === undefined ||
      part.isSign ||
      before.isSign ||
      isNumeral(part) ||
      isNumeral(before) ||
      (part.text.length === 1 && before.text.length === 1);
    if (!isJoined || part.text === '@') return [taken, parts.slice(index)];
    taken.push(part.text);
  }
  return [taken, []];
}

function isNumeral({ text }: Part): boolean {
  return /^\d+$/.test(text);
}
