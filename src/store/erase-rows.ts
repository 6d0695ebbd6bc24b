import type { Kysely } from 'kysely';
import type { Tables } from './sql/tables.ts';

/** Rows per delete statement. It takes some milliseconds, during which SQLite blocks other commits. */
const atOnce = 250;

/**
 * Deletes the rows of a session in parts: inputs, effects and steps. `before` runs before each part and stops the work
 * by throwing. The session's own row stays, so deletion can be repeated after a crash.
 */
export async function eraseRows(db: Kysely<Tables>, id: string, before: () => Promise<void>): Promise<void> {
  // Inputs have no index by session, because every commit would have to maintain it. Reads do not block commits.
  const inputs = await db.selectFrom('roomflow_inputs').select('key').where('session_id', '=', id).execute();
  const effects = await db.selectFrom('roomflow_effects').select('key').where('session_id', '=', id).execute();
  const steps = await db
    .selectFrom('roomflow_steps')
    .select(['token', 'place'])
    .where('session_id', '=', id)
    .orderBy('token')
    .orderBy('place')
    .execute();
  await before();
  for (const part of partsOf(inputs.map(({ key }) => key))) {
    await db.deleteFrom('roomflow_inputs').where('key', 'in', part).execute();
    await before();
  }
  for (const part of partsOf(effects.map(({ key }) => key))) {
    await db.deleteFrom('roomflow_effects').where('session_id', '=', id).where('key', 'in', part).execute();
    await before();
  }
  for (const part of partsOf(steps)) {
    await db
      .deleteFrom('roomflow_steps')
      .where('session_id', '=', id)
      .where((where) =>
        where(
          where.refTuple('token', 'place'),
          'in',
          part.map(({ token, place }) => where.tuple(token, place)),
        ),
      )
      .execute();
    await before();
  }
}

function partsOf<Row>(rows: readonly Row[]): readonly (readonly Row[])[] {
  return Array.from({ length: Math.ceil(rows.length / atOnce) }, (_, part) =>
    rows.slice(part * atOnce, (part + 1) * atOnce),
  );
}
