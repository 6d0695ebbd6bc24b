import type { EffectKey } from '../effect.ts';
import type { Divergence, GeneratorAnswer, JournaledYield } from './generator-yield.ts';
import type { SignalOf } from './signal-of.ts';

/**
 * A generator has run until it yielded the turn. These signals are the journal of a run: each answer and the yields
 * that followed.
 */
export interface GeneratorYielded extends SignalOf<'generator:yielded'> {
  readonly key: EffectKey;
  readonly run: number;
  /** Number of yields recorded before. */
  readonly step: number;
  readonly answer: GeneratorAnswer | null;
  /** Empty if the generator only replayed the recorded steps. */
  readonly yields: readonly JournaledYield[];
  /** Steps of recorded lines and questions whose wording has changed. */
  readonly reworded: readonly number[];
}

/** A generator threw, timed out, or yielded an invalid value. */
export interface GeneratorFailed extends SignalOf<'generator:failed'> {
  readonly key: EffectKey;
  readonly reason: string;
}

/** An answer does not meet the schema of its question. */
export interface AnswerRefused extends SignalOf<'generator:refused'> {
  readonly key: EffectKey;
  readonly problem: string;
}

/** A replayed generator deviated from the record. */
export interface GeneratorDiverged extends SignalOf<'generator:diverged'> {
  readonly key: EffectKey;
  readonly divergence: Divergence;
}

/** All outcomes of a generator step. */
export type GeneratorSignal = GeneratorYielded | GeneratorFailed | AnswerRefused | GeneratorDiverged;
