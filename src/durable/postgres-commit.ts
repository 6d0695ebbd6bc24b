import { DatabaseError, type Pool, type PoolClient, type QueryConfig, type QueryResult } from 'pg';
import type { CommitToWrite } from './sql-database.ts';

/** Writes commits one by one through a connection of their own, and through the pool's others while that one is busy. */
export function createCommits(pool: Pool) {
  // Taking a connection from the pool for each commit takes a tenth of its time.
  let own: (PoolClient & Lasting) | null = null;
  let isBusy = false;
  const ask = async (query: QueryConfig): Promise<QueryResult<Written>> => {
    if (isBusy) return await pool.query<Written>(query);
    isBusy = true;
    try {
      own ??= await owned(pool);
      own.ref();
      return await own.query<Written>(query);
    } catch (error) {
      if (!(error instanceof DatabaseError)) giveBack(error);
      throw error;
    } finally {
      own?.unref();
      isBusy = false;
    }
  };
  const giveBack = (error: unknown): void => {
    own?.release(error instanceof Error ? error : true);
    own = null;
  };
  return {
    /** False where the session does not stand where the commit starts from, or an input was consumed before. */
    write: async (commit: CommitToWrite): Promise<boolean> => {
      try {
        const { rows } = await ask({ name: 'roomflow-commit', text: commitStatement, values: valuesOf(commit) });
        return rows[0]?.written === true;
      } catch (error) {
        if (error instanceof DatabaseError && error.constraint === 'roomflow_inputs_pkey') return false;
        throw error;
      }
    },
    close: (): void => giveBack(true),
  };
}

interface Written {
  readonly written: boolean;
}

/** Whether an open connection keeps the process alive. */
interface Lasting {
  ref(): void;
  unref(): void;
}

async function owned(pool: Pool): Promise<PoolClient & Lasting> {
  const client = await pool.connect();
  // One that is lost while nothing is asked of it fails at the next commit, and another is taken.
  client.on('error', () => undefined);
  return client as PoolClient & Lasting; // The driver has both, and its types do not.
}

const parameters = Array.from({ length: 19 }, (_, index) => `$${index + 1}`);
const commitStatement = `select roomflow_commit(${parameters.join(', ')}) as written`;

function valuesOf(commit: CommitToWrite): unknown[] {
  const { effects } = commit;
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
    effects.map(({ key }) => key),
    effects.map(({ kind }) => kind),
    effects.map(({ state }) => state),
    effects.map(({ deadline }) => deadline),
    effects.map(({ text }) => text),
    commit.intends,
  ];
}
