/** A Postgres transaction that the caller begins and ends, such as a client of `pg`. */
export interface SqlTransaction {
  query(text: string, values: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/**
 * Durable timers: delivers each timer at least once and never early, even if the process that set it has ended.
 *
 * A timer is a pair of a key and a due time in epoch milliseconds; one key can have several due times. A key is a text
 * of 1 to 400 characters without U+0000. Every method rejects with a FlowError `timekeeper-failed` if the engine does
 * not respond.
 *
 * Roomflow uses the engine only to wake up: due work is in the store's inbox, which ignores timers that arrive twice,
 * late or after `forget`.
 */
export interface Timekeeper {
  /**
   * Stores a timer durably before it resolves. Storing the same pair again has no effect. A due time in the past is due
   * now.
   */
  keep(key: string, dueAt: number): Promise<void>;
  /**
   * Stores a timer in the caller's transaction; it exists once that is committed. Only for engines in the same
   * database.
   */
  keepIn?(transaction: SqlTransaction, key: string, dueAt: number): Promise<void>;
  /**
   * Removes a timer that was not delivered yet. Ignores unknown timers. A timer that becomes due meanwhile may still be
   * delivered.
   */
  forget(key: string, dueAt: number): Promise<void>;
  /**
   * Starts delivery in this process of timers from any process: each at least once, in any order, several at a time,
   * not before its due time by the shared clock. If `deliver` rejects or its process crashes, the timer is delivered
   * again, here or in another process.
   *
   * Rejects with `timekeeper-taken` if the engine allows one instance per process and one is running.
   */
  start(deliver: (key: string) => Promise<void>): Promise<void>;
  /**
   * Stops delivery, waits some seconds for deliveries in progress, and closes. The timekeeper cannot be used
   * afterwards.
   */
  stop(): Promise<void>;
}
