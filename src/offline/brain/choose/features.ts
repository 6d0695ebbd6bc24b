import { longestPhraseAt, wordsOf, wordSet, type Word } from '../../../language/english/words.ts';
import { conceptTables, stemOf, STOP_WORDS } from './concepts.ts';

/** Whether something is said, denied ("do not want to stop") or impossible ("cannot find it"). */
export type Polarity = 'said' | 'denied' | 'unable';

/** A word or phrase with meaning. */
export interface Feature {
  /** Empty for a phrase that counts only as a whole. */
  readonly stem: string;
  readonly concepts: readonly string[];
  readonly polarity: Polarity;
  readonly start: number;
  readonly end: number;
}

const DENYING = wordSet(
  "not no never without nothing none neither nor don't doesn't didn't won't isn't aren't wasn't haven't hasn't wouldn't shouldn't refuses refuse declines",
);
const UNABLE = wordSet("can't cannot couldn't unable cant");
const UNDENYING = wordSet('but and however because');
/** "No, I have one": the no is an answer and does not deny the rest. */
const AFTER_ANSWER = /^(?:no|(?:i|we|you|he|she|it|they|there|that)(?:'\p{L}+)?|this|my|our)$/u;
/** How many words a denial covers: "I do not want you to keep the recording". */
const DENIAL_REACH = 7;

/** Returns the meaningful words of a sentence with their polarity. */
export function featuresOf(text: string): Feature[] {
  const words = wordsOf(text.replaceAll(/[_`"“”]/g, ' '));
  const { phrases, byPhrase, byStem } = conceptTables();
  const plain = words.map((word) => ({ text: word.text }));
  const features: Feature[] = [];
  const asksAboutHours = isQuestion(text);
  let denial: { polarity: Polarity; left: number } | undefined;
  let at = 0;
  while (at < words.length) {
    const word = words[at];
    if (word === undefined) break;
    const length = longestPhraseAt(plain, at, phrases);
    const polarity = denial === undefined || denial.left <= 0 ? 'said' : denial.polarity;
    if (length > 1) {
      const last = words[at + length - 1] ?? word;
      const phrase = words.slice(at, at + length).map((each) => each.text);
      const inner = phrase.map((each) => stemOf(each)).filter((_, index) => !STOP_WORDS.has(phrase[index] ?? ''));
      features.push({
        stem: inner.length === 1 ? (inner[0] ?? '') : '',
        concepts: byPhrase.get(phrase.join(' ')) ?? [],
        polarity,
        start: word.start,
        end: last.end,
      });
      at += length;
      continue;
    }
    if (word.mark) {
      if (word.text !== '-' && word.text !== '/') denial = undefined;
    } else if (word.text === 'no' && AFTER_ANSWER.test(words[at + 1]?.text ?? '')) denial = undefined;
    else if (DENYING.has(word.text)) denial = { polarity: 'denied', left: DENIAL_REACH };
    else if (UNABLE.has(word.text)) denial = { polarity: 'unable', left: DENIAL_REACH };
    else if (UNDENYING.has(word.text)) denial = undefined;
    else if (!STOP_WORDS.has(word.text) && !STOP_WORDS.has(word.text.replace(/'s$/, ''))) {
      const stem = stemOf(word.text);
      const concepts = [...(byStem.get(stem) ?? [])];
      const isOfHours = /^(?:opens|closes)$/.test(word.text) || (asksAboutHours && OPEN_OR_CLOSE.has(word.text));
      if (isOfHours && !BEFORE_OBJECT.has(words[at + 1]?.text ?? '')) concepts.push('hours');
      features.push({
        stem,
        concepts: isCounted(words, at) ? concepts.filter((concept) => concept !== 'human') : concepts,
        polarity,
        start: word.start,
        end: word.end,
      });
    }
    if (denial !== undefined) denial.left -= 1;
    at += 1;
  }
  return features;
}

/** Checks whether a sentence contains a denial or an impossibility. */
export function denies(text: string): boolean {
  return wordsOf(text).some((word) => DENYING.has(word.text) || UNABLE.has(word.text));
}

const OPEN_OR_CLOSE = wordSet('open close closed shut');
const BEFORE_OBJECT = wordSet('a an my the your another this that it');

function isCounted(words: readonly Word[], at: number): boolean {
  const before = words[at - 1];
  return before !== undefined && /^(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten)$/.test(before.text);
}

/** Returns how closely a caller's word matches a word of a description: 1 for the same word, 0 for no match. */
export function likeness(said: Feature, meant: Feature): number {
  const polarity = polarityLikeness(said.polarity, meant.polarity);
  if (polarity === 0) return 0;
  if (said.stem !== '' && said.stem === meant.stem) {
    // The same word with another meaning ("open an account", "open on Sunday").
    const differs = meant.concepts.includes('hours') && !said.concepts.includes('hours');
    return differs ? 0.5 * polarity : polarity;
  }
  return said.concepts.some((concept) => meant.concepts.includes(concept)) ? 0.9 * polarity : 0;
}

function polarityLikeness(said: Polarity, meant: Polarity): number {
  if (said === meant) return 1;
  if (said === 'unable' || meant === 'unable') return said === 'denied' || meant === 'denied' ? 0.9 : 0.75;
  return 0;
}

/** Returns the best match of several words. */
export function bestLikeness(said: readonly Feature[], meant: Feature): number {
  let best = 0;
  for (const feature of said) best = Math.max(best, likeness(feature, meant));
  return best;
}

const QUESTION_WORDS = wordSet(
  "what what's when when's where where's who who's which how how's why is are do does can could may will would did have has am whats",
);
const BEFORE_QUESTION = wordSet(
  'and but so well hi hello hey yes no okay ok sorry oh um actually wait first also by the way quick question just',
);
const NO_QUESTION = [
  ['would', 'be'],
  ['will', 'be'],
  ['can', 'be'],
  ['do', 'it'],
  ['do', 'that'],
  ['may', 'be'],
];

/** Checks whether a sentence is a question, by its mark or its beginning; speech recognition omits marks. */
export function isQuestion(text: string): boolean {
  if (/\?\s*$/.test(text)) return true;
  const words = wordsOf(text).filter((word) => !word.mark);
  let at = 0;
  while (at < 5 && BEFORE_QUESTION.has(words[at]?.text ?? '')) at += 1;
  const [first, second] = [words[at]?.text ?? '', words[at + 1]?.text ?? ''];
  if (NO_QUESTION.some(([one, other]) => one === first && other === second)) return false;
  // "May 5th" and "will smith" are answers; in a question a pronoun or article follows.
  if (/^(?:may|will)$/.test(first)) return /^(?:i|you|we|it|they|there|the|that|this|he|she)$/.test(second);
  return QUESTION_WORDS.has(first) && words.length - at > 1;
}
