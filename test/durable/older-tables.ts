import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { migrate } from '../../src/durable/migrate.ts';
import { migrationsFor } from '../../src/durable/migrations.ts';
import type { Event } from '../../src/events/event.ts';
import type { Effect } from '../../src/events/effect.ts';
import type { Store } from '../../src/ports/store.ts';
import { event, heard, say, step } from '../../src/testing/store/steps.ts';

/** A database as an older release left it, and the store that this one makes of it. */
interface Older {
  readonly database: 'sqlite' | 'postgres';
  readonly db: Kysely<never>;
  openStore(): Promise<Store>;
}

/** What a store does with the tables of an older release. */
export function describeOlderTables(make: () => Promise<Older>): void {
  test('what an older release kept is kept, and goes on', async () => {
    const { database, db, openStore } = await make();
    const wait = { ...say('s/1/1', ''), kind: 'wait', deadline: 5 } as unknown as Effect; // Its payload is nobody's concern here.
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
    expect(await store.loadSnapshot('s')).toMatchObject({ seq: 2, state: { node: 'a' } });
    expect(await store.readLog('s')).toEqual([heard(1), heard(2)]);
    expect(await store.readEvents('s')).toEqual<Event[]>([event(1), event(2), event(3)]);
    expect(await store.loadEffects('s')).toEqual([first, wait, second]);
    expect(await store.openEffects({ kind: 'wait', dueBy: 5, limit: 9 })).toEqual([{ sessionId: 's', effect: wait }]);
    expect(await store.wasConsumed('k')).toBe(true);
    // The deadlines of waits are entries by now.
    expect((await store.dueEntries({ sessionId: 's', dueBy: 5, limit: 9 })).map(({ entry }) => entry)).toMatchObject([
      { key: 's/1/1/deadline/5', dueAt: 5, signal: { type: 'wait:expired', key: 's/1/1' } },
    ]);

    const lease = await store.acquireLease('s', 'me', 1_000);
    if (lease === null) throw new Error('the lease was not to be had');
    const heardOne: Effect = { ...first, state: 'done' };
    const effects = [heardOne, say('s/3/0', 'Three.')];
    await store.commit(step(lease, { baseSeq: 2, signals: [heard(3)], effects, events: () => [event(4)] }));
    expect(await store.readLog('s', 2)).toEqual([heard(2), heard(3)]);
    expect((await store.readEvents('s')).at(-1)).toEqual(event(4));
    expect(await store.loadEffects('s')).toEqual([heardOne, wait, second, say('s/3/0', 'Three.')]);
    await store.close();
  });
}

function migrationsUntilSlim(database: 'sqlite' | 'postgres') {
  return Object.fromEntries(Object.entries(migrationsFor(database)).filter(([name]) => name <= '2026-11-21-slim'));
}
