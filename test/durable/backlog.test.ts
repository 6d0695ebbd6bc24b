import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import type { Json } from '../../src/model/json.ts';
import type { Lease, Store } from '../../src/model/ports/store.ts';
import { entry, heard, step } from '../../src/testing/store/steps.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { whyNoSqlite } from './sqlite-here.ts';

const folder = mkdtempSync(join(tmpdir(), 'roomflow-backlog-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the shortest of several claims of a clerk, in milliseconds of real time. */
async function claimMs(store: Store): Promise<number> {
  const times: number[] = [];
  for (let look = 0; look < 5; look += 1) {
    const began = performance.now();
    const claimed = await store.claimEntries({ ttlMs: 30_000, limit: 16, owner: 'clerk' });
    times.push(performance.now() - began);
    expect(claimed).toHaveLength(16);
  }
  return Math.min(...times);
}

async function due(store: Store, name: string, count: number): Promise<void> {
  const entries = Array.from({ length: count }, (_, index) => entry(`${name}${index}`, 1, `${name}${index}`));
  await store.post(entries);
}

describe.skipIf(whyNoSqlite() !== null)('a backlog on SQLite', () => {
  test('of 40 times as many entries is claimed in less than 8 times the time', async () => {
    const clock = createVirtualClock(1_000);
    const store = await openSqliteStore(join(folder, 'claims.db'), { clock });
    await due(store, 'a', 200);
    const few = await claimMs(store);
    await due(store, 'b', 8_000);
    expect(await claimMs(store)).toBeLessThan(few * 8 + 5);
    await store.close();
  });

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

    const forgotten = back.deleteSession(lease).then(() => 'forgotten');
    const committed = front.commit(step(live, { signals: [heard(1)] })).then(() => 'committed');
    expect(await Promise.race([forgotten, committed])).toBe('committed');
    expect(await forgotten).toBe('forgotten');
    file.exec('rollback');
    // A rewritten file would contain no free page.
    expect(file.pragma('freelist_count', { simple: true })).toBeGreaterThan(0);
    file.close();
    // The next deletion also removes what the reader kept in the log.
    await back.deleteSession(await owned(back, 'other'));
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
    await store.commit(
      step(lease, { state, baseSeq: index, signals: [heard(index + 1)], inputKeys: [`${sessionId}/${index}`] }),
    );
}

async function owned(store: Store, sessionId: string): Promise<Lease> {
  const lease = await store.acquireLease(sessionId, 'me', 60_000);
  if (lease === null) throw new Error('the lease was not to be had');
  return lease;
}
