import type { Compilable, Kysely, RawBuilder } from 'kysely';
import type { FlowError } from '../errors.ts';
import type { Clock } from '../ports/time.ts';
import type { CommitTexts, EffectRow } from './commit-texts.ts';
import type { EntryRow } from './inbox-texts.ts';
import type { Tables } from './tables.ts';

/** What one kind of database does in its own way. */
export interface Database {
  readonly db: Kysely<Tables>;
  /** The clock that leases run by, in epoch milliseconds: one for all who share the store. */
  now(): RawBuilder<number>;
  /** A text column that is compared byte by byte, as an index has it. */
  bytewise(column: string): RawBuilder<string>;
  /** Writes a commit whole, or not at all: false where the session does not stand where the commit starts from. */
  writeCommit(commit: CommitToWrite): Promise<boolean>;
  /** Deletes the inputs that were consumed before a moment, and tells how many. */
  forgetInputs(consumedBefore: number): Promise<number>;
  /** Runs statements that delete in one transaction. SQLite overwrites what was there, Postgres by its vacuum. */
  erase(statements: readonly Compilable[]): Promise<void>;
  /** Writes a post whole, or not at all. Gives the keys that were not known, or what stood against it. */
  writePost(post: PostToWrite): Promise<WrittenPost>;
  /** Two who claim at once do not wait for each other. */
  readonly skipsLocked: boolean;
  /** Whether the same may go well in a moment: the connection is gone, or the server is just starting. */
  isPassing(error: unknown): boolean;
  /** What went wrong, for people. */
  explain(error: unknown): FlowError;
  watch(listener: () => void): () => void;
  watchInbox(listener: (sessionId: string | null) => void): () => void;
  close(): Promise<void>;
}

export interface CommitToWrite extends Omit<CommitTexts, 'signals' | 'effects'> {
  /** A column text, like `inputKeys`, and the keys of `sharedEffects` and `inbox`. */
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
  /** JSON lists; null where there are none. */
  readonly signals: string | null;
  readonly events: string | null;
  readonly ownEffects: string | null;
  readonly sharedEffects: readonly SharedEffectRow[];
}

export interface SharedEffectRow extends EffectRow {
  /** Its place among all effects of the commit. */
  readonly item: number;
}

/** Names are column texts. */
export interface PostToWrite {
  readonly id: string;
  readonly now: number;
  readonly entries: readonly EntryRow[];
  /** Keys that are consumed with it, and the session with which they are forgotten. */
  readonly once: readonly string[];
  readonly onceSession: string;
  readonly audit: readonly AuditRow[];
  /** A dead letter that is opened again with it. */
  readonly reopens: string | null;
}

export interface AuditRow {
  readonly seq: number;
  readonly sessionId: string | null;
  readonly hash: string;
  readonly text: string;
}

/** `reopens`: there is no such dead letter; `once`: one of the keys was consumed before; `audit`: others have written records. */
export type WrittenPost = { readonly posted: readonly string[] } | { readonly refused: 'reopens' | 'once' | 'audit' };

/** What each part of a store on such a database is made with. */
export interface SqlParts {
  readonly database: Database;
  readonly clock: Clock;
  /** Does what asks the database, again where a failure may pass. Throws what is told of it, or `store-closed`. */
  readonly run: <Result>(work: () => Promise<Result>) => Promise<Result>;
}
