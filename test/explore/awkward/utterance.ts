import type { Json } from '../../../src/model/json.ts';
import type { Meaning } from '../talk/said.ts';

/** The caller's intention with an utterance, according to the script. */
export const acts = [
  'answer',
  'cut_yes',
  'cut_weak',
  'cut_no',
  'cut_correction',
  'weak_yes',
  'refuse_reason',
  'refuse_value',
  'correct_other',
  'twice',
  'model_value',
  'hedge',
  'aside_yes',
  'change_mind',
  'trailing',
  'unrelated',
  'hmm',
  'repeat',
  'question',
  'wait',
  'person',
  'stop',
  'decline',
  'bad_value',
  'echo',
  'tell_more',
  'stall',
  'foreign',
  'silence',
  'resume',
] as const;
/** Acts of telephone keys, in flows that have a use for keys. */
export const keyActs = ['keys', 'few_keys', 'wrong_keys', 'stray_keys', 'early_keys', 'keys_words'] as const;
/** Acts that interrupt a line. */
export const cutActs = ['cut_yes', 'cut_weak', 'cut_no', 'cut_correction'] as const;
export type ActName = (typeof acts)[number] | (typeof keyActs)[number];

export type Stance = 'agrees' | 'refuses' | 'neither';

/** One utterance with the caller's meaning, which does not depend on a reader or a model. */
export interface Utterance {
  readonly text: string;
  readonly act: ActName;
  readonly stance: Stance;
  /** "Okay", "mhm": a yes only to a question that was heard to its end. */
  readonly isWeak: boolean;
  /** The caller's values by slot. */
  readonly states: Readonly<Record<string, Json>>;
  /** The same meaning for a competent model. */
  readonly means: Meaning;
  /** The telephone keys that are pressed instead of words. */
  readonly keys?: string;
  /** The keys of an entry that the caller speaks into: those before the words, and those after them. */
  readonly around?: readonly [string, string];
}
