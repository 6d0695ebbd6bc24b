import { DatabaseError, type Pool } from 'pg';
import type { EntryRow } from '../sql/inbox-texts.ts';
import type { PostToWrite, WrittenPost } from '../sql/database.ts';

/** Writes a post in one statement. */
export async function writePost(pool: Pool, post: PostToWrite): Promise<WrittenPost> {
  const { entries, reopens, once, onceSession, now, audit, id } = post;
  const records = audit.map(({ seq, sessionId, hash, text }) => ({ seq, session: sessionId, hash, text }));
  const values = [entriesJson(entries), reopens, once, onceSession, now, JSON.stringify(records), id];
  try {
    const { rows } = await pool.query<{ posted: string[] | null }>({ name: 'roomflow-post', text: statement, values });
    const posted = rows[0]?.posted ?? null;
    return posted === null ? { refused: 'reopens' } : { posted };
  } catch (error) {
    const constraint = error instanceof DatabaseError ? error.constraint : undefined;
    if (constraint === 'roomflow_inputs_pkey') return { refused: 'once' };
    if (constraint === 'roomflow_audit_pkey') return { refused: 'audit' };
    throw error;
  }
}

const statement = 'select roomflow_post($1, $2, $3, $4, $5, $6, $7) as posted';

/** Serializes entries for roomflow_put. */
function entriesJson(entries: readonly EntryRow[]): string {
  return JSON.stringify(entries.map(entryJson));
}

export function entryJson({ key, sessionId, dueAt, effectKey, text }: EntryRow, item: number): object {
  return { item, key, session: sessionId, due: dueAt, effect: effectKey, text };
}
