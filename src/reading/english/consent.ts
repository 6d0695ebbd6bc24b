import type { Consent } from '../../ports/reader.ts';
import { CONNECTORS, REPLACING } from './corrections.ts';
import { longestPhraseAt, phraseTable, wordsOf, type Word } from './words.ts';

export type { Consent };

const YES = phraseTable(`
  yes, yeah, yep, yup, ya, yea, aye, y, sure, sure thing, for sure, ok, okay, alright, all right, right, correct, true, exactly,
  precisely, absolutely, definitely, certainly, indeed, of course, affirmative, agreed, i agree, confirmed, i confirm, i accept,
  perfect, fine, great, wonderful, excellent, by all means, you bet, you got it, that's right, that is right, that's correct,
  that is correct, that's true, that is true, it's correct, it is correct, it's right, it is right, you're right, you are right,
  you are correct, you're correct, that's exactly right, that is exactly right, all correct, that's all correct, all good,
  that's absolutely right, that's perfect, that's fine, that is fine, that's great, that works, that works for me, works for me,
  fine by me, fine with me, sounds good, sounds great, sounds fine, sounds perfect, sounds right, sounds lovely, that sounds good,
  that sounds great, that sounds right, that sounds perfect, that sounds fine, sounds good to me, go ahead, go for it, please do,
  please go ahead, you can go ahead, let's go ahead, do it, do that, let's do it, let's do that, let's go, it's a yes, that's a yes,
  i said yes, go on then, looks good, looks right, that looks right, that looks good, spot on, that'd be great, that would be great,
  that'd be good, that would be good, that'd be perfect, that would be perfect, that'd be lovely, that would be lovely, i'd like that,
  i would like that, i'd love that, i would love that, i'm happy with that, i am happy with that, happy with that, i'm fine with that,
  i'm okay with that, i'm good with that, very well, that will do, that'll do, no problem, no worries, not a problem, why not, mhm,
  yes it is, yes i do, that's the one, that's it, that's me, proceed, please proceed, that's affirmative, i'll take it, i will take it,
  we'll take it, i'll take that, i'll have that, that suits me, that'll work, that will work, works, gladly, with pleasure`);
const NO = phraseTable(`
  no, nope, nah, n, no no, no way, never, negative, false, wrong, incorrect, not correct, not right, that's wrong, that is wrong,
  that's not right, that is not right, that isn't right, that's not correct, that is not correct, that isn't correct,
  that's incorrect, that is incorrect, it's wrong, it is wrong, it's not right, it isn't right, it's not correct, it isn't correct,
  it isn't, it's not, you're wrong, not true, that's not true, absolutely not, definitely not, certainly not, of course not,
  not at all, not really, no need, no good, please don't, please do not, don't, do not, don't do it, don't do that, i don't,
  i do not, i don't think so, i do not think so, i think not, don't think so, i'd rather not, i would rather not, rather not,
  better not, i won't, it's a no, that's a no, i said no, no thanks, no thank you, we don't, we do not, i don't want that,
  i don't want it, i don't want to, i do not want that, i do not want it, i do not want to, cancel, cancel it, cancel that,
  stop, stop it, leave it, forget it, forget about it, forget that, never mind, nevermind, not for me, not today,
  i changed my mind, i've changed my mind, i have changed my mind, i've decided against it, i won't be needing that, i don't need it,
  i don't need that, that's not what i said, that's not what i meant, i'm not, i am not, no it isn't, no it's not, no i'm not,
  no i am not, no it doesn't, no i can't, no i won't, no i haven't, no i have not, no we are not, no we aren't, no i did not,
  no i didn't, not interested, i'm not interested, i am not interested`);
/** Takes nothing away from a yes or a no, and says neither. */
const FILLING = phraseTable(`
  please, thanks, thank you, thank you very much, thank you so much, thanks a lot, many thanks, very much, oh, well, so, then, like,
  you know, sir, ma'am, ma am, mam, madam, miss, dear, man, mate, it is, it does, i do, i am, i would, i will, i have, we do, we are,
  we will, we would, we have, you can, you may, i'm sure, i am sure, that's all, that is all, that's everything, nothing else, i can,
  we can, really, just, a lot, to me, for me, it, that, and, i'd, actually, by the way, lovely, good, do, quite, all, both of us`);
/** With one of these nothing is agreed to as it was asked, and nothing is refused. */
const CONDITIONS = phraseTable(`
  but, if, unless, only, except, maybe, perhaps, depends, it depends, wait, hold on, hang on, not yet, not sure, i'm not sure,
  i am not sure, not certain, not now, later, after, before, until, or, instead, rather, though, although, sorry, provided,
  as long as, i guess, let me, change, make it, make that, yes and no, other than, i don't know, i do not know, don't know, no idea,
  i have a question, i don't understand, i do not understand, i don't remember, i can't remember, i didn't hear, i didn't catch,
  i didn't get, i don't care, i do not care, no rush, no one, no more, more, less, another, other, different, earlier, without, also,
  as well`);
/** These begin a question, where nothing of substance stands before them. */
const ASKING = phraseTable(`when, what, what's, how, why, who, which, where, could, can, would, will, does, is, are`);
/** A sentence that ends in one of these was cut off. */
const UNFINISHED = new Set(['so', 'and', 'well', 'like', 'oh']);
/** Said by sounds, of which the words of a text know nothing. */
const HUMMED_YES = /\b(?:uh[- ]?huh|mm?[- ]?hmm?|m-?hm)\b/gi;

/**
 * Reads a yes or a no only where every word of the text is known: a word that no table has may be a condition. The words
 * of the question count as known, so "book it" and "yes, cancel it, please" are plain answers to "Shall I …".
 */
export function readConsent(text: string, question = ''): Consent {
  const words = wordsOf(text.replaceAll(HUMMED_YES, ' mhm ')).filter((word) => !word.mark || word.text === '?');
  const echoes = echoOf(question);
  let answer: Consent['answer'];
  let isContradiction = false;
  let isKnown = true;
  let isHedged = false;
  let hasSubstance = false;
  let at = 0;
  while (at < words.length) {
    const word = words[at]?.text ?? '';
    const command = echoes.has(word) ? commandAt(words, at) : 0;
    const lengths = {
      yes: Math.max(command, longestPhraseAt(words, at, YES)),
      no: longestPhraseAt(words, at, NO),
      filling: longestPhraseAt(words, at, FILLING),
      condition: longestPhraseAt(words, at, CONDITIONS),
      asking: longestPhraseAt(words, at, ASKING),
    };
    const best = Math.max(...Object.values(lengths));
    const isEnd = at + best >= words.length;
    const known = Math.max(lengths.yes, lengths.no, lengths.filling);
    if (word === '?' || best > known) {
      isKnown = false;
      isHedged ||= word === '?' || lengths.condition === best || !hasSubstance;
      hasSubstance = true;
      at += Math.max(1, best);
      continue;
    }
    if (best === 0) {
      isKnown &&= echoes.has(word);
      hasSubstance = true;
      // A number that was not asked about is a change.
      isHedged ||= /^\d/.test(word) && !echoes.has(word);
      at += 1;
      continue;
    }
    // "That would …" asks nothing.
    hasSubstance ||= word === 'that' || word === 'it';
    // "Okay, so" is the beginning of a sentence that was cut off.
    if (isEnd && at > 0 && best === 1 && UNFINISHED.has(word)) isKnown = false;
    if (lengths.yes === best || lengths.no === best) {
      const side = lengths.yes === best ? 'yes' : 'no';
      isContradiction ||= answer !== undefined && answer !== side;
      answer = side;
    }
    at += best;
  }
  if (isContradiction || (answer === 'no' && !isKnown)) isHedged = true;
  if (answer === 'yes' && !isHedged && !isKnown) return { isHedged, leansYes: true };
  if (answer === undefined || isHedged || !isKnown) return { isHedged };
  return { answer, isHedged: false };
}

/** What an answer calls the persons of its question: "how many of you" is answered by "four of us". */
const ANSWERING: ReadonlyMap<string, readonly string[]> = new Map([
  ['you', ['i', 'me', 'we', 'us']],
  ['your', ['my', 'our']],
  ['yours', ['mine', 'ours']],
]);

/** Whether a text beside a value only leads to it: "yes, it's", "no,", "please", or words of the question. */
export function isConnecting(text: string, question: string): boolean {
  const echoes = echoOf(question);
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

/** Behind these a value is another one than was said before. */
const TAKING_BACK = phraseTable(`
  sorry, i'm sorry, i am sorry, my mistake, my bad, i mean, i meant, i meant to say, i mean to say, i should say, or rather, make that,
  make it, change that to, change it to, correction, i misspoke, better make it, better make that`);

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

/** Whether words are a yes or a no, thanks or a greeting, and nothing that anybody could act on. */
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

/** The words of a question that an answer may repeat. */
function echoOf(question: string): ReadonlySet<string> {
  const words = wordsOf(question).filter(({ mark }) => !mark);
  // "This or that?" is not answered by one of its words.
  if (words.some(({ text }) => text === 'or')) return new Set();
  return new Set(
    words.flatMap(({ text }) => (text.length > 3 ? [text, `${text}s`, `${text}ed`, `${text}ing`, `${text}d`] : [])),
  );
}

/** "Book it", "cancel that": how many words the command has that a question has offered to carry out. */
function commandAt(words: readonly Word[], at: number): number {
  const before = words[at - 1]?.text;
  if (before !== undefined && ['not', "don't", 'never', "won't"].includes(before)) return 0;
  return ['it', 'that', 'this', 'them', 'him', 'her', 'me'].includes(words[at + 1]?.text ?? '') ? 2 : 0;
}
