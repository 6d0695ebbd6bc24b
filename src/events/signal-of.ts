import type { Json } from './json.ts';

/** What every signal has. */
export interface SignalOf<Type extends string> {
  readonly type: Type;
  /** When it happened, in epoch milliseconds: the only clock that the kernel knows. */
  readonly at: number;
  /**
   * What a clock on the wall showed then in the session's time zone, `YYYY-MM-DDTHH:mm`: read before the step, so that a
   * replay needs no time zone data. The time in UTC where absent.
   */
  readonly civil?: string;
  /**
   * How values were said in the step that took it, so that a replay needs no names of months and no phone metadata;
   * absent where none was said, and in logs of older releases.
   */
  readonly spoken?: readonly SpokenValue[];
}

/** A slot's value as the language of the flow says it. */
export interface SpokenValue {
  readonly slot: string;
  readonly value: Json;
  readonly text: string;
}
