import type { EffectKey } from './effect.ts';
import type { Divergence, GeneratorAnswer, JournaledYield } from './generator-yield.ts';
import type { SignalOf } from './signal-of.ts';

/**
 * A generator has run on until somebody else has the word. Of one run these are its journal: what it was resumed with,
 * and what it yielded since.
 */
export interface GeneratorYielded extends SignalOf<'generator:yielded'> {
  readonly key: EffectKey;
  readonly run: number;
  /** How many yields were recorded before. */
  readonly step: number;
  readonly answer: GeneratorAnswer | null;
  /** None where it has only run again up to the recorded step. */
  readonly yields: readonly JournaledYield[];
  /** Recorded lines and questions whose wording has changed. */
  readonly reworded: readonly number[];
}

/** A generator threw, took too long, or yielded what is no yield. */
export interface GeneratorFailed extends SignalOf<'generator:failed'> {
  readonly key: EffectKey;
  readonly reason: string;
}

/** An answer does not meet the schema of its question. */
export interface AnswerRefused extends SignalOf<'generator:refused'> {
  readonly key: EffectKey;
  readonly problem: string;
}

/** A generator that ran again did something else than is recorded. */
export interface GeneratorDiverged extends SignalOf<'generator:diverged'> {
  readonly key: EffectKey;
  readonly divergence: Divergence;
}

/** What a generator has done. */
export type GeneratorSignal = GeneratorYielded | GeneratorFailed | AnswerRefused | GeneratorDiverged;
