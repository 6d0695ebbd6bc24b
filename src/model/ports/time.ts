/** The project's only clock and timers. Tests supply a virtual clock. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Runs `task` once, no earlier than `delayMs` from now. Returns a function that cancels it. */
  schedule(delayMs: number, task: () => void): () => void;
}

/**
 * The only source of time zone data. Returns the local time at an instant as `YYYY-MM-DDTHH:mm`. `at` is epoch
 * milliseconds, `timeZone` an IANA name. Total: an unknown zone counts as UTC.
 */
export type CivilTime = (at: number, timeZone: string) => string;

/** The only source of randomness: numbers in [0, 1). */
export interface Random {
  next(): number;
}

/** The only source of new ids: unique, opaque, URL-safe. */
export interface Ids {
  create(prefix: string): string;
}
