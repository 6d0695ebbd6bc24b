/** The only clock and the only timers of the project; a test brings a virtual one. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Runs `task` once, no earlier than `delayMs` from now. Returns what cancels it. */
  schedule(delayMs: number, task: () => void): () => void;
}

/**
 * The only source of time zone data: what a clock on the wall shows at an instant, `YYYY-MM-DDTHH:mm`. `at` is epoch
 * milliseconds, `timeZone` an IANA name; total: an unknown zone counts as UTC.
 */
export type CivilTime = (at: number, timeZone: string) => string;

/** The only source of chance: numbers in [0, 1). */
export interface Random {
  next(): number;
}

/** The only source of new ids: unique, opaque, URL-safe. */
export interface Ids {
  create(prefix: string): string;
}
