import { isDenied, settle, versionsOf, type Mention } from './corrections.ts';
import type { Reading, ReadOptions } from '../reading.ts';
import { tokensOf, type Token } from '../numbers/spoken-numbers.ts';
import { plainAnswer } from './yes-no.ts';
import { wordSet } from '../words.ts';
import { nameWords } from '../../../model/ports/name-words.ts';

interface Phrases {
  /** Joined stems of a whole phrase, to the values that it names: more than one makes it ambiguous. */
  whole: ReadonlyMap<string, readonly string[]>;
  /** A stem of one value's phrases, to that value; undefined when several values share it. */
  parts: ReadonlyMap<string, string | undefined>;
  longest: number;
}

const STOP = wordSet(`
  a an the my your our i i'm i've it it's is am are was be to of for on at in with and or not no do does have has had need want would
  like please just some any this that me we us you get got can could will if so one ones thing something type kind other yes`);
/** What a value called "other" is also called. */
const OTHER = ['something else', 'none of those', 'none of these', 'none of the above', 'anything else'];
const LAST = new Set(['last']);
const OPTION = new Set(['option', 'number', 'choice', 'answer']);

/**
 * Reads one of the values of an enum, by its key (its underscores and hyphens are spaces), a synonym, or their plural and verb forms. As an
 * answer, a word that only one value has and the place in the list ("the second one") count too, without certainty.
 */
export function readChoice(text: string, options: ReadOptions): Reading {
  const values = options.values ?? new Map<string, readonly string[]>();
  const trimmed = text.trim();
  const asked = options.asked === true;
  if (trimmed !== '' && values.has(trimmed))
    return chosen(text, trimmed, text.indexOf(trimmed), text.indexOf(trimmed) + trimmed.length, true);
  const answer = asked ? plainAnswer(text) : undefined;
  if (answer !== undefined && values.has(answer)) return chosen(text, answer, 0, text.length, true);
  const phrases = phrasesOf(values);
  const keys = [...values.keys()];
  const tokens = tokensOf(text);
  // A word that only one value has ("single" for "single_room") chooses by itself only in an answer, but always shows an alternative.
  const withParts = asked || tokens.some((token) => token.text === 'or');
  const byName = (pieces: readonly Token[]): Mention<string>[] => {
    const whole = wholeMentions(pieces, phrases);
    if (!withParts || saysMuch(pieces)) return whole;
    return [...whole, ...partMentions(pieces, phrases, whole)].toSorted((one, other) => one.from - other.from);
  };
  const byPlace = (pieces: readonly Token[]): Mention<string>[] => placeMentions(pieces, keys);
  for (const find of asked ? [byName, byPlace] : [byName]) {
    const { mentions, unsettled } = settle(versionsOf(tokens, { noDenies: !correctsByNo(tokens, phrases) }), find);
    const candidates = [...new Set(mentions.map((mention) => mention.value))];
    const [value, second] = candidates;
    const mention = mentions.find((each) => each.certain) ?? mentions[0];
    if (second !== undefined) return { ok: false, problem: 'ambiguous', candidates };
    if (value === undefined || mention === undefined || (!asked && !mention.certain)) continue;
    const isConditional = asked && (value === 'yes' || value === 'no');
    return chosen(text, value, mention.start, mention.end, mention.certain && !unsettled && !isConditional);
  }
  return { ok: false, problem: 'not-found' };
}

/** "Small no large": behind a value, a "no" before another one corrects it. */
function correctsByNo(tokens: readonly Token[], phrases: Phrases): boolean {
  return tokens.some(({ text }, at) => {
    if (text !== 'no') return false;
    const near = tokens.slice(Math.max(0, at - NEAR_NO), at);
    const next = tokens.slice(at + 1, at + 1 + NEAR_NO);
    const before = wholeMentions(near, phrases).at(-1);
    const after = wholeMentions(next, phrases)[0];
    if (before === undefined || after === undefined || before.value === after.value) return false;
    const isBehind = near.slice(before.to).every(({ mark }) => mark);
    const isLed = after.from > 0 && next.slice(0, after.from).every((token) => token.mark || STOP.has(token.text));
    // "Checkup no pain" denies a thing; "no" before a quality can only correct.
    return isBehind && (isLed || (after.from === 0 && QUALITIES.has(next[0]?.text ?? '')));
  });
}

const QUALITIES = wordSet(`
  small medium large big little tiny huge short long tall wide narrow thick thin light heavy dark red blue green black white yellow brown
  grey gray pink purple orange hot cold warm mild spicy sweet dry soft hard new old early late single double twin triple fast slow cheap
  expensive high low full half empty open closed urgent normal regular standard economy left right upper lower inside outside indoor
  outdoor private public male female vegetarian vegan today tomorrow express`);
/** How many words from a "no" the values on both sides of it lie at most. */
const NEAR_NO = 8;

function chosen(text: string, value: string, start: number, end: number, certain: boolean): Reading {
  return { ok: true, value, said: text.slice(start, end), start, end, certain };
}

function phrasesOf(values: ReadonlyMap<string, readonly string[]>): Phrases {
  const whole = new Map<string, string[]>();
  const parts = new Map<string, string | undefined>();
  let longest = 1;
  for (const [value, synonyms] of values) {
    const names = [
      value.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2'),
      ...synonyms,
      ...(value.toLowerCase() === 'other' ? OTHER : []),
    ];
    for (const name of names) {
      const stems = stemsOf(tokensOf(nameWords(name))).map(({ stem }) => stem);
      if (stems.length === 0) continue;
      longest = Math.max(longest, stems.length + 1);
      const joined = stems.join('');
      const named = whole.get(joined) ?? [];
      if (!named.includes(value)) whole.set(joined, [...named, value]);
      // "Tuesday" is not "Tuesday at ten": a number is never the part that can be left out.
      if (OTHER.includes(name) || stems.some((stem) => /^\d/.test(stem))) continue;
      for (const stem of stems) {
        if (STOP.has(stem)) continue;
        parts.set(stem, !parts.has(stem) || parts.get(stem) === value ? value : undefined);
      }
    }
  }
  return { whole, parts, longest: Math.min(longest, 10) };
}

interface Stem {
  stem: string;
  /** Which token it was. */
  at: number;
}

function stemsOf(tokens: readonly Token[]): Stem[] {
  return tokens.flatMap((token, at) => {
    if (token.mark) return [];
    const stem = token.number === undefined ? stemOf(token.text) : `${token.text}${token.number.ordinal ? 'th' : ''}`;
    return [{ stem, at }];
  });
}

/** Cuts plural and verb endings, so that "hurting", "hurts" and "hurt" are one. */
function stemOf(word: string): string {
  const bare = word.replace(/'s?$/, '');
  if (bare.length < 4) return bare;
  const singular = bare.replace(/(?<=[^s])s$/, '').replace(/ie$/, 'y');
  const verb = singular.length > 5 ? singular.replace(/(?:ing|ed)$/, '') : singular;
  const single = verb !== singular ? verb.replace(/([^aeiouls])\1$/, '$1') : verb;
  return single.length > 3 ? single.replace(/e$/, '') : single;
}

function wholeMentions(tokens: readonly Token[], phrases: Phrases): Mention<string>[] {
  const stems = stemsOf(tokens);
  const mentions: Mention<string>[] = [];
  let at = 0;
  while (at < stems.length) {
    const found = longestAt(stems, at, phrases);
    const from = stems[at]?.at ?? 0;
    if (found === undefined) {
      at += 1;
      continue;
    }
    const to = (stems[at + found.length - 1]?.at ?? from) + 1;
    if (!isRefused(tokens, from))
      mentions.push(...found.values.map((value) => mentionOf(tokens, value, from, to, true)));
    at += found.length;
  }
  return mentions;
}

function longestAt(
  stems: readonly Stem[],
  at: number,
  phrases: Phrases,
): { values: readonly string[]; length: number } | undefined {
  let joined = '';
  let found: { values: readonly string[]; length: number } | undefined;
  for (let length = 1; length <= phrases.longest && at + length <= stems.length; length += 1) {
    joined += stems[at + length - 1]?.stem;
    const values = phrases.whole.get(joined);
    if (values !== undefined) found = { values, length };
  }
  return found;
}

function partMentions(
  tokens: readonly Token[],
  phrases: Phrases,
  whole: readonly Mention<string>[],
): Mention<string>[] {
  const taken = new Set(
    whole.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, offset) => from + offset)),
  );
  return stemsOf(tokens).flatMap(({ stem, at }) => {
    const value = phrases.parts.get(stem);
    // "A road bike" is not an e-bike: after a whole name, a part of another name describes the first.
    if (value === undefined || taken.has(at) || taken.has(at - 1) || isRefused(tokens, at)) return [];
    return [mentionOf(tokens, value, at, at + 1, false)];
  });
}

/** Words with much other content do not mean a value by a part of its name. */
function saysMuch(tokens: readonly Token[]): boolean {
  return stemsOf(tokens).filter(({ stem }) => !STOP.has(stem)).length > MOST_BESIDE_PART;
}

const MOST_BESIDE_PART = 5;

/** "the first one", "option two", "the last one". */
function placeMentions(tokens: readonly Token[], keys: readonly string[]): Mention<string>[] {
  return tokens.flatMap((token, at) => {
    const after = tokens[at + 1];
    const ends =
      after === undefined || after.mark || ['one', '1', 'option', 'choice', 'please', 'of'].includes(after.text);
    const place =
      token.number?.ordinal === true || OPTION.has(tokens[at - 1]?.text ?? '') ? token.number?.value : undefined;
    const value = LAST.has(token.text) ? keys.at(-1) : place === undefined ? undefined : keys[place - 1];
    if (value === undefined || !ends || isRefused(tokens, at)) return [];
    return [mentionOf(tokens, value, at, at + 1, false)];
  });
}

/** "not pain", "no pain", "without pain". */
function isRefused(tokens: readonly Token[], from: number): boolean {
  const article = ['a', 'an', 'the'].includes(tokens[from - 1]?.text ?? '') ? 1 : 0;
  if (tokens[from - 1 - article]?.text === 'than') return true;
  return (
    isDenied(tokens, from) ||
    [1, 2].some((back) => tokens[from - back]?.text === 'no' && tokens[from - 1]?.mark !== true)
  );
}

function mentionOf(
  tokens: readonly Token[],
  value: string,
  from: number,
  to: number,
  certain: boolean,
): Mention<string> {
  return { value, from, to, start: tokens[from]?.start ?? 0, end: tokens[to - 1]?.end ?? 0, certain };
}
