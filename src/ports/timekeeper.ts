/** A transaction of Postgres that its caller has begun and will end, such as a client of `pg`. */
export interface SqlTransaction {
  query(text: string, values: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/**
 * Tells when a moment has come, also after the process that asked for it has ended: at least once, never early.
 *
 * A timer is a pair of a key and a due time in epoch milliseconds; the same key may be kept for several times. A key is
 * any text of 1 to 400 characters without U+0000. Every method rejects with a FlowError `timekeeper-failed` where the
 * engine behind it does not answer.
 *
 * Roomflow uses an engine for waking only: what is due stands in the inbox of the store, which ignores a timer that is
 * told twice, late or after it was forgotten.
 */
export interface Timekeeper {
  /** Keeps a timer durably before it resolves; a pair that is kept already is kept once. A time that has passed is due now. */
  keep(key: string, dueAt: number): Promise<void>;
  /** Keeps a timer by the caller's own transaction: it exists once that is committed. Only where the engine lives in the same database. */
  keepIn?(transaction: SqlTransaction, key: string, dueAt: number): Promise<void>;
  /** Takes back a timer that has not been delivered; an unknown one is ignored. One that falls due meanwhile may still come. */
  forget(key: string, dueAt: number): Promise<void>;
  /**
   * Delivers timers in this process from now on, whoever has kept them: each at least once, in any order, several at a
   * time, and not before its due time by the clock that the processes share. Where `deliver` rejects, or its process
   * dies, the timer is delivered again, here or by another process that has started.
   *
   * Rejects with `timekeeper-taken` where the engine runs only once in a process, and does so already.
   */
  start(deliver: (key: string) => Promise<void>): Promise<void>;
  /** Delivers nothing more, waits some seconds for deliveries that have begun, and closes. Not to be used afterwards. */
  stop(): Promise<void>;
}
