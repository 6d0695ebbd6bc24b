/** Postgres channel that announces new effects. */
export const intentChannel = 'roomflow_intents';

/**
 * Applies a whole commit in one round trip and one transaction. Returns false if the session is not at the commit's
 * base. Fails without changes if an input was already consumed. The latest migration that names it recreates it; add a
 * migration when changing it. It looks for inbox entries before deleting them: few inputs come from the inbox, and a
 * lookup takes a fifth of the time of a delete by key array, which is planned each time.
 */
export const commitFunction = `
create function roomflow_commit(
  of_session text, of_token bigint, of_base bigint, new_seq bigint, new_state text, new_version integer, new_graph text,
  at bigint, commit_id text, at_place bigint, input_keys text[], new_signals text, new_events text, new_own_effects text,
  shared_effects json, is_told boolean, inbox_change json
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
    if exists (select from roomflow_inbox where key = input_keys[item]) then
      delete from roomflow_inbox where key = input_keys[item];
    end if;
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
  if inbox_change is not null then
    perform roomflow_change_inbox(inbox_change, commit_id);
  end if;
  if is_told then
    perform pg_notify('${intentChannel}', '');
  end if;
  return true;
end
$$`;
