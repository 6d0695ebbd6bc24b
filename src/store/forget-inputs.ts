import { type Kysely, sql } from 'kysely';
import type { Tables } from './sql/tables.ts';

/** Inputs per scan. It takes some milliseconds, during which commits are blocked. */
const atOnce = 5_000;

/**
 * Deletes inputs that were consumed before a time. Scans all inputs in parts, and takes a write lock only for parts
 * with old ones.
 */
export async function forgetInputs(db: Kysely<Tables>, consumedBefore: number): Promise<number> {
  let forgotten = 0;
  let after = '';
  for (;;) {
    const { last, old } = await lookAt(db, after, consumedBefore);
    if (last === null) return forgotten;
    if (old > 0) {
      const { numDeletedRows } = await db
        .deleteFrom('roomflow_inputs')
        .where('key', '>', after)
        .where('key', '<=', last)
        .where('consumed_at', '<', consumedBefore)
        .executeTakeFirst();
      forgotten += Number(numDeletedRows);
    }
    after = last;
  }
}

/** Returns the last key of the next part (null at the end) and the number of old inputs in it. */
async function lookAt(db: Kysely<Tables>, after: string, consumedBefore: number): Promise<Part> {
  const part = db
    .selectFrom('roomflow_inputs')
    .select(['key', 'consumed_at'])
    .where('key', '>', after)
    .orderBy('key')
    .limit(atOnce);
  return await db
    .selectFrom(part.as('part'))
    .select([
      sql<string | null>`max(key)`.as('last'),
      sql<number>`count(*) filter (where consumed_at < ${consumedBefore})`.as('old'),
    ])
    .executeTakeFirstOrThrow();
}

interface Part {
  readonly last: string | null;
  readonly old: number;
}
