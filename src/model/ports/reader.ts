import type { CalleeWords } from '../callee.ts';
import type { Json } from '../json.ts';

/** Kinds of values that a reader recognizes in a caller's words. */
export type ValueKind =
  | 'name'
  | 'date'
  | 'time'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'enum'
  | 'phone'
  | 'code'
  | 'email'
  | 'text';

/**
 * A value that a reader found, or the reason for not finding one. `said` is the matching part of the text, from `start`
 * to `end`. `certain` is false if a documented rule resolved an ambiguity ("half past two" without a.m. or p.m.) or if
 * an unknown word stands beside the value: read such a value back before acting on it. `corrects` is set if the words
 * only retract an earlier value and give a new one ("no, Friday", "sorry, I meant Friday"). `isOpen` is set if the words
 * name an hour in either half of the day. `missing` names the part to ask for. `candidates` lists the values that the
 * words do not decide between. `needsPause` is set if only a pause would show whether a "no" denies the second value or
 * replaces the first one ("cinco no cuatro").
 */
export type Reading =
  | {
      ok: true;
      value: string | number | boolean;
      said: string;
      start: number;
      end: number;
      certain: boolean;
      corrects?: true;
      isOpen?: true;
    }
  | {
      ok: false;
      problem: 'not-found' | 'ambiguous' | 'incomplete' | 'invalid' | 'out-of-range';
      missing?: string;
      candidates?: (string | number | boolean)[];
      needsPause?: true;
    };

/** Bounds of a value; days are YYYY-MM-DD, times HH:MM. */
export interface Bounds {
  readonly after?: string;
  readonly before?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Context for reading a value. */
export interface ReadOptions {
  /** Civil local time, YYYY-MM-DDTHH:mm. */
  now: string;
  /**
   * ISO country for phone numbers without a country code and for the order of day and month in dates; defaults to the
   * reader's.
   */
  region?: string;
  /** The enum values with their synonyms, in the order in which they were offered. */
  values?: ReadonlyMap<string, readonly string[]>;
  /** The side of today on which a date lies. If absent, a date without a year is incomplete. */
  direction?: 'past' | 'future';
  /** The author's description of the value: its name, then its question and description. */
  about?: string;
  /** Limits for candidates. Days and the latest time are exclusive, the earliest time and numbers inclusive. */
  bounds?: Bounds;
  /** The half of the day that the topic implies ("dinner"), for hours without a.m. or p.m. */
  half?: 'am' | 'pm';
  /** The text answers a question for this value, so a bare "Maria Delgado" or "four" counts. */
  asked?: boolean;
}

/** How an utterance answers a yes-no question. An optional member is absent if it does not apply. */
export interface Consent {
  /** A plain yes or no: every word of the text is known. */
  readonly answer?: 'yes' | 'no';
  /** Strength of a yes: `weak` for words that listeners also use as feedback ("okay", "right", "mhm"). */
  readonly strength?: 'plain' | 'weak';
  /** The yes is about the caller's presence, as in "Yes, I am." to "Are you still there?". */
  readonly isPresence?: true;
  /**
   * The words contain a condition, an alternative, a doubt, a question or a contradiction, or a no beside unknown
   * words: they do not count as a yes.
   */
  readonly isHedged: boolean;
  /** A yes beside unknown words, without a negation, a condition or a question. */
  readonly leansYes?: true;
  /** A no in its own clause, or a phrase of refusal, with anything after it: "No, that is too much", "I'd rather not on a Friday". "No idea" has none. */
  readonly leansNo?: true;
  /**
   * The question's verb in a clause without a negation and without a new value: "cancel it, I am ill" to "Shall I
   * cancel it?".
   */
  readonly usesVerb?: true;
  /** The caller asks a question, with or without a question mark: "is it Friday". */
  readonly asks?: true;
  /** The caller did not hear or understand. */
  readonly unheard?: true;
  /** The words contain a negation. */
  readonly negates?: true;
  /** The words deny an objection: "nothing against it", "not bad", "no idea". They are neither a yes nor a no. */
  readonly deniesObjection?: true;
  /** The last word begins something unfinished: "two, oh and". */
  readonly isUnfinished?: true;
}

/** How well a value is grounded in the caller's words: `said`, `near` (only by interpretation), or `unsaid`. */
export type Grounding = 'said' | 'near' | 'unsaid';

/** A caller's words with the context of the value to check. */
export interface Said {
  /** The caller's turns in order, the latest last. */
  readonly turns: readonly string[];
  /** The last turn answers the question for this value. */
  readonly asked: boolean;
  /** The caller heard a different question instead, so a plain no does not answer this one. */
  readonly unput?: true;
  /** The last turn without the values of other slots; absent if it contains none. */
  readonly beside?: string;
  /** The author's description of the value: its name, then its question and description. */
  readonly about: string;
  readonly options: ReadOptions;
}

/** A text as a range: the words before it, and its two ends. */
export interface RangeParts {
  readonly lead: string;
  readonly from: string;
  readonly to: string;
}

/** Options for speaking a value. */
export interface SpokenOptions {
  /** Returns the civil local day, YYYY-MM-DD. */
  readonly today: () => string;
  /** The value lies in the future: a day is spoken by its weekday, with the year only if it is a year ahead. */
  readonly isAhead?: boolean;
  /** ISO country whose phone numbers are spoken without a country code. */
  readonly region?: string;
  /** The enum values with their synonyms. */
  readonly values?: ReadonlyMap<string, readonly string[]>;
}

/** Built-in lines. `{question}`, `{choices}` and `{value}` are placeholders. */
export type LineName =
  | 'again'
  | 'againQuestion'
  | 'instead'
  | 'goOn'
  | 'stillThere'
  | 'neededAnyway'
  | 'putAgain'
  | 'stillWaiting'
  | 'readBack'
  | 'yesOrNo'
  | 'youCanSay'
  | 'youCanSayBriefly'
  | 'endUnheard'
  | 'endNotUnderstood'
  | 'endFailed'
  | 'endLimit'
  | 'failedHere'
  | 'recap'
  | 'deaf'
  | 'notPutThrough'
  | 'takeYourTime'
  | 'hello'
  | 'working';

/** At least one wording of each line; several wordings rotate. */
export type BuiltInLines = Readonly<Record<LineName, readonly [string, ...string[]]>>;

/** Built-in hints for an answer, which follow "You can say". `{least}` and `{most}` are placeholders. */
export type SayableName =
  | 'name'
  | 'date'
  | 'time'
  | 'phone'
  | 'email'
  | 'boolean'
  | 'number'
  | 'fromTo'
  | 'from'
  | 'upTo';

/** Built-in sentences that say why a value was rejected. `{part}`, `{bound}` and `{choices}` are placeholders. */
export type ReasonName =
  | 'missing'
  | 'before'
  | 'after'
  | 'atLeast'
  | 'atMost'
  | 'ambiguous'
  | 'oneOf'
  | 'notWhole'
  | 'digits'
  | 'digitsFromTo'
  | 'form'
  | 'phone'
  | 'email'
  | 'date'
  | 'time'
  | 'impossible';

/** Help for a caller whose answer was rejected. */
export interface SpokenHelp {
  readonly sayable: Readonly<Record<SayableName, string>>;
  readonly reasons: Readonly<Record<ReasonName, string>>;
  /** Words inside reasons: `today`, and the parts of a value that may be missing. Unlisted words are spoken unchanged. */
  readonly words: Readonly<Record<string, string>>;
}

/**
 * Reads one language by rules, before the step that takes the words, and speaks values in it. Every member is total: it
 * never throws and returns "unknown" rather than a guess. A yes, a no or a value is certain only if every word of the
 * text is known.
 */
export interface Reader {
  /** BCP 47 tag. */
  readonly language: string;
  /** Null if the reader has no lines; the flow then supplies them. */
  readonly lines: BuiltInLines | null;
  /** Null if the reader has no help; the flow then supplies it. */
  readonly help: SpokenHelp | null;
  /** Checks whether a text is in this language, or too short to decide. */
  isOwn(text: string): boolean;
  /** Checks whether the words belong to another language. Unknown words alone do not. */
  isOther(text: string): boolean;
  /** Counts the words of a text, without hesitations. */
  wordCount(text: string): number;
  /** Reads a yes or a no to `question`. The answer may repeat words of the question. */
  consent(text: string, question?: string): Consent;
  /** Reads a yes or a no in words of another language with rules; null if the words are in none. */
  consentOfOther?(text: string): Consent | null;
  /** Returns the side that the beginning of an answer leans to, whatever follows; null for neither. */
  leaning(text: string): 'yes' | 'no' | null;
  /** Reads a value of a kind. Never adds parts that the caller did not say. */
  value(kind: ValueKind, text: string, options: ReadOptions): Reading;
  /** Returns the ways to split a text into both ends of a range, the first being the likeliest; absent without rules. */
  ranges?(text: string): readonly RangeParts[];
  /** Checks whether the words beside a value only introduce it: "yes, it's", or words of the question. */
  isConnecting(text: string, question: string): boolean;
  /**
   * Returns the yes or no at the beginning of a text and where the words behind it start: "yes, but there are three of
   * us". Null without such words. A no must be a separate clause.
   */
  behindAnswer(text: string): { readonly answer: 'yes' | 'no'; readonly start: number } | null;
  /** Checks whether the words only agree, refuse, thank or greet and contain nothing to act on. */
  saysNothing(text: string): boolean;
  /** Returns whether the words only ask to repeat the last line, or a value in it ("how much again?"), or only ask for time. */
  request(text: string): 'repeat' | 'value' | 'patience' | null;
  /** Reads the first words of an answered telephone. */
  callee(text: string): CalleeWords;
  /** Checks whether the words leave the value unchanged: "the same". */
  keeps(text: string): boolean;
  /** Checks whether an agent's text ends with a question to the caller. */
  asks(text: string): boolean;
  /** Checks whether a replacement text still asks the question of the original. */
  keepsQuestion(text: string, instead: string): boolean;
  /** Checks whether a question expects a yes or a no. */
  isYesNoQuestion(question: string): boolean;
  /** Checks whether a question is negative or offers alternatives, so that a plain yes or no is ambiguous. */
  isNegativeOrEitherOr(question: string): boolean;
  /**
   * Returns the plain answer that should call a function, by its description ("the caller agrees"), or by one of the
   * descriptions beside it that denies the same ("wants it", "does not want it"); null for neither.
   */
  answerMeant(description: string, others?: readonly string[]): 'yes' | 'no' | null;
  /** Checks whether the words choose an offered item by position: "the second one". */
  choosesOffered(text: string): boolean;
  /**
   * Counts the content words that a question shares with the author's description of a value. Returns null if the
   * question has no content words ("Sorry, what do you mean?") or if no rules apply.
   */
  sharedWords(question: string, about: string): number | null;
  /**
   * Returns how well a value is grounded in the caller's words; null if no rules apply, such as for words of another
   * language.
   */
  grounding(kind: ValueKind, value: string | number | boolean, said: Said): Grounding | null;
  /** Returns the spoken form of a value. Reading it again gives the same value. */
  spoken(kind: ValueKind, value: Json, options: SpokenOptions): string;
  /** Separator between the integer and the fraction of a number. */
  readonly decimalMark: string;
  /** Returns the spoken form of an enum value. */
  choiceName(value: string, synonyms: readonly string[]): string;
  /** Returns a question that proposes an action. `call` is the action's name in words; `details` are its arguments. */
  proposal(call: string, details: readonly string[]): string;
  /** Joins alternatives: "a, b or c". */
  anyOf(choices: readonly string[]): string;
  /** Joins items: "a, b and c". */
  allOf(things: readonly string[]): string;
}

/** The spoken side of a language: built-in lines and the spoken forms of values. Texts in documents are not part of it. */
export interface Speech extends Pick<
  Reader,
  'language' | 'spoken' | 'decimalMark' | 'choiceName' | 'anyOf' | 'allOf' | 'proposal'
> {
  /** English name of the language. */
  readonly languageName: string;
  /** Returns the CLDR plural form of a number: `one`, `other` and, in some languages, others. */
  readonly pluralForm: (number: number) => string;
  /** ISO country of the language tag; the country with the most speakers if the tag has none. */
  readonly region: string;
  readonly lines: BuiltInLines;
  readonly help: SpokenHelp;
}

/** A language as a flow uses it. */
export interface Language {
  readonly reader: Reader;
  readonly speech: Speech;
}
