import { type Kysely, sql } from 'kysely';
import type { Effect } from '../../model/effect.ts';
import { fromColumnText } from '../sql/column-text.ts';
import { commitFunction } from '../postgres/commit-function.ts';
import { inboxFunctions } from '../postgres/inbox-function.ts';
import { deadlineEntry, entryRow, rowInColumns } from '../sql/inbox-texts.ts';
import { parsed } from '../sql/stored-text.ts';
import type { Tables } from '../sql/tables.ts';

/** Creates the inbox and the audit log, and adds deadline entries for waits that are already open. */
export async function inbox(db: Kysely<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  const place = database === 'sqlite' ? 'integer' : 'bigserial';
  for (const statement of [
    `create table roomflow_inbox (place ${place} primary key, key text not null, session_id text not null,
      due_at bigint not null, not_before bigint not null, claimed_until bigint not null, state text not null,
      attempts integer not null, reason text, effect_key text, post_id text not null, entry text not null)`,
    'create unique index roomflow_inbox_key on roomflow_inbox (key)',
    'create index roomflow_inbox_session on roomflow_inbox (session_id, state, not_before)',
    `create index roomflow_inbox_due on roomflow_inbox (not_before) where state = 'open'`,
    'create index roomflow_inbox_deadline on roomflow_inbox (effect_key) where effect_key is not null',
    `create table roomflow_audit (seq bigint not null, session_id text, post_id text not null, hash text not null,
      record text not null, constraint roomflow_audit_pkey primary key (seq))`,
    'create index roomflow_audit_session on roomflow_audit (session_id, seq)',
    'alter table roomflow_effects add column attempts integer not null default 0',
    'alter table roomflow_effects add column reason text',
    `create index roomflow_effects_deadline on roomflow_effects (deadline) where kind = 'wait' and deadline is not null`,
    ...(database === 'postgres' ? ['drop function roomflow_commit', commitFunction, ...inboxFunctions] : []),
  ])
    await sql.raw(statement).execute(db);
  await postDeadlines(db);
}

async function postDeadlines(db: Kysely<Tables>): Promise<void> {
  const waits = await db
    .selectFrom('roomflow_effects')
    .select(['session_id', 'effect'])
    .where('kind', '=', 'wait')
    .where('deadline', 'is not', null)
    .execute();
  for (const { session_id, effect } of waits) {
    const wait = parsed(effect, 'an effect') as Effect;
    const entry = deadlineEntry(fromColumnText(session_id), wait);
    if (entry === null) continue;
    const { key, dueAt, effectKey, text } = rowInColumns(entryRow(entry, wait.key));
    await db
      .insertInto('roomflow_inbox')
      .values({
        ...{ key, session_id, due_at: dueAt, not_before: dueAt, claimed_until: 0, state: 'open' },
        ...{ attempts: 0, reason: null, effect_key: effectKey, post_id: '', entry: text },
      })
      .execute();
  }
}
