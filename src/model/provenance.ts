import type { Json } from './json.ts';

/** The origin of a value: the caller's words in a turn, a correction, a function, or the input. */
export type ValueSource =
  | { readonly kind: 'said' | 'correction'; readonly turn: number }
  | { readonly kind: 'function' | 'input'; readonly name: string };

/** The origin of a value and its check. Contains nothing of the value itself. */
export interface Provenance {
  readonly source: ValueSource;
  /** Whether the value was found at its origin; null if undecidable, such as in a language without rules. */
  readonly grounded: boolean | null;
}

/** The check of a value that a model supplied for a slot. */
export interface ValueReading {
  readonly grounded: boolean | null;
  /** The origin, if other than the caller's words. */
  readonly from?: Extract<ValueSource, { name: string }>;
  /** The agent named the value and the caller only chose it. */
  readonly isOffered?: true;
  /** The value still needs a read-back: a write that depends on it waits for the caller's yes. */
  readonly isUnread?: true;
  /** The value that the caller's words clearly give instead. */
  readonly value?: Json;
}

/** Keyed by slot name. */
export type ValueReadings = Readonly<Record<string, ValueReading>>;
