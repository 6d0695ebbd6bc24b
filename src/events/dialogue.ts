import type { Json, JsonObject } from './json.ts';

/** Who or what an act was read by: the language's rules, the model, the keys of a telephone, or a person. */
export type ActBy = 'rules' | 'model' | 'keys' | 'person';

/**
 * One thing that an utterance does, in the manner of the dialogue acts of ISO 24617-2. An utterance is a list of them.
 * `inform` gives a value of what is not known yet, `correct` another value of what is known.
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
      /** Absent in logs of older releases where the caller was not asked for it. */
      readonly value?: Json;
      /** Nothing in the words leaves room for another value. */
      readonly certain: boolean;
      /** The words before the value take back what was said earlier: "no, Anna Berg". */
      readonly takesBack?: true;
    }
  /** The words say again what the open question names. */
  | { readonly act: 'restate' }
  /** The words mean one of the choices of the open question. */
  | { readonly act: 'choose'; readonly choice: string }
  /** The words name a value that cannot be taken, and why. */
  | { readonly act: 'problem'; readonly slot: string; readonly problem: string }
  | { readonly act: 'call'; readonly function: string; readonly arguments: JsonObject }
  /** The question's own verb, with neither a yes nor a negation: "please cancel it" to "Shall I cancel it?". */
  | { readonly act: 'echo' }
  /** A question of the caller's. */
  | { readonly act: 'ask' }
  /** A condition, an alternative, a doubt or a contradiction. */
  | { readonly act: 'hedge' }
  /** The caller will not say what is asked for. */
  | { readonly act: 'decline' }
  | { readonly act: 'request'; readonly of: 'repeat' | 'time' }
  /** Thanks, a greeting, a filler: nothing that anybody could act on. */
  | { readonly act: 'stall' }
  /** Sounds without a word. */
  | { readonly act: 'noise' }
);

export type ActKind = Act['act'];

/** What rules read in a caller's words before the step that folds them, so that a replay reads nothing. */
export interface Utterance {
  readonly acts: readonly Act[];
  /** Some words are covered by no act. */
  readonly rest: boolean;
  /** The words end as if more were to come. */
  readonly unfinished: boolean;
  /** The words are in a language that the flow's rules do not know, or the flow's language has no rules. */
  readonly foreign: boolean;
}

/**
 * How much of a question had been played when the person began to speak. `heard`: every value that it names, and at most three
 * words were left. `unknown`: nobody can tell, such as after a crash.
 */
export type Heard = 'unheard' | 'partly' | 'heard' | 'unknown';

/** A question of a task: it is answered by one of its choices, or in any words if it has none. */
export interface ChoiceQuestion {
  readonly question: string;
  readonly choices: readonly string[];
  /** The choice that a plain yes means; absent if it means none. */
  readonly affirms?: string;
  /** The choice that a plain no means; absent if it means none. */
  readonly denies?: string;
}
