import { dictatedDigitsAt } from './numbers/number-words.ts';
import { hasPhraseAt, type Word } from './words.ts';

const EXPLAINING = new Set(['capital', 'uppercase', 'lowercase', 'letter']);

/** Letters dictated one by one, from the word `from` (included) to `next` (excluded). */
export interface SpelledLetters {
  letters: string;
  from: number;
  next: number;
}

/** Leaves out what only explains a letter: "m as in Mary", "b for boy", "capital m", "the number four". */
export function withoutSpellingAids(words: readonly Word[]): Word[] {
  const kept: Word[] = [];
  let at = 0;
  while (at < words.length) {
    const word = words[at];
    if (word === undefined) break;
    const explains = (EXPLAINING.has(word.text) && isLetter(words[at + 1])) || isNumberNoun(words, at);
    if (!explains) kept.push(word);
    at += 1;
    if (!isLetter(word)) continue;
    if (hasPhraseAt(words, at, ['as', 'in'])) at += 3;
    else if (
      words[at]?.text === 'for' &&
      words[at + 1]?.text.startsWith(word.text) === true &&
      !isLetter(words[at + 1])
    )
      at += 2;
  }
  return kept;
}

/** The letters spelled from this place: "d e l", "D-E-L", "double l". Fewer than two are no spelling. */
export function spelledAt(words: readonly Word[], from: number): SpelledLetters | undefined {
  let letters = '';
  let count = 0;
  let at = from;
  let next = from;
  while (at < words.length) {
    const word = words[at];
    if (word === undefined) break;
    const doubled = word.text === 'double' && isLetter(words[at + 1]) ? words[at + 1] : undefined;
    if (doubled !== undefined) {
      letters += doubled.text.repeat(2);
      at += 2;
    } else if (isLetter(word)) {
      letters += word.text;
      at += 1;
    } else if (count > 0 && word.mark && /^[-.,]$/.test(word.text)) {
      at += 1;
      continue;
    } else {
      break;
    }
    count += 1;
    next = at;
  }
  return count < 2 ? undefined : { letters, from, next };
}

/** "the number" in "joe the number four". */
function isNumberNoun(words: readonly Word[], at: number): boolean {
  const noun = words[at]?.text === 'the' ? at + 1 : at;
  return words[noun]?.text === 'number' && dictatedDigitsAt(words, noun + 1) !== undefined;
}

function isLetter(word: Word | undefined): boolean {
  return word !== undefined && /^\p{L}$/u.test(word.text);
}
