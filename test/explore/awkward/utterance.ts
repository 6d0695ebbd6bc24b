import type { Json } from '../../../src/model/json.ts';
import type { Meaning } from '../talk/said.ts';

/** What a caller does with an utterance, as the script means it. */
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
  'silence',
  'resume',
] as const;
/** What a caller says who cuts into a line. */
export const cutActs = ['cut_yes', 'cut_weak', 'cut_no', 'cut_correction'] as const;
export type ActName = (typeof acts)[number];

/** Whether the caller agrees to what was asked, refuses it, or does neither. */
export type Stance = 'agrees' | 'refuses' | 'neither';

/** One utterance with what the caller means by it, which no reader and no model has decided. */
export interface Utterance {
  readonly text: string;
  readonly act: ActName;
  readonly stance: Stance;
  /** "Okay", "mhm": a yes only to a question that was heard to its end. */
  readonly isWeak: boolean;
  /** Values that the caller gives for slots. */
  readonly states: Readonly<Record<string, Json>>;
  /** The same for a model that understands each sentence. */
  readonly means: Meaning;
}
