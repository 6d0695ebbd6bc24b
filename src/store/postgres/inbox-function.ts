/** Postgres channel that announces posts: the session id, or an empty text if it is too long. */
export const inboxChannel = 'roomflow_inbox';

/**
 * Functions that change the inbox, each in its caller's transaction. The latest migration that names them recreates
 * them.
 */
export const inboxFunctions = [
  // Posts entries and returns the keys that were new. Consumed keys are checked after the insert: the insert waits for
  // a concurrent commit that takes the entry, and then sees its result.
  `create function roomflow_put(entries json, of_post text) returns text[] language plpgsql as $$
declare
  posted text[];
begin
  with added as (
    insert into roomflow_inbox (key, session_id, due_at, not_before, claimed_until, state, attempts, effect_key, post_id, entry)
    select one.key, one.session, one.due, one.due, 0, 'open', 0, one.effect, of_post, one.text
    from json_to_recordset(entries) as one (item integer, key text, session text, due bigint, effect text, text text)
    order by one.item
    on conflict (key) do nothing
    returning key
  )
  select array_agg(key) into posted from added;
  if posted is null then
    return '{}';
  end if;
  delete from roomflow_inbox
  where key = any (posted) and exists (select from roomflow_inputs where roomflow_inputs.key = roomflow_inbox.key);
  select coalesce(array_agg(key), '{}') into posted from roomflow_inbox where key = any (posted);
  perform roomflow_tell(session_id) from roomflow_inbox where key = any (posted) group by session_id;
  return posted;
end
$$`,
  `create function roomflow_tell(of_session text) returns void language sql as $$
  select pg_notify('${inboxChannel}', case when octet_length(of_session) < 8000 then of_session else '' end)
$$`,
  // The changes of a commit.
  `create function roomflow_change_inbox(change json, of_commit text) returns void language plpgsql as $$
begin
  delete from roomflow_inbox where key in (select json_array_elements_text(change -> 'withdraws'));
  delete from roomflow_inbox
  using json_to_recordset(change -> 'deadlines') as one (effect text, key text)
  where roomflow_inbox.effect_key = one.effect and roomflow_inbox.key is distinct from one.key;
  perform roomflow_put(change -> 'posts', of_commit);
end
$$`,
  // A whole post. Returns null if there is no dead letter to reopen. Fails if a key was already consumed, or if another
  // post has written its audit records first.
  `create function roomflow_post(
  entries json, reopens text, once_keys text[], once_session text, at bigint, records json, of_post text
) returns text[] language plpgsql as $$
declare
  of_session text;
begin
  if reopens is not null then
    update roomflow_inbox set state = 'open', attempts = 0, reason = null, not_before = at
    where key = reopens and state = 'dead' returning session_id into of_session;
    if not found then
      return null;
    end if;
    perform roomflow_tell(of_session);
  end if;
  for item in 1 .. cardinality(once_keys) loop
    insert into roomflow_inputs (key, session_id, consumed_at) values (once_keys[item], once_session, at);
  end loop;
  insert into roomflow_audit (seq, session_id, post_id, hash, record)
  select one.seq, one.session, of_post, one.hash, one.text
  from json_to_recordset(records) as one (seq bigint, session text, hash text, text text);
  return roomflow_put(entries, of_post);
end
$$`,
];
