import type { Json } from './json.ts';

/** Where a value comes from: a caller's words (in which turn), a correction of them, what a function brought, the input. */
export type ValueSource =
  | { readonly kind: 'said' | 'correction'; readonly turn: number }
  | { readonly kind: 'function' | 'input'; readonly name: string };

/** How a value is known. Holds nothing of the value itself. */
export interface Provenance {
  readonly source: ValueSource;
  /** Whether it was found where it comes from; null where nobody could tell, as in a language without rules. */
  readonly grounded: boolean | null;
}

/** What was found of a value that a model has given for a slot. */
export interface ValueReading {
  readonly grounded: boolean | null;
  /** Where it was found, if that is not in the caller's words. */
  readonly from?: Extract<ValueSource, { name: string }>;
  /** The agent has named it, and the caller has only chosen it. */
  readonly isOffered?: true;
  /** It is to be read back, and was not yet: a write that depends on it waits for the caller's yes. */
  readonly isUnread?: true;
  /** What the caller's words surely say instead. */
  readonly value?: Json;
}

/** By the name of the slot. */
export type ValueReadings = Readonly<Record<string, ValueReading>>;
