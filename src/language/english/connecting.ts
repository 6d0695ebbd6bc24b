import { behindAnswer } from '../behind-answer.ts';
import { wordsToRepeat } from './answers/consent.ts';
import { FILLING, NO, YES } from './answers/consent-words.ts';
import { CONNECTORS, REPLACING } from './answers/corrections.ts';
import { longestPhraseAt, phraseTable, wordSet, wordsOf } from './words.ts';

/** What an answer calls the persons of its question: "how many of you" is answered by "four of us". */
const ANSWERING: ReadonlyMap<string, readonly string[]> = new Map([
  ['you', ['i', 'me', 'we', 'us']],
  ['your', ['my', 'our']],
  ['yours', ['mine', 'ours']],
  ...['people', 'persons', 'guests', 'seats', 'tickets', 'party'].map((counted): [string, readonly string[]] => [
    counted,
    ['us', 'we', 'people'],
  ]),
]);

/** Whether a text beside a value only leads to it: "yes, it's", "no,", "please", or words of the question. */
export function isConnecting(text: string, question: string): boolean {
  const echoes = wordsToRepeat(question);
  const words = wordsOf(text).filter(({ mark }) => !mark);
  const answering = new Set(wordsOf(question).flatMap(({ text: word }) => ANSWERING.get(word) ?? []));
  let at = 0;
  while (at < words.length) {
    const known = Math.max(...[YES, NO, FILLING].map((table) => longestPhraseAt(words, at, table)));
    const word = words[at]?.text ?? '';
    const leads = CONNECTORS.has(word) || echoes.has(word) || answering.has(word);
    if (known === 0 && !leads) return false;
    at += Math.max(1, known);
  }
  return true;
}

/** After these, a value replaces the earlier one. */
const TAKING_BACK = phraseTable(`
  sorry, i'm sorry, i am sorry, my mistake, my bad, i mean, i meant, i meant to say, i mean to say, i should say, or rather, make that,
  make it, change that to, change it to, correction, i misspoke, better make it, better make that, wait, oh wait,
  no wait, hold on, hang on, actually`);

/** Whether words before a value take back what was said earlier, and say nothing else: "no", "sorry, I meant". */
export function takesBack(text: string): boolean {
  const words = wordsOf(text).filter(({ mark }) => !mark);
  let isTakenBack = false;
  let at = 0;
  while (at < words.length) {
    const back = Math.max(...[NO, TAKING_BACK].map((table) => longestPhraseAt(words, at, table)));
    const known = Math.max(back, ...[REPLACING, FILLING, YES].map((table) => longestPhraseAt(words, at, table)));
    if (known === 0 && !CONNECTORS.has(words[at]?.text ?? '')) return false;
    isTakenBack ||= back === known && known > 0;
    at += Math.max(1, known);
  }
  return isTakenBack;
}

const ADDING = wordSet('but and though');

/** Finds the words behind a yes or a no: "yes, but there are three of us". */
export function behindAnswerIn(text: string): ReturnType<typeof behindAnswer> {
  const words = wordsOf(text);
  const pieces = words.map(({ text: word, start, mark }) => ({ start, isBreak: mark || ADDING.has(word) }));
  return behindAnswer(pieces, (at) => ({
    yes: longestPhraseAt(words, at, YES),
    no: longestPhraseAt(words, at, NO),
  }));
}

/** Checks whether words only agree, refuse, thank or greet and contain nothing to act on. */
export function saysNothing(text: string): boolean {
  if (text.includes('?')) return false;
  const words = wordsOf(text).filter(({ mark }) => !mark);
  let at = 0;
  while (at < words.length) {
    const known = Math.max(...[YES, NO, FILLING, GREETINGS].map((table) => longestPhraseAt(words, at, table)));
    if (known === 0) return false;
    at += known;
  }
  return true;
}

const GREETINGS = phraseTable(`
  hi, hello, hey, hi there, hello there, hey there, good morning, good afternoon, good evening, good day, morning, how are you,
  i see, got it, good to know, understood, cool, nice`);
