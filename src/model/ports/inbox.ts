import type { AuditRecord, InboxEntry } from '../inbox.ts';

/** An inbox entry as the store holds it. */
export interface StoredEntry {
  readonly entry: InboxEntry;
  /** Position in the inbox; grows with each post. */
  readonly place: number;
  /** A dead letter (`dead`) is not claimed until it is reposted. */
  readonly state: 'open' | 'dead';
  /** Number of failed attempts. */
  readonly attempts: number;
  /** Epoch milliseconds at which the entry is due; not earlier than its `dueAt`. */
  readonly notBefore: number;
  /** Reason of the last failed attempt. */
  readonly reason: string | null;
  /**
   * Consecutive claims without a reported outcome, this one included: an earlier claimant crashed or lost the store. 0
   * after a reported outcome.
   */
  readonly claims: number;
  /** Name of the current claimant; null if the entry is not claimed or the claim has expired. */
  readonly claimedBy: string | null;
}

/** An audit record before the store adds its sequence, hash and time. */
export type NewAuditRecord = Omit<AuditRecord, 'seq' | 'at' | 'hash'>;

/**
 * The inbox of sessions, for signals from outside their calls. A commit also changes the inbox: it
 * deletes the entries, open or dead, whose keys are in its `inputKeys`; it posts and withdraws the entries it lists;
 * and it keeps one deadline entry for each open wait it contains. A key is known while its entry exists or while the
 * store remembers that it was consumed.
 */
export interface InboxStore {
  /**
   * Posts entries and writes audit records in one transaction. Returns for each entry whether its key was new. `once`
   * lists keys to consume with the post, such as the key of a link: if any was consumed before, the store writes
   * nothing and returns `duplicate` for all. If the response to a post is lost, the store looks the post up before it
   * retries.
   */
  post(
    entries: readonly InboxEntry[],
    audit?: readonly NewAuditRecord[],
    once?: readonly string[],
  ): Promise<readonly ('posted' | 'duplicate')[]>;
  /**
   * Returns the due entries of a session, claimed or not, ordered by due time and then by posting. `dueBy` is the
   * current time.
   */
  listDue(query: { sessionId: string; dueBy: number; limit: number }): Promise<readonly StoredEntry[]>;
  /** Returns the due time of the first open entry of a session in epoch milliseconds; null without one. */
  nextDue(sessionId: string): Promise<number | null>;
  /**
   * Claims for `ttlMs` the first due entry of each of several unowned sessions, the longest overdue first. No other
   * clerk gets these sessions meanwhile. `owner` is the name of the clerk.
   */
  claim(query: { ttlMs: number; limit: number; owner?: string }): Promise<readonly StoredEntry[]>;
  /**
   * Ends claims of a clerk early; the entries can be claimed again, after `afterMs` if given. With `isTry: false` the
   * claim does not count as an attempt. Ignores claims that now belong to another clerk.
   */
  release(claims: { owner: string; keys: readonly string[]; afterMs?: number; isTry?: boolean }): Promise<void>;
  /**
   * Records that an entry could not be taken and ends its claim. The entry is due again at `until` and other entries
   * overtake it; with null it becomes a dead letter. With `isTry: false` this does not count as an attempt. Ignores
   * unknown keys.
   */
  defer(
    key: string,
    outcome: { readonly until: number | null; readonly reason: string; readonly isTry?: boolean | undefined },
  ): Promise<void>;
  /**
   * Lists entries of any session in the order of `listDue`. `dueAfter` (epoch milliseconds) keeps only entries that
   * are due later, ordered by due time.
   */
  list(query: {
    state?: 'open' | 'dead';
    sessionId?: string;
    dueAfter?: number;
    limit: number;
  }): Promise<readonly StoredEntry[]>;
  /** Reopens a dead letter, due now, with no attempts. Returns false, and writes no audit record, if there is none. */
  repost(key: string, audit?: readonly NewAuditRecord[]): Promise<boolean>;
  /** Deletes an entry, open or dead. Returns false if there is none. */
  withdraw(key: string): Promise<boolean>;
  /** Checks whether a commit or a post consumed an input of this key. */
  isConsumed(inputKey: string): Promise<boolean>;
  /**
   * Forgets inputs that were consumed before this time (epoch milliseconds) and returns their number. Duplicates of
   * them are no longer detected.
   */
  forgetConsumed(consumedBefore: number): Promise<number>;
  /**
   * Calls the listener soon after a post, with the session id. The id is null if the store does not know whether or
   * where something was posted: the listener then polls. Returns a function that removes the listener.
   */
  watch(listener: (sessionId: string | null) => void): () => void;
}

/** The audit log. Posts write it. */
export interface AuditStore {
  /** Returns audit records in order, starting at `fromSeq`. */
  list(query: { sessionId?: string; fromSeq?: number; limit: number }): Promise<readonly AuditRecord[]>;
}
