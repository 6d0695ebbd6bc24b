import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

/** How many inputs are looked at in one go: some milliseconds, in which no commit can be read or written. */
const atOnce = 5_000;

/** Deletes the inputs that were consumed before a moment. Looks through all of them, bit by bit, and locks for what it deletes only. */
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

/** The last of the next inputs, null where there are none any more, and how many of them are old. */
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
