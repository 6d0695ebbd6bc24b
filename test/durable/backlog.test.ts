import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openSqliteStore } from '../../src/durable/sqlite-store.ts';
import type { Store } from '../../src/ports/store.ts';
import { entry } from '../../src/testing/store/steps.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { whyNoSqlite } from './sqlite-here.ts';

const folder = mkdtempSync(join(tmpdir(), 'roomflow-backlog-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The shortest of some claims of a clerk, in milliseconds of the machine. */
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
});
