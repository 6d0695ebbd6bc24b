/** The channel on which Postgres tells of entries that were posted: the id of the session, or nothing where it is too long. */
export const inboxChannel = 'roomflow_inbox';

/** Functions that change the inbox, each in the transaction of whoever calls it. The last migration that names them makes them anew. */
export const inboxFunctions = [
  // Posts entries, and gives the keys that were not known. Whether a key was consumed is asked after the insert, which
  // waits for a commit that is just taking the entry out, and sees what it did.
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
  // What a commit changes.
  `create function roomflow_change_inbox(change json, of_commit text) returns void language plpgsql as $$
begin
  delete from roomflow_inbox where key in (select json_array_elements_text(change -> 'withdraws'));
  delete from roomflow_inbox
  using json_to_recordset(change -> 'deadlines') as one (effect text, key text)
  where roomflow_inbox.effect_key = one.effect and roomflow_inbox.key is distinct from one.key;
  perform roomflow_put(change -> 'posts', of_commit);
end
$$`,
  // A whole post. Null where the dead letter that it opens again is none; fails where a key was consumed before, or
  // another post has written its audit records first.
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
