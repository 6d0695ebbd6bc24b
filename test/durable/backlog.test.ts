import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import type { Json } from '../../src/model/json.ts';
import type { Lease, Store } from '../../src/model/ports/store.ts';
import { heard, step } from '../../src/testing/store/steps.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { whyNoSqlite } from './sqlite-here.ts';

const folder = mkdtempSync(join(tmpdir(), 'roomflow-backlog-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(whyNoSqlite() !== null)('a backlog on SQLite', () => {
  test('a long conversation is deleted despite a reader, and another process can commit in between', async () => {
    const path = join(folder, 'forgotten.db');
    const clock = createVirtualClock(1_000);
    const [back, front] = [await openSqliteStore(path, { clock }), await openSqliteStore(path, { clock })];
    await keep(
      back,
      'long',
      Array.from({ length: 600 }, (_, index) => ({ node: `Marigold${index}` })),
    );
    const [lease, live] = [await owned(back, 'long'), await owned(front, 'live')];
    const file = new (createRequire(import.meta.url)('better-sqlite3') as Driver)(path);
    file.exec('begin; select count(*) from roomflow_sessions');

    const forgotten = back.sessions.delete(lease).then(() => 'forgotten');
    const committed = front.steps.create(step(live, { signals: [heard(1)] })).then(() => 'committed');
    expect(await Promise.race([forgotten, committed])).toBe('committed');
    expect(await forgotten).toBe('forgotten');
    file.exec('rollback');
    // A rewritten file would contain no free page.
    expect(file.pragma('freelist_count', { simple: true })).toBeGreaterThan(0);
    file.close();
    // The next deletion also removes what the reader kept in the log.
    await back.sessions.delete(await owned(back, 'other'));
    await Promise.all([back.close(), front.close()]);
    const kept = readdirSync(folder).filter((name) => name.startsWith('forgotten.db'));
    expect(kept.filter((name) => readFileSync(join(folder, name)).includes('Marigold'))).toEqual([]);
  });
});

/** The driver has no types. */
type Driver = new (path: string) => {
  exec(text: string): void;
  pragma(text: string, options: { readonly simple: true }): unknown;
  close(): void;
};

/** Commits states in order, each replacing the previous one. */
async function keep(store: Store, sessionId: string, states: readonly Json[]): Promise<void> {
  const lease = await owned(store, sessionId);
  for (const [index, state] of states.entries())
    await store.steps.create(
      step(lease, { state, baseSeq: index, signals: [heard(index + 1)], inputKeys: [`${sessionId}/${index}`] }),
    );
}

async function owned(store: Store, sessionId: string): Promise<Lease> {
  const lease = await store.leases.acquire({ sessionId, owner: 'me', ttlMs: 60_000 });
  if (lease === null) throw new Error('the lease was not to be had');
  return lease;
}
