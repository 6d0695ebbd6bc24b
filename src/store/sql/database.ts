import type { Compilable, Kysely, RawBuilder } from 'kysely';
import type { FlowError } from '../../model/errors.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { CommitTexts, EffectRow } from './commit-texts.ts';
import type { EntryRow } from './inbox-texts.ts';
import type { Tables } from './tables.ts';

/** The parts that differ between databases. */
export interface Database {
  readonly db: Kysely<Tables>;
  /** Clock for leases, in epoch milliseconds, shared by all users of the store. */
  now(): RawBuilder<number>;
  /** Returns a text column that compares byte by byte, like its index. */
  bytewise(column: string): RawBuilder<string>;
  /** Writes a commit atomically. Returns false if the session is not at the commit's base. */
  writeCommit(commit: CommitToWrite): Promise<boolean>;
  /** Deletes inputs that were consumed before a time, and returns their number. */
  forgetInputs(consumedBefore: number): Promise<number>;
  /** Runs delete statements in one transaction. SQLite overwrites the deleted data; Postgres frees it by vacuum. */
  erase(statements: readonly Compilable[]): Promise<void>;
  /** Writes a post atomically. Returns the new keys, or the reason for a refusal. */
  writePost(post: PostToWrite): Promise<WrittenPost>;
  /** Whether concurrent claims skip each other's locked rows. */
  readonly skipsLocked: boolean;
  /** Checks whether a retry may succeed: the connection was lost, or the server is starting. */
  isPassing(error: unknown): boolean;
  /** Returns the FlowError for a database error. */
  explain(error: unknown): FlowError;
  watch(listener: () => void): () => void;
  watchInbox(listener: (sessionId: string | null) => void): () => void;
  close(): Promise<void>;
}

export interface CommitToWrite extends Omit<CommitTexts, 'signals' | 'effects'> {
  /** A column text, like `inputKeys` and the keys of `sharedEffects` and `inbox`. */
  readonly sessionId: string;
  readonly token: number;
  readonly baseSeq: number;
  readonly seq: number;
  readonly stateVersion: number;
  readonly graphHash: string;
  readonly now: number;
  readonly commitId: string;
  /** Grows with each commit under one token. */
  readonly place: number;
  /** JSON lists; null if empty. */
  readonly signals: string | null;
  readonly events: string | null;
  readonly ownEffects: string | null;
  readonly sharedEffects: readonly SharedEffectRow[];
}

export interface SharedEffectRow extends EffectRow {
  /** Its position among the effects of the commit. */
  readonly item: number;
}

/** A post to write. Names are column texts. */
export interface PostToWrite {
  readonly id: string;
  readonly now: number;
  readonly entries: readonly EntryRow[];
  /** Keys to consume with it, and the session whose deletion forgets them. */
  readonly once: readonly string[];
  readonly onceSession: string;
  readonly audit: readonly AuditRow[];
  /** A dead letter to reopen with it. */
  readonly reopens: string | null;
}

export interface AuditRow {
  readonly seq: number;
  readonly sessionId: string | null;
  readonly hash: string;
  readonly text: string;
}

/**
 * Reasons for a refusal. `reopens`: no such dead letter; `once`: a key was already consumed; `audit`: other records
 * were written meanwhile.
 */
export type WrittenPost = { readonly posted: readonly string[] } | { readonly refused: 'reopens' | 'once' | 'audit' };

/** The parameters of each part of a SQL store. */
export interface SqlParts {
  readonly database: Database;
  readonly clock: Clock;
  /** Runs a database operation and retries temporary failures. Throws the FlowError of the failure, or `store-closed`. */
  readonly run: <Result>(work: () => Promise<Result>) => Promise<Result>;
}
