/** Examples of speech in a language, for the suite that each reader passes. Moments are read on Sunday 2026-11-22 at 10:00. */
export interface Examples {
  /** A question for a yes. */
  readonly question: string;
  /** Plain answers to it. */
  readonly agreements: readonly string[];
  readonly refusals: readonly string[];
  /** Intended as answers, but left to the model. */
  readonly open: readonly string[];
  /** Conditions, doubts and questions: never consent. */
  readonly neither: readonly string[];
  /** A yes with an addition: never consent. */
  readonly changes: readonly string[];
  /** The words, the day, and the time, in either half of the day if it is open. */
  readonly moments: readonly (readonly [text: string, day: string | null, time?: string])[];
  /** Words for a day or a time that are not read. */
  readonly unread: readonly string[];
  /** Bounds, lengths and choices, which are not values. */
  readonly noMoment: readonly string[];
  /** Never certain, whatever is read. */
  readonly uncertain: readonly string[];
  readonly numbers: readonly (readonly [text: string, value: number])[];
  readonly phones: readonly (readonly [text: string, value: string])[];
  readonly emails: readonly (readonly [text: string, value: string])[];
  readonly names: readonly (readonly [text: string, value: string])[];
  readonly repeat: readonly string[];
  readonly patience: readonly string[];
  /** Words without content for the flow. */
  readonly smallTalk: readonly string[];
  /** Lines of an agent that end with a question to the caller, and lines that do not. */
  readonly asking: readonly string[];
  readonly telling: readonly string[];
  readonly yesNoQuestions: readonly string[];
  readonly openQuestions: readonly string[];
  /** Descriptions of functions that a plain yes, or no, calls, and of others. */
  readonly agrees: readonly string[];
  readonly refuses: readonly string[];
  readonly neitherMeant: readonly string[];
  /** The values of an enum, and the words for each; null if none is chosen. */
  readonly sizes: ReadonlyMap<string, readonly string[]>;
  readonly choices: readonly (readonly [text: string, value: string | null])[];
}
