import type { Json, JsonObject } from './json.ts';

/** The source of an act: the language's rules, the model, telephone keys, or a person. */
export type ActBy = 'rules' | 'model' | 'keys' | 'person';

/**
 * One dialogue act of an utterance, in the manner of ISO 24617-2. An utterance is a list of acts. `inform` gives a
 * value that was unknown; `correct` changes a known value.
 */
export type Act = { readonly by: ActBy } & (
  | {
      readonly act: 'answer';
      readonly yes: boolean;
      /** `weak`: said in passing, as listeners do ("okay", "right", "mhm"). */
      readonly strength: 'plain' | 'weak';
    }
  | {
      readonly act: 'inform' | 'correct';
      /** A slot, or the key of a generator's question. */
      readonly slot: string;
      /** Absent in logs of older releases if the caller was not asked for the slot. */
      readonly value?: Json;
      /** The words allow no other value. */
      readonly certain: boolean;
      /** The words before the value retract an earlier one: "no, Anna Berg". */
      readonly takesBack?: true;
      /** The words before the value agree to the open read-back of another slot: "yes, but there are three of us". */
      readonly agrees?: true;
    }
  /** The words repeat what the open question names. */
  | { readonly act: 'restate' }
  /** The words select a choice of the open question. */
  | { readonly act: 'choose'; readonly choice: string }
  /** The words name a value that is rejected, for the reason `problem`. */
  | {
      readonly act: 'problem';
      readonly slot: string;
      readonly problem: string;
      /** The values that the words may mean. */
      readonly candidates?: readonly Json[];
    }
  | { readonly act: 'call'; readonly function: string; readonly arguments: JsonObject }
  /** The question's own verb, with neither a yes nor a negation: "please cancel it" to "Shall I cancel it?". */
  | { readonly act: 'echo' }
  /** The caller asks a question. */
  | { readonly act: 'ask' }
  /** A condition, an alternative, a doubt or a contradiction. */
  | { readonly act: 'hedge' }
  /** The caller refuses to answer the question. */
  | { readonly act: 'decline' }
  | { readonly act: 'request'; readonly of: 'repeat' | 'time' }
  /** Telephone keys gave the digits of a slot. `problem` says why they are not a value. */
  | { readonly act: 'enter'; readonly slot: string; readonly value?: Json; readonly problem?: string }
  /** A telephone key of the node's menu. */
  | { readonly act: 'press'; readonly key: string }
  /** Thanks, a greeting or a filler: nothing to act on. */
  | { readonly act: 'stall' }
  /** Sounds without a word. */
  | { readonly act: 'noise' }
);

export type ActKind = Act['act'];

/** The result of reading a caller's words. Rules read them before the step that folds them, so a replay reads nothing. */
export interface Utterance {
  readonly acts: readonly Act[];
  /** Some words belong to no act. */
  readonly rest: boolean;
  /** The words break off in the middle. */
  readonly unfinished: boolean;
  /** The words are in a language without rules in this flow. */
  readonly foreign: boolean;
  /** The foreign words are in a language with rules, which have read the yes or no. Absent in logs of older releases. */
  readonly consentRead?: true;
}

/**
 * How much of a question had played when the person began to speak. `heard`: every value in it, and at most three words
 * were left. `unknown`: not determinable, for example after a crash.
 */
export type Heard = 'unheard' | 'partly' | 'heard' | 'unknown';

/** A question of a task. The answer is one of its choices, or any words if it has none. */
export interface ChoiceQuestion {
  readonly question: string;
  readonly choices: readonly string[];
  /** Other words than the choices are an answer as well. If absent, the task itself judges them. */
  readonly takesText?: boolean;
  /** The choice that a plain yes means; absent if it means none. */
  readonly affirms?: string;
  /** The choice that a plain no means; absent if it means none. */
  readonly denies?: string;
}
