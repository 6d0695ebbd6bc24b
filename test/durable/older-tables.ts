import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { migrate } from '../../src/store/migrations/migrate.ts';
import { migrationsFor } from '../../src/store/migrations/migrations.ts';
import type { Event } from '../../src/model/events/event.ts';
import type { Effect } from '../../src/model/effect.ts';
import type { Store } from '../../src/model/ports/store.ts';
import { event, heard, say, step } from '../../src/testing/store/steps.ts';

/** A database of an older release, and the store that this release opens on it. */
interface Older {
  readonly database: 'sqlite' | 'postgres';
  readonly db: Kysely<never>;
  openStore(): Promise<Store>;
}

/** The contract of a store on the tables of an older release. */
export function describeOlderTables(make: () => Promise<Older>): void {
  test('sessions of an older release are kept and resume', async () => {
    const { database, db, openStore } = await make();
    const wait = { ...say('s/1/1', ''), kind: 'wait', deadline: 5 } as unknown as Effect; // Its payload is not relevant here.
    const [first, second] = [say('s/1/0', 'One.'), say('s/2/0', 'Two.')];
    await migrate(db, migrationsUntilSlim(database), 'the store');
    await sql`insert into roomflow_sessions values ('s', 3, null, 0, 2, '{"node":"a"}', 1, 'g', 0, '3.2')`.execute(db);
    for (const signal of [heard(1), heard(2)])
      await sql`insert into roomflow_signals values ('s', ${signal.seq}, ${JSON.stringify(signal)})`.execute(db);
    for (const [place, told] of [[event(1), event(2)], [event(3)]].entries())
      await sql`insert into roomflow_events values ('s', 3, ${place}, ${JSON.stringify(told)})`.execute(db);
    for (const effect of [first, wait, second])
      await sql`insert into roomflow_effects (session_id, key, kind, state, deadline, not_before, effect)
        values ('s', ${effect.key}, ${effect.kind}, ${effect.state}, ${effect.deadline ?? null}, 0, ${JSON.stringify(effect)})`.execute(
        db,
      );
    await sql`insert into roomflow_inputs values ('k', 's', 1)`.execute(db);
    await db.destroy();

    const store = await openStore();
    expect(await store.sessions.get('s')).toMatchObject({ seq: 2, state: { node: 'a' } });
    expect(await store.steps.list('s')).toEqual([heard(1), heard(2)]);
    expect(await store.steps.listEvents('s')).toEqual<Event[]>([event(1), event(2), event(3)]);
    expect(await store.effects.list('s')).toEqual([first, wait, second]);
    expect(await store.effects.listOpen({ kind: 'wait', dueBy: 5, limit: 9 })).toEqual([
      { sessionId: 's', effect: wait },
    ]);
    expect(await store.inbox.isConsumed('k')).toBe(true);
    // The deadlines of waits are now inbox entries.
    expect((await store.inbox.listDue({ sessionId: 's', dueBy: 5, limit: 9 })).map(({ entry }) => entry)).toMatchObject(
      [{ key: 's/1/1/deadline/5', dueAt: 5, signal: { type: 'wait:expired', key: 's/1/1' } }],
    );

    const lease = await store.leases.acquire({ sessionId: 's', owner: 'me', ttlMs: 1_000 });
    if (lease === null) throw new Error('the lease was not to be had');
    const heardOne: Effect = { ...first, state: 'done' };
    const effects = [heardOne, say('s/3/0', 'Three.')];
    await store.steps.create(step(lease, { baseSeq: 2, signals: [heard(3)], effects, events: () => [event(4)] }));
    expect(await store.steps.list('s', 2)).toEqual([heard(2), heard(3)]);
    expect((await store.steps.listEvents('s')).at(-1)).toEqual(event(4));
    expect(await store.effects.list('s')).toEqual([heardOne, wait, second, say('s/3/0', 'Three.')]);
    await store.close();
  });

  test('each migration keeps the columns and functions that the release before uses', async () => {
    const { database, db } = await make();
    const all = Object.entries(migrationsFor(database));
    const seen = new Map<string, string>();
    for (const [place, [name]] of all.entries()) {
      await migrate(db, Object.fromEntries(all.slice(0, place + 1)), 'the store');
      if (name < '2026-11-22-own-effects') continue;
      for (const one of await namesIn(database, db)) if (!seen.has(one)) seen.set(one, name);
    }
    const left = new Set(await namesIn(database, db));
    expect([...seen].filter(([one]) => !left.has(one))).toEqual([]);
    await db.destroy();
  });

  test('a store to which a newer release has only added something opens', async () => {
    const { database, db, openStore } = await make();
    const later = { '2999-01-01-later-additive': { up: () => Promise.resolve() } };
    await migrate(db, { ...migrationsFor(database), ...later }, 'the store');
    await db.destroy();
    await (await openStore()).close();
  });
}

function migrationsUntilSlim(database: 'sqlite' | 'postgres') {
  return Object.fromEntries(Object.entries(migrationsFor(database)).filter(([name]) => name <= '2026-11-21-slim'));
}

/** Returns the names used by an older release's SQL: columns and, in Postgres, functions with their parameters. */
async function namesIn(database: 'sqlite' | 'postgres', db: Kysely<never>): Promise<readonly string[]> {
  const columns =
    database === 'sqlite'
      ? sql<Named>`select tables.name || '.' || columns.name as name from sqlite_schema as tables, pragma_table_info(tables.name) as columns
          where tables.type = 'table'`
      : sql<Named>`select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'
          union all select oid::regprocedure::text from pg_proc where pronamespace = 'public'::regnamespace`;
  return (await columns.execute(db)).rows.map(({ name }) => name);
}

interface Named {
  readonly name: string;
}
