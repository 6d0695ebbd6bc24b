/** What people say in a language, for the suite that each reader passes. Moments are read on Sunday 2026-11-22 at 10:00. */
export interface Examples {
  /** Asks for a yes. */
  readonly question: string;
  /** Plain answers to it. */
  readonly agreements: readonly string[];
  readonly refusals: readonly string[];
  /** Meant as answers, left to the model. */
  readonly open: readonly string[];
  /** Conditions, doubts and questions: never consent. */
  readonly neither: readonly string[];
  /** A yes with something besides: never consent. */
  readonly changes: readonly string[];
  /** What is said, the day, and the time, in either half of the day where it is open. */
  readonly moments: readonly (readonly [text: string, day: string | null, time?: string])[];
  /** Said for a day or a time, and not read. */
  readonly unread: readonly string[];
  /** Bounds, lengths and choices: no value. */
  readonly noMoment: readonly string[];
  /** Must not count as certain, whatever is read. */
  readonly uncertain: readonly string[];
  readonly numbers: readonly (readonly [text: string, value: number])[];
  readonly phones: readonly (readonly [text: string, value: string])[];
  readonly emails: readonly (readonly [text: string, value: string])[];
  readonly names: readonly (readonly [text: string, value: string])[];
  readonly repeat: readonly string[];
  readonly patience: readonly string[];
  /** Says nothing that anybody could act on. */
  readonly smallTalk: readonly string[];
  /** Lines of an agent that hand the word over, and lines that do not. */
  readonly asking: readonly string[];
  readonly telling: readonly string[];
  readonly yesNoQuestions: readonly string[];
  readonly openQuestions: readonly string[];
  /** Descriptions of functions that a plain yes, or no, calls, and of others. */
  readonly agrees: readonly string[];
  readonly refuses: readonly string[];
  readonly neitherMeant: readonly string[];
  /** The values of an enum, and what is said for one; null where none is chosen. */
  readonly sizes: ReadonlyMap<string, readonly string[]>;
  readonly choices: readonly (readonly [text: string, value: string | null])[];
}
