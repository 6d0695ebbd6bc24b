import type { AuditRecord, InboxEntry } from '../events/inbox.ts';

/** An entry as a store keeps it until it is taken. */
export interface StoredEntry {
  readonly entry: InboxEntry;
  /** Grows with posting. */
  readonly place: number;
  /** A dead letter is taken by nobody until it is posted again. */
  readonly state: 'open' | 'dead';
  /** How often it could not be taken. */
  readonly attempts: number;
  /** Epoch milliseconds, no earlier than its `dueAt`: it is due from then on. */
  readonly notBefore: number;
  /** Why it could not be taken the last time. */
  readonly reason: string | null;
  /**
   * How often in a row it was claimed, this time included, and nobody told what came of it: whoever had claimed it before
   * has died, or lost the store. 0 where it was told.
   */
  readonly claims: number;
  /** Who has claimed it, as they are called; null where nobody has, or their claim has run out. */
  readonly claimedBy: string | null;
}

/** What a privileged act tells; its place in the chain, its hash and the time are the store's. */
export type NewAuditRecord = Omit<AuditRecord, 'seq' | 'at' | 'hash'>;

/**
 * What comes to sessions from outside of their calls, and the record of who did what. A commit takes part in it: it
 * deletes the entries, open or dead, whose keys are among its `inputKeys`; it posts and withdraws what it names; and for
 * each wait that it names it keeps one entry for the deadline, due then, as long as the wait is open. A key is known
 * as long as the entry is kept, or the store knows that it was consumed.
 */
export interface InboxStore {
  /**
   * Posts entries and writes audit records in one transaction, and tells for each entry whether its key was known before.
   * `once`: keys that are consumed with it, such as a link's; where one was consumed before nothing is written, and all
   * are duplicates. A post whose answer was lost is looked up before it is sent again.
   */
  post(
    entries: readonly InboxEntry[],
    audit?: readonly NewAuditRecord[],
    once?: readonly string[],
  ): Promise<readonly ('posted' | 'duplicate')[]>;
  /** The open entries of a session that are due, in the order of their due time and, of one time, of posting; claimed by a clerk or not. `dueBy` is now. */
  dueEntries(query: { sessionId: string; dueBy: number; limit: number }): Promise<readonly StoredEntry[]>;
  /** When the first open entry of a session is due, in epoch milliseconds; null where none is open. */
  nextDue(sessionId: string): Promise<number | null>;
  /**
   * Takes the first due entry of sessions that nobody owns, the one that is due longest first, for `ttlMs`, so that no
   * other clerk gets one of these sessions meanwhile. `owner`: the name of the clerk.
   */
  claimEntries(query: { ttlMs: number; limit: number; owner?: string }): Promise<readonly StoredEntry[]>;
  /**
   * Ends claims of a clerk before their time: the entries may be claimed again, after `afterMs` where given. With `isTry`
   * false the claim was no attempt to take them, and does not count. Claims that are another's by now are left alone.
   */
  endClaims(claims: { owner: string; keys: readonly string[]; afterMs?: number; isTry?: boolean }): Promise<void>;
  /**
   * An entry could not be taken, and that ends its claims: it is due again at `until`, and others pass it meanwhile, or (null) a dead letter. With
   * `isTry` false it was not its time, and that counts as no attempt. An unknown key is ignored.
   */
  deferEntry(key: string, until: number | null, reason: string, isTry?: boolean): Promise<void>;
  /**
   * Entries of any session, in the order of `dueEntries`; with `dueAfter`, epoch milliseconds, those alone that are not due
   * before it has passed, by when they are.
   */
  listEntries(query: {
    state?: 'open' | 'dead';
    sessionId?: string;
    dueAfter?: number;
    limit: number;
  }): Promise<readonly StoredEntry[]>;
  /** Opens a dead letter again, due now, with no attempt made; false, and no audit record, where there is none. */
  repost(key: string, audit?: readonly NewAuditRecord[]): Promise<boolean>;
  /** Deletes an entry, open or dead; false where there is none. */
  withdraw(key: string): Promise<boolean>;
  /** Audit records in their order, from `fromSeq` on. */
  readAudit(query: { sessionId?: string; fromSeq?: number; limit: number }): Promise<readonly AuditRecord[]>;
  /**
   * Calls the listener soon after an entry was posted, with its session, or with null where the store cannot tell
   * whether or where: look yourself. Returns what ends it.
   */
  watchInbox(listener: (sessionId: string | null) => void): () => void;
}
