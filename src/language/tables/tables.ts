import type { BuiltInLines, SpokenHelp } from '../../model/ports/reader.ts';
import type { CodeWords } from '../codes.ts';
import type { RangeWords } from '../ranges.ts';
import type { DoubtWords } from '../doubt.ts';
import type { Fold } from './folded.ts';

/** What a table reader knows of a language: words and phrases, all of them folded before use. Lists separate phrases by commas. */
export interface Tables {
  /** BCP 47. */
  readonly language: string;
  /** ISO country of phone numbers without a country code. */
  readonly region: string;
  readonly fold: Fold;
  /** Number words of a folded text as numerals. */
  readonly digits: (folded: string) => string;
  /** Folded: sets of endings that the forms of one word take in turn, separated by commas. A dash is no ending. */
  readonly inflections: string;
  readonly lines: BuiltInLines;
  readonly help: SpokenHelp;
  readonly answers: AnswerWords;
  readonly doubts: DoubtWords;
  readonly questions: QuestionWords;
  readonly codes: CodeWords;
  readonly ranges: RangeWords;
  readonly counts: CountWords;
  readonly moments: MomentWords;
  readonly dictation: DictationWords;
  readonly spoken: SpokenWords;
}

export interface AnswerWords {
  /** Whole phrases that say yes, or no. */
  readonly yes: string;
  readonly no: string;
  /** The phrases of `yes` that begin a statement if words follow them in their clause: "eso es", "eso es demasiado". */
  readonly partialYes: string;
  /** Words that begin a clause behind a plain no: "no eso es demasiado". */
  readonly subjects: string;
  /** The phrases of `yes` that people also say only to show that they listen. */
  readonly weak: string;
  /** Whole phrases that refuse wherever they stand in a sentence, besides those of `no`. */
  readonly refusing: string;
  /** The phrases of `no` that also negate what follows them, and refuse only in a separate clause. */
  readonly partialNo: string;
  /** Folded forms of the verbs of hearing and understanding. */
  readonly hearing: RegExp;
  /** The phrases of `no` that keep something if words follow them in their clause: "leave it", "leave it at nine". */
  readonly leaving: string;
  /** Begin a question, at the first word of a clause: question words, and verbs with their subject. */
  readonly asking: string;
  /** Words of a negation. */
  readonly negations: string;
  /** Words that turn into an agreement under a negation: "keine Einwände", "nicht schlecht". */
  readonly objections: string;
  /** Folded: a preposition with a word that points at the proposal: "zu dem Preis". */
  readonly circumstance: RegExp;
  /** The words for no, of which only a pause tells whether they also deny what follows: "no cuatro". */
  readonly plainNo: string;
  /** Before a thing: it is not that. */
  readonly not: string;
  /** Words that begin what holds instead of something denied. */
  readonly contrasting: string;
  /** Neutral phrases, which change neither a yes nor a no. */
  readonly filling: string;
  /** With one of these, the proposal is neither accepted as it is nor refused. */
  readonly conditions: string;
  readonly greetings: string;
  /** Sounds between words. */
  readonly hesitations: string;
  /** A sentence that ends in one of these was cut off. */
  readonly unfinished: string;
  readonly repeat: string;
  /** Ask for a value of the last line once more: "wie viel noch mal". */
  readonly repeatValue: string;
  readonly patience: string;
  /** Words between a yes or a no and what the caller adds to it. */
  readonly adding: string;
  /** Phrases that keep the value as it is. */
  readonly keeping: string;
  /** Words before a value that only lead to it. */
  readonly leading: string;
  /** Words before a choice that count as the number one elsewhere. */
  readonly articles: string;
  /** Phrases before a value that take back what was said earlier, besides those of `no`. */
  readonly takingBack: string;
}

export interface QuestionWords {
  /** Each of them makes a question one that yes and no do not answer. */
  readonly open: string;
  readonly or: string;
  /** Behind `or`, they leave a question one of yes or no: "or not". */
  readonly orNot: string;
  /** A yes to a question with one of these is a refusal: "do you mind". */
  readonly reversed: string;
  /** Words that begin another clause. */
  readonly conjunctions: string;
  readonly verbs: VerbWords;
  /** How a sentence begins that hands the word over without a question mark. */
  readonly inviting: string;
  /** In a function's description: what a caller who agrees, or refuses, does. */
  readonly agrees: string;
  readonly refuses: string;
  /** Choose one of what was offered: "the second", "that one". */
  readonly choosing: string;
  /** Of these, any text of some length has several. */
  readonly frequent: string;
}

export interface VerbForm {
  readonly stem: string;
  readonly particle?: string;
}

/** How a question says what it offers to do: "shall I cancel your visit". */
export interface VerbWords {
  /** Phrases before the verb, and words that may stand between them and it. */
  readonly introducing: string;
  readonly between: string;
  /** Whether the verb is the word behind the introduction or the last one of its clause. */
  readonly place: 'next' | 'last';
  /** The verb of a question without an introduction, at its beginning. */
  readonly bare: RegExp;
  /** The beginnings that the forms of a verb share; with a `particle`, only where that stands in the same clause. */
  readonly forms: (verb: string) => readonly VerbForm[];
  /** A form of a verb, as its stem is written: "apruebe" as "aprobe". */
  readonly regular: (word: string) => string;
  /** Stand before the verb of an answer and affirm it: "I would like to". */
  readonly leading: string;
  /** May stand behind it and say nothing: "cancel it". */
  readonly objects: string;
}

export interface CountWords {
  /** A lone one of these is the number one where a number was asked for. */
  readonly one: string;
  readonly half: RegExp;
  /** Two groups: the whole and the part behind the decimal mark. */
  readonly decimal: RegExp;
  readonly minus: RegExp;
  readonly pair: RegExp;
  /** Words that multiply the number before them, as patterns, with their factors; a lone one of them is said behind an article or by itself. */
  readonly scales: readonly (readonly [pattern: string, factor: number])[];
  /** Patterns before a scale: half of it, a quarter of it, two of it. */
  readonly parts: { readonly half: string; readonly quarter: string; readonly couple: string };
  /** Numbers that are said as one word besides numerals, such as "anderthalb", with their values. */
  readonly whole?: ReadonlyMap<string, number>;
  /** Words that may stand beside a number of the thing that was asked for. */
  readonly beside: string;
}

/** A time of day as it was said. */
export interface ClockTime {
  readonly hour: number;
  readonly minute: number;
  /** The hour is said in a form that tells the half of the day. */
  readonly isExact: boolean;
  /** The text without it. */
  readonly rest: string;
}

export interface MomentWords {
  /** Retracts the words before it. */
  readonly correction: RegExp;
  /** Its clause loses its value. */
  readonly refusal: RegExp;
  /** Between clauses. */
  readonly clause: RegExp;
  /** Before, after, until, between, for so long, or: no value. Sought without the time of day. */
  readonly bound: RegExp;
  /** At the start: negates the value. */
  readonly denial: RegExp;
  /** Greetings and fixed phrases that hold a word of the calendar and no day, and words written together. */
  readonly prepare: (folded: string) => string;
  readonly clock: (digits: string) => ClockTime | null;
  readonly am: RegExp;
  readonly pm: RegExp;
  /** Days from today, the longest phrase first. */
  readonly days: readonly (readonly [RegExp, number])[];
  /** Groups: how many, and of what. */
  readonly ago: RegExp;
  readonly ahead: RegExp;
  readonly isWeek: RegExp;
  /** A week or two, counted as eight or fifteen days: people differ. */
  readonly eightDays: RegExp;
  /** Sunday first. */
  readonly weekdays: readonly string[];
  /** How many letters a weekday has that is typed short. */
  readonly shortWeekdays: 2 | 3;
  /** Stands behind a weekday that is also another word. */
  readonly behindWeekday?: RegExp;
  readonly nextWeek: RegExp;
  /** A weekday that is past. */
  readonly lastWeek: RegExp;
  /** Behind a weekday: the one of the week after. */
  readonly weekAfter?: RegExp;
  /** January first. */
  readonly months: readonly string[];
  /** Between the day, the month and the year. */
  readonly of: string;
  /** Before a day of the month that follows its weekday. */
  readonly besideDay: string;
  /** One group: a day of the month by itself. */
  readonly dayAlone: RegExp;
  /** Words that may accompany a moment without changing it. */
  readonly beside: string;
}

export interface DictationWords {
  /** Inside a sentence only names have a capital, and not every noun. */
  readonly capitalsAreNames: boolean;
  readonly at: string;
  readonly dot: string;
  readonly dash: string;
  readonly underscore: string;
  readonly plus: string;
  /** Another word for six, between digits. */
  readonly six?: string;
  /** Words before a name, an address or a phone number that only lead to it. */
  readonly introduction: string;
  /** Words before a name that say that a name follows. */
  readonly nameIs: string;
  /** Words that introduce a name only behind a question for it: "c'est Anne". */
  readonly nameIsIfAsked?: string;
  /** What questions ask for: "name", "number", "day". Alone, these words are not a name. */
  readonly kinds: string;
  /** Words within a name in lower case. */
  readonly particles: string;
}

export interface SpokenWords {
  readonly yes: string;
  readonly no: string;
  readonly or: string;
  readonly and: string;
  /** Whether to do `{what}`. */
  readonly proposal: string;
  /** Intl's locale for days. */
  readonly locale: string;
  /** What a day of the month is called where Intl writes 1. */
  readonly firstDay: string | null;
  readonly time: (hour: number, minute: number) => string;
  readonly decimalMark: '.' | ',';
}
