import type { CommitToWrite } from './sql-store.ts';

/** The channel on which Postgres tells of effects that a commit intended. */
export const intentChannel = 'roomflow_intents';

/**
 * A whole commit as one statement, and so one round trip and one transaction. Where the session does not stand where
 * the commit starts from, or an input was consumed, `moved` is empty and with it everything else.
 */
export const commitStatement = `
with moved as (
  update roomflow_sessions
  set seq = $4, state = $5, state_version = $6, graph_hash = $7, updated_at = $8, last_commit = $9
  where id = $1 and token = $2 and owner is not null and seq = $3 and last_commit <> $9
    and not exists (select 1 from roomflow_inputs where key = any ($10::text[]))
  returning id
), inputs as (
  insert into roomflow_inputs (key, session_id, consumed_at)
  select key, id, $8 from moved, unnest($10::text[]) as key
), signals as (
  insert into roomflow_signals (session_id, seq, signal)
  select id, $3 + place, signal from moved, unnest($11::text[]) with ordinality as signals (signal, place)
), effects as (
  insert into roomflow_effects (session_id, key, kind, state, deadline, not_before, effect)
  select id, key, kind, state, deadline, 0, effect
  from moved, unnest($12::text[], $13::text[], $14::text[], $15::bigint[], $16::text[])
    with ordinality as effects (key, kind, state, deadline, effect, place)
  order by place
  on conflict (session_id, key) do update
  set kind = excluded.kind, state = excluded.state, deadline = excluded.deadline, effect = excluded.effect
), events as (
  insert into roomflow_events (session_id, token, place, events)
  select id, $2, $19, $17 from moved where $17::text is not null
)
select count(*)::integer as written, count(case when $18 then pg_notify('${intentChannel}', '') end) from moved`;

export function commitValues(commit: CommitToWrite): unknown[] {
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
    commit.inputKeys,
    commit.signals,
    effects.map(({ key }) => key),
    effects.map(({ kind }) => kind),
    effects.map(({ state }) => state),
    effects.map(({ deadline }) => deadline),
    effects.map(({ text }) => text),
    commit.events,
    commit.intends,
    commit.place,
  ];
}
