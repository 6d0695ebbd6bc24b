import { settle, versionsOf, type Mention } from '../answers/corrections.ts';
import { bareName, introducedNames, leadingName, type Name, type NameContext } from './name-phrases.ts';
import { applySpelling, isOnlySpelling, nearestWord, spelledName, spellingsIn } from './name-spelling.ts';
import { writtenName } from './name-writing.ts';
import type { Reading, ReadOptions } from '../reading.ts';
import { type SpelledLetters, withoutSpellingAids } from '../spelling.ts';
import { wordsOf, type Word } from '../words.ts';

/** Limit for the pairwise comparison. */
const MOST_NAMES = 20;
/** So far behind a spelling the name may be said again. */
const LONGEST_REST = 4;

/**
 * Reads a person's name. Without a question only an introduction counts ("my name is", "this is", "I'm"); as an answer, the bare name too.
 * A name spelled out replaces the word it resembles. Names are easily misheard: certain means only that the words are an introduction.
 */
export function readName(text: string, options: ReadOptions): Reading {
  const context = { text, asked: options.asked === true, cased: isCased(text) };
  const versions = versionsOf(withoutSpellingAids(wordsOf(text)));
  const { mentions, unsettled } = settle(
    versions,
    (words, version) => namesIn(words, version.correction !== undefined, context),
    correctedName,
  );
  const [mention, ...others] = fullestNames(mentions);
  if (mention === undefined) return { ok: false, problem: 'not-found' };
  if (others.length > 0 || unsettled || mention.bound) {
    return {
      ok: false,
      problem: 'ambiguous',
      candidates: [mention, ...others].map((each) => writtenName(each.value.words)),
    };
  }
  const { start, end, certain } = mention;
  return { ok: true, value: writtenName(mention.value.words), said: text.slice(start, end), start, end, certain };
}

function namesIn(words: readonly Word[], corrects: boolean, context: NameContext): Mention<Name>[] {
  const { asked, cased } = context;
  const spellings = spellingsIn(words);
  const kept = withoutSpellings(words, spellings);
  const mentions = introducedNames(kept, context);
  const leading = asked && mentions.length > 0 ? leadingName(kept, 0, context) : undefined;
  if (leading !== undefined) mentions.unshift(leading);
  // "My name is Ann, no, Anna": a correction of a name is a bare name, which capitals confirm.
  const bare = mentions.length === 0 && (asked || (corrects && cased)) ? bareName(kept, context) : undefined;
  if (bare !== undefined) mentions.push(bare);
  for (const spelled of spellings) {
    if (mentions.length > 0) for (const mention of mentions) applySpelling(mention, spelled, words);
    else if (asked && isOnlySpelling(kept)) mentions.push(spelledName(spelled, words));
  }
  const first = mentions[0];
  if (first !== undefined) mentions[0] = { ...first, from: words.findIndex((word) => word.start === first.start) };
  return mentions;
}

/** Returns the words without spelled letters; a name continues after its spelled word: "Ann, A double N, Lee". */
function withoutSpellings(words: readonly Word[], spellings: readonly SpelledLetters[]): Word[] {
  const left = new Set<number>();
  for (const { from, next, letters } of spellings) {
    const before = lastWordBefore(words, from);
    const after = words.findIndex((word, at) => at >= next && !word.mark);
    const goesOn =
      words[before]?.text === letters &&
      after > next &&
      words[after]?.capital === true &&
      words[after]?.text !== letters;
    const isAgain = words.slice(after, after + LONGEST_REST).some((word) => word.text === letters);
    const isBetweenMarks = words[from - 1]?.mark === true && words[next]?.mark === true;
    const [start, end] = goesOn && !isAgain ? [before + 1, after] : [from, isBetweenMarks ? next + 1 : next];
    for (let at = start; at < end; at += 1) left.add(at);
  }
  return words.filter((_, at) => !left.has(at));
}

function lastWordBefore(words: readonly Word[], at: number): number {
  let before = at - 1;
  while (before >= 0 && words[before]?.mark === true) before -= 1;
  return before;
}

/** Whether capitals mean anything: neither all in capitals nor all without. */
function isCased(text: string): boolean {
  return /\p{Lu}/u.test(text) && /\p{Ll}/u.test(text);
}

/** One word that resembles a word of the earlier name corrects that word; anything else is the name anew. */
function correctedName(earlier: Name, later: Name): Name {
  const [word, ...others] = later.words;
  if (word === undefined || others.length > 0 || earlier.words.length < 2) return later;
  const near = nearestWord(earlier.words, word);
  if (near === undefined || near.far > Math.max(1, Math.floor(word.length / 3))) return later;
  return { words: earlier.words.with(near.at, word) };
}

/** The names that no other one contains: "Anna" and "Anna Reed" are one. */
function fullestNames(mentions: readonly Mention<Name>[]): Mention<Name>[] {
  const named = new Map(mentions.map((mention) => [` ${mention.value.words.join(' ').toLowerCase()} `, mention]));
  if (named.size > MOST_NAMES) return [...named.values()];
  const names = [...named.keys()];
  return [...named].flatMap(([name, mention]) =>
    names.some((other) => other !== name && other.includes(name)) ? [] : [mention],
  );
}
