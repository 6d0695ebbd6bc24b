import { ask } from '../durable/postgres-server.ts';

/** Writes this many sessions directly, each with one open wait and a deadline in a year, because commits would take minutes. */
export async function openWaits(address: string, count: number): Promise<void> {
  const deadline = Date.now() + 365 * 86_400_000;
  const wait = (id: string): string =>
    `'{"key":"' || ${id} || '/1/1","kind":"wait","state":"intended","node":"approve","visit":1,"deadline":${deadline},"payload":{"wait":"admin_resolution","to":"refunds","question":"Refund 20 euros?"}}'`;
  const entry = (id: string): string =>
    `'{"key":"' || ${id} || '/1/1/deadline/${deadline}","sessionId":"' || ${id} || '","dueAt":${deadline},"signal":{"type":"wait:expired","key":"' || ${id} || '/1/1"},"reach":"wait","correlation":{},"actor":null}'`;
  const ids = `(select 'waiting-' || n as id from generate_series(1, ${count}) n) waiting`;
  await ask(
    address,
    `insert into roomflow_sessions (id, token, owner, lease_expires_at, seq, state, state_version, graph_hash, updated_at, last_commit)
     select id, 1, null, 0, 1, '{}', 2, 'none', 0, '' from ${ids}`,
  );
  await ask(
    address,
    `insert into roomflow_effects (session_id, key, kind, state, token, place, item, deadline, effect, not_before)
     select id, id || '/1/1', 'wait', 'intended', 1, 1, 0, ${deadline}, ${wait('id')}, 0 from ${ids}`,
  );
  await ask(
    address,
    `insert into roomflow_inbox (key, session_id, due_at, not_before, claimed_until, state, attempts, effect_key, post_id, entry)
     select id || '/1/1/deadline/${deadline}', id, ${deadline}, ${deadline}, 0, 'open', 0, id || '/1/1', '', ${entry('id')} from ${ids}`,
  );
  await ask(address, 'analyze');
}
