import type { Json } from '../json.ts';

/** The members of every signal. */
export interface SignalOf<Type extends string> {
  readonly type: Type;
  /** When it happened, in epoch milliseconds: the only clock of the kernel. */
  readonly at: number;
  /**
   * The local time in the session's time zone, `YYYY-MM-DDTHH:mm`. Computed before the step, so a replay needs no time
   * zone data. If absent, UTC applies.
   */
  readonly civil?: string;
  /**
   * Spoken forms of the values in this step, so a replay needs no month names and no phone metadata; absent if none was
   * spoken, and in logs of older releases.
   */
  readonly spoken?: readonly SpokenValue[];
}

/** A slot's value and its spoken form in the language of the flow. */
export interface SpokenValue {
  readonly slot: string;
  readonly value: Json;
  readonly text: string;
}
