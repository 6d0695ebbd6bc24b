import type { EntryRow } from '../sql/inbox-texts.ts';
import type { CommitToWrite, Database, PostToWrite } from '../sql/database.ts';
import type { SqliteFile, SqliteQuery } from './file.ts';

interface Told {
  notify(): void;
  tellInboxOf(sessionIds: readonly string[]): void;
}

/** Writes commits and posts as file transactions, and notifies listeners. */
export function sqliteWrites(file: SqliteFile, told: Told): Pick<Database, 'writeCommit' | 'writePost'> {
  return {
    async writeCommit(commit) {
      const { refused } = await file.together(queriesOf(commit));
      if (refused !== null) return false;
      if (commit.intends) told.notify();
      if (commit.inbox !== null) told.tellInboxOf(commit.inbox.posts.map(({ sessionId }) => sessionId));
      return true;
    },
    async writePost(post) {
      const steps = stepsOf(post).filter(({ query }) => query.parameters.length > 0);
      const written = await file.together(steps.map(({ query }) => query));
      if (written.refused !== null) return { refused: steps[written.refused]?.refusal ?? 'audit' };
      const rows = written.rows as readonly Returned[]; // The columns that the statements return.
      told.tellInboxOf(rows.map(({ session_id }) => session_id));
      return { posted: rows.map(({ key }) => key) };
    },
  };
}

interface Returned {
  readonly key: string;
  readonly session_id: string;
}

/** The first two queries change too few rows if the session is at another position, or if an input was consumed. */
function queriesOf(commit: CommitToWrite): readonly SqliteQuery[] {
  const { sessionId, token, baseSeq, now, inbox } = commit;
  const { state, seq, stateVersion, graphHash, commitId } = commit;
  const all: readonly SqliteQuery[] = [
    {
      sql: `update roomflow_sessions set seq = ?, state = ?, state_version = ?, graph_hash = ?, updated_at = ?, last_commit = ?
        where id = ? and token = ? and owner is not null and seq = ?`,
      parameters: [[seq, state, stateVersion, graphHash, now, commitId, sessionId, token, baseSeq]],
      changes: 1,
    },
    {
      sql: 'insert into roomflow_inputs (key, session_id, consumed_at) values (?, ?, ?) on conflict do nothing',
      parameters: commit.inputKeys.map((key) => [key, sessionId, now]),
      changes: commit.inputKeys.length,
    },
    {
      sql: `insert into roomflow_steps (session_id, token, place, seq, signals, events, own_effects)
        values (?, ?, ?, ?, ?, ?, ?)`,
      parameters: [[sessionId, token, commit.place, seq, commit.signals, commit.events, commit.ownEffects]],
    },
    {
      sql: `insert into roomflow_effects (session_id, key, token, place, item, kind, state, deadline, not_before, effect)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        on conflict (session_id, key) do update set kind = excluded.kind, state = excluded.state, deadline = excluded.deadline, effect = excluded.effect`,
      parameters: commit.sharedEffects.map((row) => [
        sessionId,
        row.key,
        token,
        commit.place,
        row.item,
        row.kind,
        row.state,
        row.deadline,
        now,
        row.text,
      ]),
    },
    {
      sql: 'delete from roomflow_inbox where key = ?',
      parameters: [...commit.inputKeys, ...(inbox?.withdraws ?? [])].map((key) => [key]),
    },
    {
      sql: 'delete from roomflow_inbox where effect_key = ? and key is not ?',
      parameters: (inbox?.deadlines ?? []).map(({ effectKey, key }) => [effectKey, key]),
    },
    { sql: put, parameters: (inbox?.posts ?? []).map((row) => putValues(row, commitId)) },
  ];
  return all.filter(({ parameters }) => parameters.length > 0);
}

interface Step {
  readonly query: SqliteQuery;
  /** The reason if the query changes too few rows. */
  readonly refusal?: 'reopens' | 'once' | 'audit';
}

function stepsOf(post: PostToWrite): readonly Step[] {
  const { now, reopens, once, audit } = post;
  return [
    {
      query: {
        sql: `update roomflow_inbox set state = 'open', attempts = 0, reason = null, not_before = ? where key = ? and state = 'dead'`,
        parameters: reopens === null ? [] : [[now, reopens]],
        changes: 1,
      },
      refusal: 'reopens',
    },
    {
      query: {
        sql: 'insert into roomflow_inputs (key, session_id, consumed_at) values (?, ?, ?) on conflict do nothing',
        parameters: once.map((key) => [key, post.onceSession, now]),
        changes: once.length,
      },
      refusal: 'once',
    },
    {
      query: {
        sql: 'insert into roomflow_audit (seq, session_id, post_id, hash, record) values (?, ?, ?, ?, ?) on conflict do nothing',
        parameters: audit.map(({ seq, sessionId, hash, text }) => [seq, sessionId, post.id, hash, text]),
        changes: audit.length,
      },
      refusal: 'audit',
    },
    {
      query: {
        sql: `${put} returning key, session_id`,
        parameters: post.entries.map((row) => putValues(row, post.id)),
      },
    },
    {
      query: {
        sql: 'select key, session_id from roomflow_inbox where key = ?',
        parameters: reopens === null ? [] : [[reopens]],
      },
    },
  ];
}

const put = `insert into roomflow_inbox (key, session_id, due_at, not_before, claimed_until, state, attempts, effect_key, post_id, entry)
  select ?, ?, ?, ?, 0, 'open', 0, ?, ?, ? where not exists (select 1 from roomflow_inputs where key = ?)
  on conflict (key) do nothing`;

function putValues({ key, sessionId, dueAt, effectKey, text }: EntryRow, postId: string): readonly unknown[] {
  return [key, sessionId, dueAt, dueAt, effectKey, postId, text, key];
}
