import { isEnglish } from '../english/is-english.ts';
import { joined } from '../english/lines.ts';
import { isOtherLanguage } from '../other-language.ts';
import { keepsQuestion, sentencesOf } from '../english/answers/questions.ts';
import { answerByDenial } from '../denied-pair.ts';
import { answerMeant } from '../english/answers/sides.ts';
import { readText } from '../english/texts.ts';
import type { Reader, Reading } from '../../model/ports/reader.ts';
import { readWritten } from '../unknown/reader.ts';
import { withoutPlaceholder, writtenEmail } from '../written.ts';
import { readCalleeWords } from '../callee-words.ts';
import { choiceInWords } from '../choice-in-words.ts';
import { codeReader } from '../codes.ts';
import { rangesBy } from '../ranges.ts';
import { boundedBy } from '../bounds.ts';
import { certainBy, groundedBy } from '../doubt.ts';
import { createAnswers } from './answers.ts';
import { choiceReader } from './choices.ts';
import { deniedReader } from './denied.ts';
import { emailReader } from './emails.ts';
import { lengthAt, phrasesOf, piecesOf, wordsIn } from './folded.ts';
import { groundingBy } from './grounding.ts';
import { momentReader } from './moments.ts';
import { nameReader } from './names.ts';
import { numberReader } from './numbers/numbers.ts';
import { NOT_FOUND, readingOf } from './outcome.ts';
import { phoneReader } from './numbers/phones.ts';
import { lastSentence } from './question-verbs.ts';
import { spokenBy } from './spoken.ts';
import type { Tables } from './tables.ts';

/** Below this many words a text shows no language; above it, this share of them is frequent in its own. */
const ENOUGH_WORDS = 6;
const LEAST_SHARE = 0.12;

/** Builds the reader of a language out of its tables. */
export function createTableReader(tables: Tables): Reader {
  const { fold, questions } = tables;
  // What introduces a name says nothing else beside it.
  const { nameIs, nameIsIfAsked = '' } = tables.dictation;
  const leading = `${tables.answers.leading}, ${nameIs}, ${nameIsIfAsked}`;
  const answers = createAnswers({ ...tables, answers: { ...tables.answers, leading } });
  const readNumber = numberReader(tables);
  const readMoment = momentReader(tables);
  const readChoice = choiceReader(tables, answers);
  const readPhone = phoneReader(tables);
  const readEmail = emailReader(tables);
  const codes = codeReader(tables.codes, fold, tables.digits);
  const readName = nameReader(tables);
  const readUndenied = deniedReader(tables);
  const open = wordsIn(fold, questions.open);
  const either = wordsIn(fold, questions.or);
  const choosing = wordsIn(fold, questions.choosing);
  const hesitations = wordsIn(fold, tables.answers.hesitations);
  const [negations, orNot] = [wordsIn(fold, tables.answers.negations), wordsIn(fold, questions.orNot)];
  const reversed = phrasesOf(fold, questions.reversed);
  const frequent = wordsIn(fold, questions.frequent);
  const filling = phrasesOf(fold, tables.answers.filling);
  const inviting = phrasesOf(fold, questions.inviting);
  const [agrees, refuses] = [phrasesOf(fold, questions.agrees), phrasesOf(fold, questions.refuses)];

  const asks = (text: string): boolean => {
    const sentences = sentencesOf(text);
    if (sentences.slice(-2).some((sentence) => /[?？]/u.test(sentence))) return true;
    const pieces = piecesOf(fold(sentences.at(-1) ?? ''));
    let at = 0;
    for (let length = lengthAt(pieces, at, filling); length > 0; length = lengthAt(pieces, at, filling)) at += length;
    return lengthAt(pieces, at, inviting) > 0;
  };
  const value: Reader['value'] = (kind, text, options) => {
    const isSaidWhole = kind === 'boolean' || kind === 'text';
    const readDoubted = (said: string): Reading =>
      certainBy(tables.doubts, kind, said, (each) => readKind(kind, each, options));
    const read = (said: string, isAfterNo = false): Reading =>
      boundedBy(
        options.bounds,
        isSaidWhole ? readDoubted(said) : readUndenied(said, { isAfterNo, isDate: kind === 'date', read: readDoubted }),
      );
    const at = isSaidWhole ? 0 : answers.endOfTakingBack(text);
    const corrected = at === 0 ? NOT_FOUND : read(text.slice(at), true);
    if (!corrected.ok) return corrected.problem === 'not-found' ? read(text) : corrected;
    if (!answers.isLeading(text.slice(at, at + corrected.start))) return read(text);
    return { ...corrected, start: at + corrected.start, end: at + corrected.end, corrects: true };
  };
  const readKind: Reader['value'] = (kind, text, options): Reading => {
    // The mark in 2.500 is of thousands.
    const isOwn = kind === 'text' || kind === 'code' || kind === 'name' || kind === 'number' || kind === 'integer';
    const written = isOwn ? NOT_FOUND : readWritten(kind, text, options);
    if (written.ok) return written;
    switch (kind) {
      case 'date':
      case 'time':
        return readMoment(kind, text, options);
      case 'number':
      case 'integer':
        return readNumber(text, options, kind === 'integer');
      case 'boolean': {
        const side = options.asked === true ? answers.leaning(text) : null;
        return side === null ? NOT_FOUND : readingOf(text, side === 'yes', answers.consent(text).answer !== undefined);
      }
      case 'enum':
        return readChoice(text, options);
      case 'phone':
        return readPhone(text, options);
      case 'code':
        return codes.read(text, options);
      case 'email':
        return writtenEmail(text) ?? readEmail(text);
      case 'name':
        return withoutPlaceholder(readName(text, options), text);
      case 'text':
        return readText(text);
    }
  };
  const ground = groundingBy(tables, answers, value, codes);
  return {
    ...answers,
    language: tables.language,
    lines: tables.lines,
    help: tables.help,
    wordCount: (text) => piecesOf(fold(text)).filter((piece) => piece !== '?' && !hesitations.has(piece)).length,
    isOwn(text) {
      const pieces = piecesOf(fold(text.slice(0, 4_000)));
      const share = pieces.filter((piece) => frequent.has(piece)).length / Math.max(1, pieces.length);
      return pieces.length < ENOUGH_WORDS || share >= LEAST_SHARE;
    },
    callee: readCalleeWords,
    isOther: (text) => isOtherLanguage(text, tables.language),
    value,
    ranges: rangesBy(tables.ranges),
    asks,
    keepsQuestion: (text, instead) => keepsQuestion(text, instead, asks),
    isYesNoQuestion(question) {
      const pieces = piecesOf(fold(question));
      return question.includes('?') && !pieces.some((piece) => open.has(piece) || either.has(piece));
    },
    isNegativeOrEitherOr(question) {
      const pieces = piecesOf(fold(lastSentence(question)));
      return pieces.some((piece, at) => {
        if (either.has(piece)) return !orNot.has(pieces[at + 1] ?? '');
        return (negations.has(piece) && !either.has(pieces[at - 1] ?? '')) || lengthAt(pieces, at, reversed) > 0;
      });
    },
    answerMeant(description, others = []) {
      const pieces = piecesOf(fold(description));
      const sides = new Set<'yes' | 'no'>();
      for (let at = 0; at < pieces.length;) {
        // What refuses may hold a word that agrees: "no acepta".
        const [no, yes] = [lengthAt(pieces, at, refuses), lengthAt(pieces, at, agrees)];
        if (Math.max(no, yes) > 0) sides.add(no >= yes ? 'no' : 'yes');
        at += Math.max(1, no, yes);
      }
      const [side, other] = sides;
      if (side !== undefined) return other === undefined ? side : null;
      const words = (text: string): readonly string[] => piecesOf(fold(text));
      const denied = answerByDenial(description, others, { words, isNegation: (word) => negations.has(word) });
      return denied ?? (isEnglish(description) ? answerMeant(description, others) : null);
    },
    sharedWords(question, about) {
      const words = (text: string): readonly string[] =>
        piecesOf(fold(text)).filter((piece) => piece.length > 3 && !open.has(piece) && !frequent.has(piece));
      const own = words(question);
      const stems = new Set(words(about).map(stemOf));
      return own.length === 0 ? null : own.filter((word) => stems.has(stemOf(word))).length;
    },
    choosesOffered: (text) => piecesOf(fold(text)).some((piece) => choosing.has(piece)),
    grounding: (kind, known, said) => groundedBy(tables.doubts, kind, known, said, (each) => ground(kind, known, each)),
    spoken: spokenBy(tables),
    decimalMark: tables.spoken.decimalMark,
    choiceName: choiceInWords,
    proposal: (call, details) => tables.spoken.proposal.replace('{what}', () => [call, ...details].join(', ')),
    anyOf: (choices) => joined(choices, tables.spoken.or),
    allOf: (things) => joined(things, tables.spoken.and),
  };
}

/** The beginning of a word, so that endings do not matter. */
function stemOf(word: string): string {
  return word.slice(0, Math.max(4, word.length - 3));
}
