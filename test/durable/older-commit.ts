/** The commit function of the release before the inbox, from its migrations. */
export const olderCommitFunction = `
create function roomflow_commit(
  of_session text, of_token bigint, of_base bigint, new_seq bigint, new_state text, new_version integer, new_graph text,
  at bigint, commit_id text, at_place bigint, input_keys text[], new_signals text, new_events text, new_own_effects text,
  shared_effects json, is_told boolean
) returns boolean language plpgsql as $$
begin
  update roomflow_sessions
  set seq = new_seq, state = new_state, state_version = new_version, graph_hash = new_graph, updated_at = at,
    last_commit = commit_id
  where id = of_session and token = of_token and owner is not null and seq = of_base and last_commit <> commit_id;
  if not found then
    return false;
  end if;
  for item in 1 .. cardinality(input_keys) loop
    insert into roomflow_inputs (key, session_id, consumed_at) values (input_keys[item], of_session, at);
  end loop;
  insert into roomflow_steps (session_id, token, place, seq, signals, events, own_effects)
  values (of_session, of_token, at_place, new_seq, new_signals, new_events, new_own_effects);
  if shared_effects is not null then
    insert into roomflow_effects (session_id, key, token, place, item, kind, state, deadline, not_before, effect)
    select of_session, one.key, of_token, at_place, one.item, one.kind, one.state, one.deadline, at, one.text
    from json_to_recordset(shared_effects)
      as one (key text, item integer, kind text, state text, deadline bigint, text text)
    on conflict (session_id, key) do update
    set kind = excluded.kind, state = excluded.state, deadline = excluded.deadline, effect = excluded.effect;
  end if;
  if is_told then
    perform pg_notify('roomflow_intents', '');
  end if;
  return true;
end
$$`;
