import { DatabaseError, type Pool, type PoolClient, type QueryConfig, type QueryResult } from 'pg';
import type { Clock } from '../../model/ports/time.ts';
import type { InboxChange } from '../sql/inbox-texts.ts';
import { entryJson } from './post.ts';
import type { CommitToWrite } from '../sql/database.ts';

/** A connection is returned after one to two of these intervals without a write, in milliseconds. */
const idleMs = 5_000;

/** Writes commits one by one on a dedicated connection, and on the pool's connections while that one is busy. */
export function createCommits(pool: Pool, clock: Clock) {
  // Acquiring a pool connection per commit takes a tenth of its time.
  let own: (PoolClient & Lasting) | null = null;
  let isBusy = false;
  let wasUsed = false;
  let isClosed = false;
  let cancelLook = (): void => undefined;
  const lookLater = (): void => {
    cancelLook = clock.schedule(idleMs, () => {
      if (!isBusy && !wasUsed) return giveBack();
      wasUsed = false;
      lookLater();
    });
  };
  const ask = async (query: QueryConfig): Promise<QueryResult<Written>> => {
    if (isBusy) return await pool.query<Written>(query);
    isBusy = true;
    wasUsed = true;
    try {
      if (own === null) {
        own = await owned(pool);
        lookLater();
      }
      own.ref();
      return await own.query<Written>(query);
    } catch (error) {
      // A server that became a standby stays one: a new connection may reach the primary.
      if (!(error instanceof DatabaseError) || error.code === '25006') giveBack(error);
      throw error;
    } finally {
      own?.unref();
      isBusy = false;
      if (isClosed) giveBack('closed');
    }
  };
  const giveBack = (error?: unknown): void => {
    cancelLook();
    own?.release(error !== undefined);
    own = null;
  };
  return {
    /** Writes a commit. Returns false if the session is not at the commit's base, or if an input was already consumed. */
    write: async (commit: CommitToWrite): Promise<boolean> => {
      try {
        const { rows } = await ask({ name: 'roomflow-commit', text: commitStatement, values: valuesOf(commit) });
        return rows[0]?.written === true;
      } catch (error) {
        if (error instanceof DatabaseError && error.constraint === 'roomflow_inputs_pkey') return false;
        throw error;
      }
    },
    close(): void {
      isClosed = true;
      if (!isBusy) giveBack('closed');
    },
  };
}

interface Written {
  readonly written: boolean;
}

/** Controls whether an open connection keeps the process alive. */
interface Lasting {
  ref(): void;
  unref(): void;
}

async function owned(pool: Pool): Promise<PoolClient & Lasting> {
  const client = await pool.connect();
  return client as PoolClient & Lasting; // The driver has both methods; its types do not.
}

const parameters = Array.from({ length: 17 }, (_, index) => `$${index + 1}`);
const commitStatement = `select roomflow_commit(${parameters.join(', ')}) as written`;

function valuesOf(commit: CommitToWrite): unknown[] {
  const { sharedEffects } = commit;
  return [
    commit.sessionId,
    commit.token,
    commit.baseSeq,
    commit.seq,
    commit.state,
    commit.stateVersion,
    commit.graphHash,
    commit.now,
    commit.commitId,
    commit.place,
    commit.inputKeys,
    commit.signals,
    commit.events,
    commit.ownEffects,
    sharedEffects.length === 0 ? null : JSON.stringify(sharedEffects),
    commit.intends,
    commit.inbox === null ? null : inboxJson(commit.inbox),
  ];
}

/** Serializes the change for roomflow_change_inbox. */
function inboxJson({ withdraws, deadlines, posts }: InboxChange): string {
  const ofWaits = deadlines.map(({ effectKey, key }) => ({ effect: effectKey, key }));
  return JSON.stringify({ withdraws, deadlines: ofWaits, posts: posts.map(entryJson) });
}
