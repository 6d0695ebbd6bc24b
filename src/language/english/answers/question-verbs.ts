import { longestPhraseAt, phraseTable, wordSet, wordsOf, type Word } from '../words.ts';

/** Before the verb of what a question offers to do. */
const INTRODUCING = phraseTable(`
  shall i, shall we, should i, should we, may i, may we, can i, can we, could i, could we, must i, will i, will we, would i, i, we,
  i'll, we'll, i will, we will, i can, we can, i shall, i should, let me, let us, let's, want me to, want us to, like me to, like us to,
  prefer me to, need me to, want to, like to, wish to, need to, prefer to, have to, okay to, ok to, fine to, ready to, happy to, alright to,
  right to, sure to, agree to, permission to, for me to, for us to, if i, if we, that i, that we, do you, did you, have you, will you, do we`);
const BETWEEN = wordSet('go ahead and now then please just also really still to try first i we you');
const NO_VERB = wordSet(`
  a an the my your his her our their it this that these those there you he she they i we me us not no yes or and is are was were am be
  been do does did have has had can could shall should will would may might must of in on at for with from by about some any all both
  want like need prefer wish say mean what when where who why how which right correct okay ok good fine ready happy sure alright so
  get got`);
const AFTER_COMMAND = wordSet('it that this them him her me us the a an your my our all these those another both');
const NEGATIONS = wordSet('not never no nothing nobody none neither nor without cannot');
const REVERSED = phraseTable('do you mind, would you mind, mind if, do you object, any objection, any objections');

/** The last sentence of a text that has a question mark, without its mark; the last sentence if there is none. */
function questionIn(text: string): readonly Word[] {
  const sentences = text.match(/[^.?!]+(?:[.?!]+(?=\s|$)|[.?!]|$)+/g) ?? [];
  return wordsOf(sentences.findLast((sentence) => sentence.includes('?')) ?? sentences.at(-1) ?? '');
}

/** The verbs of what a question offers to do, as they stand there: "cancel" and "book" for "Shall I cancel it and book another?". */
export function verbsIn(question: string): readonly string[] {
  const words = questionIn(question).filter(({ mark }) => !mark);
  if (words.some(({ text }) => text === 'or')) return [];
  const verbs: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const introduced = longestPhraseAt(words, at, INTRODUCING);
    const found = verbAt(words, at + introduced);
    const isCommand = at === commandStart(words) || words[at - 1]?.text === 'and';
    const takesObject = at + 1 === words.length || AFTER_COMMAND.has(words[at + 1]?.text ?? '');
    if (introduced > 0 && found !== undefined) verbs.push(found);
    else if (introduced === 0 && isCommand && takesObject && !NO_VERB.has(words[at]?.text ?? ''))
      verbs.push(words[at]?.text ?? '');
  }
  return verbs;
}

/** Whether a question is put in the negative, or leaves a choice: a plain yes or no does not answer it. */
export function isNegativeOrEitherOr(question: string): boolean {
  const words = questionIn(question).filter(({ mark }) => !mark);
  const isEither = words.some(
    ({ text }, at) => text === 'or' && !['not', 'so', 'no'].includes(words[at + 1]?.text ?? ''),
  );
  const isNegative = words.some(
    ({ text }, at) => (NEGATIONS.has(text) || text.endsWith("n't")) && words[at - 1]?.text !== 'or',
  );
  return isEither || isNegative || words.some((_, at) => longestPhraseAt(words, at, REVERSED) > 0);
}

/** The number of words of a verb's form at a place, of "cancel": "cancelled" or "canceling". */
export function isFormOf(verb: string, word: string): boolean {
  const stem = verb.replace(/e$/, '').replace(/(?<=[^aeiou])y$/, '');
  if (!word.startsWith(stem)) return false;
  const last = stem.at(-1) ?? '';
  return /^(?:e|y|s|es|d|ed|ing|ies|ied|ying)?$/.test(
    word.slice(stem.length).replace(new RegExp(`^${last}(?=ed|ing)`), ''),
  );
}

/** The verb at a place, behind the words that may stand before it. */
function verbAt(words: readonly Word[], from: number): string | undefined {
  let at = from;
  while (BETWEEN.has(words[at]?.text ?? '')) at += 1;
  const word = words[at]?.text;
  return word === undefined || NO_VERB.has(word) || /^\d/.test(word) ? undefined : word;
}

/** Where a question without an introduction begins: "Okay, cancel it?". */
function commandStart(words: readonly Word[]): number {
  const leading = wordSet('so okay ok and then well great alright please now');
  return words.findIndex(({ text }) => !leading.has(text));
}
