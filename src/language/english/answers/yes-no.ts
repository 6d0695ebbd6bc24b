import type { Reading, ReadOptions } from '../reading.ts';
import { deniesObjection } from './consent.ts';
import { longestPhraseAt, phraseTable, wordsOf, type Word } from '../words.ts';

const YES = phraseTable(`
  yes, yeah, yep, yup, ya, yea, aye, y, sure, sure thing, for sure, ok, okay, alright, all right, right, correct, true, exactly,
  precisely, absolutely, definitely, certainly, indeed, of course, affirmative, agreed, i agree, confirmed, i confirm, i accept,
  perfect, fine, by all means, you bet, that's right, that is right, that's correct, that is correct, that's true, that is true,
  it's correct, it is correct, it's right, it is right, you're right, you are right, you are correct, you're correct,
  that's exactly right, that is exactly right, all correct, that's all correct, that's absolutely right, that's perfect, that's fine,
  that is fine, that works, that works for me, works for me, fine by me, fine with me, sounds good, sounds great, sounds fine,
  sounds perfect, sounds right, that sounds good, that sounds great, that sounds right, go ahead, go for it, please do,
  please go ahead, do it, do that, let's do it, let's do that, let's go, sounds good to me, it's a yes, that's a yes, i said yes,
  go on then, looks good, looks right, that looks right`);
const NO = phraseTable(`
  no, nope, nah, n, no no, no way, never, negative, false, wrong, incorrect, not correct, not right, that's wrong, that is wrong,
  that's not right, that is not right, that isn't right, that's not correct, that is not correct, that isn't correct,
  that's incorrect, that is incorrect, it's wrong, it is wrong, it's not right, it isn't right, it's not correct, it isn't correct,
  you're wrong, not true, that's not true, absolutely not, definitely not, certainly not, of course not, not at all, not really,
  no need, no good, please don't, please do not, don't, do not, don't do it, don't do that, i don't, i do not, i don't think so,
  i do not think so, i'd rather not, i would rather not, rather not, better not, it's a no, that's a no, i said no, no thanks,
  no thank you, we don't, we do not, no it isn't, no it's not, no i'm not, no i am not, no it doesn't, no i can't, no i won't,
  no i haven't, no i have not, no we are not, no we aren't, no i did not, no i didn't`);
/** Neutral phrases, which change neither a yes nor a no. */
const NEUTRAL = phraseTable(`
  please, thanks, thank you, thank you very much, thank you so much, thanks a lot, many thanks, very much, oh, well, so, then, like,
  you know, sir, ma'am, ma am, mam, madam, miss, dear, man, mate, it is, it does, i do, i am, i would, i will, i have, we do, we are,
  we will, we would, we have, you can, you may, i'm sure, i am sure, book it, and book it, confirm it, and confirm it, and do it,
  and do that, that's it, that's all, that is all, that's everything, nothing else, no problem, no worries, not a problem, i can,
  we can, why not, mhm, very well, great, that's great, wonderful, excellent, lovely, i'd like that, i would like that, i'd love that`);
/** Begins an answer that goes on ("yes, with Aetna"); "okay" and "right" are left out, for they also begin anything else. */
const OPENING_YES = phraseTable(`
  yes, yeah, yep, yup, yea, aye, correct, exactly, absolutely, definitely, certainly, indeed, of course, that's right, that is right,
  that's correct, that is correct, affirmative, sure, go ahead`);
/** Whole short answers that say yes or no less plainly. */
const SHORT_YES = phraseTable(`
  i think so, i guess so, i suppose so, i believe so, probably, i do, i am, i have, we do, we are, we have, please, uh huh, mhm,
  it is, it does, i would, i'd like that, i'd love to, i will, why not, i can, i did`);
const SHORT_NO = phraseTable(`
  i haven't, i have not, i'm not, i am not, it isn't, it's not, it doesn't, probably not, i didn't, i did not, i can't, i cannot,
  i won't, we aren't, we haven't, i don't have any, i don't have one, i do not have any, i do not have one, not that i know of,
  not yet, i have never, i never have, we don't have any`);
/** After a "yes" or "no", these take it back or leave it open. */
const UNDECIDED = phraseTable(`
  not sure, i'm not sure, i am not sure, i'm not certain, i don't know, i do not know, don't know, no idea, maybe, perhaps, if,
  unless, only if, wait, hold on, depends, it depends, no problem, no worries, no one, no rush, or, i don't understand,
  i do not understand, i am not certain, i don't remember, i do not remember, can't say, i can't remember, not certain, hang on,
  right now, i have no idea, i have a question, sorry, never mind, i don't get, don't understand, what, fine how, okay but, ok but,
  i guess, i didn't hear, i didn't catch, i didn't get, i didn't understand, i can't hear, i cannot hear, i have to, i don't mind,
  i don't care, i do not care`);

/** Behind a short answer, these leave it open. */
const DOUBTS = new Set([
  'but',
  'although',
  'though',
  'if',
  'unless',
  'wait',
  'or',
  'actually',
  'no',
  'not',
  'yes',
  'sorry',
]);

/** This many words before a question are a separate answer. */
const WORDS_TOLD = 4;

const UNFINISHED = new Set(['so', 'well', 'like', 'oh']);

type Side = 'yes' | 'no';

/**
 * Reads a plain yes or no with no other content. Anything more (a condition, a correction, a question, both at once) is
 * undefined: a yes triggers actions, and asking again costs less than a wrong yes.
 */
export function plainAnswer(text: string): Side | undefined {
  if (text.includes('?')) return undefined;
  const words = withoutMarks(text);
  let answer: Side | undefined;
  let isUnfinished = false;
  let at = 0;
  while (at < words.length) {
    const lengths = { yes: longestPhraseAt(words, at, YES), no: longestPhraseAt(words, at, NO) };
    const neutral = longestPhraseAt(words, at, NEUTRAL);
    const length = Math.max(lengths.yes, lengths.no, neutral);
    if (length === 0) return undefined;
    isUnfinished = neutral === 1 && length === 1 && UNFINISHED.has(words[at]?.text ?? '');
    if (length > neutral) {
      const side = lengths.yes > lengths.no ? 'yes' : 'no';
      if (answer !== undefined && answer !== side) return undefined;
      answer = side;
    }
    at += length;
  }
  // "Okay, so" is the beginning of a sentence that was cut off.
  return isUnfinished ? undefined : answer;
}

/** The side to which a sentence leans by the way it begins: "yes, with Aetna" leans to yes, "okay, my name is Ann" to neither. */
export function leaning(text: string): Side | undefined {
  const plain = plainAnswer(text);
  if (plain !== undefined) return plain;
  if (deniesObjection(text)) return undefined;
  if (text.includes('?')) {
    // "Yes, I have a leak, could you come on Friday?": what stands before the question is the answer.
    const told = /^[^?]*[,.;!](?=[^,.;!?]*\?)/.exec(text)?.[0] ?? '';
    return withoutMarks(told).length >= WORDS_TOLD ? leaning(told) : undefined;
  }
  const words = withoutMarks(text);
  let at = 0;
  while (['oh', 'well', 'so', 'like', 'and', 'hi', 'hello', 'hey'].includes(words[at]?.text ?? '')) at += 1;
  for (const [table, side] of [
    [SHORT_YES, 'yes'],
    [SHORT_NO, 'no'],
  ] as const) {
    const end = at + longestPhraseAt(words, at, table);
    const ends = end === words.length || endsClause(text, words[end - 1], words[end]);
    if (end > at && ends && !words.slice(end).some((word) => DOUBTS.has(word.text))) return side;
  }
  if (longestPhraseAt(words, at, UNDECIDED) > 0) return undefined;
  const yes = longestPhraseAt(words, at, OPENING_YES);
  const no = longestPhraseAt(words, at, NO);
  if (yes === no) return undefined;
  const side = yes > no ? 'yes' : 'no';
  const rest = words.slice(at + Math.max(yes, no), at + Math.max(yes, no) + 6);
  const opposite = side === 'yes' ? NO : YES;
  const isDoubt = (index: number): boolean =>
    longestPhraseAt(rest, index, opposite) > 0 || longestPhraseAt(rest, index, UNDECIDED) > 0;
  const isTakenBack = side === 'yes' && rest[0]?.text === 'not';
  return isTakenBack || rest.some((_, index) => isDoubt(index)) ? undefined : side;
}

/** Reads a boolean: a plain answer is certain, one that only leans is not; without a question there is nothing to agree to. */
export function readBoolean(text: string, options: ReadOptions): Reading {
  const trimmed = text.trim();
  const written = trimmed.length < 8 ? /^(?:true|false)$/i.exec(trimmed)?.[0].toLowerCase() : undefined;
  const side = written !== undefined ? (written === 'true' ? 'yes' : 'no') : options.asked ? leaning(text) : undefined;
  if (side === undefined) return { ok: false, problem: 'not-found' };
  const start = text.indexOf(trimmed);
  const certain = written !== undefined || plainAnswer(text) !== undefined;
  return { ok: true, value: side === 'yes', said: trimmed, start, end: start + trimmed.length, certain };
}

/** "I did, first time": a short answer, a pause, and what is said about it. */
function endsClause(text: string, last: Word | undefined, next: Word | undefined): boolean {
  return last !== undefined && next !== undefined && /[,.;!]/.test(text.slice(last.end, next.start));
}

function withoutMarks(text: string): Word[] {
  return wordsOf(text).filter((word) => !word.mark || word.text === '?');
}
