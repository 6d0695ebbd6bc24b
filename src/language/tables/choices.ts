import type { Reading, ReadOptions } from '../../model/ports/reader.ts';
import type { Answers } from './answers.ts';
import { phrasesOf, lengthAt, piecesOf, wordsIn } from './folded.ts';
import { NOT_FOUND, readingOf } from './outcome.ts';
import type { Tables } from './tables.ts';
import { nameWords } from '../../model/ports/name-words.ts';

/** Reads an enum value by its key or a synonym. A negated value, or one of several, does not count. */
export function choiceReader(tables: Tables, answers: Answers): (text: string, options: ReadOptions) => Reading {
  const { fold, questions } = tables;
  const known = wordsIn(
    fold,
    [tables.answers.filling, tables.answers.leading, tables.answers.articles, tables.answers.hesitations]
      .join(' ')
      .replaceAll(',', ' '),
  );
  const denials = wordsIn(fold, tables.answers.not);
  const either = wordsIn(fold, questions.or);
  const read = (text: string, options: ReadOptions): Reading => {
    const values = options.values ?? new Map<string, readonly string[]>();
    const plain = options.asked === true ? answers.consent(text).answer : undefined;
    if (plain !== undefined && values.has(plain)) return readingOf(text, plain, true);
    const pieces = piecesOf(fold(text));
    const named = new Set<string>();
    const denied = new Set<string>();
    let isCovered = true;
    const tablesOfValues = [...values].map(([value, synonyms]): [string, ReturnType<typeof phrasesOf>] => [
      value,
      phrasesOf(fold, [nameWords(value), ...synonyms.map((word) => word.replaceAll(',', ' '))].join(',')),
    ]);
    for (let at = 0; at < pieces.length;) {
      const found = tablesOfValues.map(([value, table]): [string, number] => [value, lengthAt(pieces, at, table)]);
      const length = Math.max(0, ...found.map(([, each]) => each));
      if (length === 0) {
        isCovered &&= known.has(pieces[at] ?? '');
        at += 1;
        continue;
      }
      const isDenied = [1, 2].some((back) => denials.has(pieces[at - back] ?? ''));
      for (const [value, each] of found) if (each === length) (isDenied ? denied : named).add(value);
      at += length;
    }
    const candidates = [...named].filter((value) => !denied.has(value));
    const [value, other] = candidates;
    if (value === undefined) return NOT_FOUND;
    if (other !== undefined) return { ok: false, problem: 'ambiguous', candidates };
    return readingOf(text, value, isCovered && denied.size === 0 && !pieces.some((piece) => either.has(piece)));
  };
  const { correction } = tables.moments;
  return (text, options) => {
    const whole = read(text, options);
    const found = correction.exec(fold(text));
    if (found === null) return whole;
    const [before, after] = fold(text)
      .split(correction)
      .slice(-2)
      .map((part) => read(part, { ...options, asked: false }));
    if (before?.ok !== true || after?.ok !== true || before.value === after.value) return whole;
    // "Pequeño no grande" corrects or denies, which only a pause tells.
    if (/^n[oã]o?\s/u.test(found[0].replace('ã', 'a')) || denials.has(found[0].trim()))
      return { ok: false, problem: 'ambiguous', candidates: [before.value, after.value] };
    return readingOf(text, after.value, false);
  };
}
