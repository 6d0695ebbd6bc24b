import type { Json } from '../events/json.ts';

/** What can be read out of a caller's words. */
export type ValueKind =
  | 'name'
  | 'date'
  | 'time'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'enum'
  | 'phone'
  | 'email'
  | 'text';

/**
 * What was read. `said` is the part of the text that says it, between the offsets `start` and `end`. `certain` is false where the words
 * leave room and a documented rule chose (half past two without a half of the day), or where a word beside the value is not known: read
 * such a value back before acting on it. `corrects`: before the value what was said earlier is taken back, and nothing else is said ("no, Friday",
 * "sorry, I meant Friday"). `missing` names the part to ask for, `candidates` the values between which the words do not decide.
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
    }
  | {
      ok: false;
      problem: 'not-found' | 'ambiguous' | 'incomplete' | 'invalid' | 'out-of-range';
      missing?: string;
      candidates?: (string | number | boolean)[];
    };

/** The bounds of a value; days are YYYY-MM-DD. */
export interface Bounds {
  readonly after?: string;
  readonly before?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** What is known from outside about the value and the moment. */
export interface ReadOptions {
  /** Civil local time, YYYY-MM-DDTHH:mm. */
  now: string;
  /** ISO country of phone numbers without a country code, and of the order of numerals in dates; the reader's own when left out. */
  region?: string;
  /** The values of an enum with their synonyms, in the order in which they were offered. */
  values?: ReadonlyMap<string, readonly string[]>;
  /** On which side of today a date must lie; without it a date without a year stays incomplete. */
  direction?: 'past' | 'future';
  /** What its author says of the value: its name, then its question and description. */
  about?: string;
  /** What a value must keep to: no candidate lies outside. Days are exclusive, numbers inclusive. */
  bounds?: Bounds;
  /** The half of the day that is talked about ("dinner"), for hours that do not tell. */
  half?: 'am' | 'pm';
  /** The text is the answer to a question for this very value, so that a bare "Maria Delgado" or "four" counts. */
  asked?: boolean;
}

/** What words say to a question that asks for a yes. An optional member is absent if its fact does not hold. */
export interface Consent {
  /** A plain yes or no: every word of the text is known. */
  readonly answer?: 'yes' | 'no';
  /** Of a yes: `weak` if people also say it only to show that they listen ("okay", "right", "mhm"). */
  readonly strength?: 'plain' | 'weak';
  /** The yes is about the caller, as an answer to "Are you still there?" does: "Yes, I am." */
  readonly isPresence?: true;
  /** A condition, an alternative, a doubt, a question or a contradiction stands among the words, or a no beside unknown words: they are not a yes. */
  readonly isHedged: boolean;
  /** A yes stands among words of which some are not known, without a negation, a condition or a question beside it. */
  readonly leansYes?: true;
  /** A no begins or governs the text, whatever else it says: "No, that is too much", "I'd rather not on a Friday". */
  readonly leansNo?: true;
  /** The question's own verb stands in a clause without a negation and without a new value: "cancel it, I am ill" to "Shall I cancel it?". */
  readonly usesVerb?: true;
  /** A question of the caller's, also without a question mark: "is it Friday". */
  readonly asks?: true;
  /** Words of a negation stand among them. */
  readonly negates?: true;
  /** The last word begins something that is not said: "two, oh and". */
  readonly isUnfinished?: true;
}

/**
 * How sure it is that a caller said a value: `said`; `near` it, so that it takes somebody to understand it that way;
 * `unsaid`.
 */
export type Grounding = 'said' | 'near' | 'unsaid';

/** What a caller said, and what the value is of. */
export interface Said {
  /** The caller's turns in their order, the last of them last. */
  readonly turns: readonly string[];
  /** The last turn answers the question for this very value. */
  readonly asked: boolean;
  /** The caller was asked something else in the place of its question: a plain no is no answer to it. */
  readonly unput?: true;
  /** What the last turn says besides the values of other things; absent where it says no such value. */
  readonly beside?: string;
  /** What its author says of the value: its name, then its question and description. */
  readonly about: string;
  readonly options: ReadOptions;
}

/** How a value is said back. */
export interface SpokenOptions {
  /** Civil local day, YYYY-MM-DD. */
  readonly today: () => string;
  /** The value lies ahead: a day is said by its weekday, and with its year only where that is a year ahead. */
  readonly isAhead?: boolean;
  /** ISO country whose phone numbers are said without a country code. */
  readonly region?: string;
  /** The values of an enum with their synonyms. */
  readonly values?: ReadonlyMap<string, readonly string[]>;
}

/** What the product says by itself; `{question}`, `{choices}` and `{value}` are filled in. */
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
  | 'failedHere'
  | 'recap'
  | 'deaf'
  | 'takeYourTime'
  | 'working';

/** At least one wording of each line; several are taken in turn. */
export type BuiltInLines = Readonly<Record<LineName, readonly [string, ...string[]]>>;

/** What can be said to a question for a value, as it follows "You can say"; `{least}` and `{most}` are filled in. */
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

/** Why a value could not be taken, as a sentence; `{part}` and `{bound}` are filled in. */
export type ReasonName =
  | 'missing'
  | 'before'
  | 'after'
  | 'atLeast'
  | 'atMost'
  | 'ambiguous'
  | 'notWhole'
  | 'form'
  | 'phone'
  | 'email'
  | 'date'
  | 'time'
  | 'impossible';

/** What helps a caller whose answer could not be taken. */
export interface SpokenHelp {
  readonly sayable: Readonly<Record<SayableName, string>>;
  readonly reasons: Readonly<Record<ReasonName, string>>;
  /** Words within reasons: `today`, and the parts of a value that may be missing. Others are said as they are. */
  readonly words: Readonly<Record<string, string>>;
}

/**
 * Reads words of one language by rules, before the step that takes them, and says values in it. Every member is total: it ends
 * without a throw on any text and knows nothing rather than guess. A yes, a no or a value counts as certain only where each
 * word of the text is known.
 */
export interface Reader {
  /** BCP 47. */
  readonly language: string;
  /** Null where the language has none: the flow brings them. */
  readonly lines: BuiltInLines | null;
  /** Null as `lines` is. */
  readonly help: SpokenHelp | null;
  /** Whether a text is in the language, or too short to be told from it. */
  isOwn(text: string): boolean;
  /** Whether the words show another language than this one. Unknown words alone do not. */
  isOther(text: string): boolean;
  /** How many words a text has besides hesitations. */
  wordCount(text: string): number;
  /** Reads a yes or a no to `question`, whose words an answer may repeat. */
  consent(text: string, question?: string): Consent;
  /** The side to which an answer leans by the way it begins, however it goes on; null for neither. */
  leaning(text: string): 'yes' | 'no' | null;
  /** Reads a value of a kind; never supplies what was not said. */
  value(kind: ValueKind, text: string, options: ReadOptions): Reading;
  /** Whether words beside a value only lead to it: "yes, it's", or words of the question. */
  isConnecting(text: string, question: string): boolean;
  /** Whether words are a yes or a no, thanks or a greeting, and nothing that anybody could act on. */
  saysNothing(text: string): boolean;
  /** What words ask for that ask for nothing but the last words once more, or for time. */
  request(text: string): 'repeat' | 'patience' | null;
  /** Whether words leave what was asked about as it is: "the same". */
  keeps(text: string): boolean;
  /** Whether a text of the agent hands the word over to the caller. */
  asks(text: string): boolean;
  /** Whether a text that is said instead of another still asks what that asked. */
  keepsQuestion(text: string, instead: string): boolean;
  /** Whether a question is answered by yes or no. */
  isYesNoQuestion(question: string): boolean;
  /** Whether a question is put in the negative or names alternatives, so that a plain yes or no leaves its answer open. */
  isNegativeOrEitherOr(question: string): boolean;
  /** The plain answer that calls a function by what its description says of whoever agrees or refuses; null for neither. */
  answerMeant(description: string): 'yes' | 'no' | null;
  /** Whether words choose one of the things that were offered without saying it: "the second one". */
  choosesOffered(text: string): boolean;
  /**
   * How many words with a meaning of their own a question shares with what an author says of a value; null if the question
   * has no such words ("Sorry, what do you mean?"), or if no rules can tell.
   */
  sharedWords(question: string, about: string): number | null;
  /** Whether a value is in what a caller said; null where no rules can tell, such as in words of another language. */
  grounding(kind: ValueKind, value: string | number | boolean, said: Said): Grounding | null;
  /** How a value is said: read again it is the same value. */
  spoken(kind: ValueKind, value: Json, options: SpokenOptions): string;
  /** Between the whole and the part of a number. */
  readonly decimalMark: string;
  /** How a value of an enum is said. */
  choiceName(value: string, synonyms: readonly string[]): string;
  /** Asks whether to do something: `call` is the name of what does it, in words, with what and how. */
  proposal(call: string, details: readonly string[]): string;
  /** Several things one of which can be said: "a, b or c". */
  anyOf(choices: readonly string[]): string;
  /** Several things together: "a, b and c". */
  allOf(things: readonly string[]): string;
}

/** What a flow says by itself in its language, and how it says values: all that is spoken and stands in no document. */
export interface Speech extends Pick<
  Reader,
  'language' | 'spoken' | 'decimalMark' | 'choiceName' | 'anyOf' | 'allOf' | 'proposal'
> {
  /** What the language is called in English. */
  readonly languageName: string;
  /** ISO country in which most people speak it; the one that its tag names where it names one. */
  readonly region: string;
  readonly lines: BuiltInLines;
  readonly help: SpokenHelp;
}

/** A language as a flow has it. */
export interface Language {
  readonly reader: Reader;
  readonly speech: Speech;
}
